package testdb

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// Proxy forwards connections to a server, as a network does, and cuts all of them when a test wants that.
type Proxy struct {
	dsn              string
	network, address string
	listener         net.Listener
	group            sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	budget int64  // bytes until the next cut; negative: none
	behind []byte // what is the last to pass before the next cut; empty: none
	cuts   int
	closed bool
}

// NewProxy starts a proxy to the server of a database, which ends with the test, and returns it with the DSN of the database through it.
func NewProxy(t testing.TB, dsn string) (p *Proxy, through string) {
	t.Helper()
	target, err := pgx.ParseConfig(dsn)
	require.NoError(t, err)
	p = &Proxy{open: map[net.Conn]bool{}, budget: -1, dsn: dsn}
	p.network, p.address = pgconn.NetworkAddress(target.Host, target.Port)
	p.listener, err = net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it ends with the test
	require.NoError(t, err)
	p.group.Go(p.accept)
	t.Cleanup(func() {
		require.NoError(t, p.listener.Close())
		p.mu.Lock()
		p.closed = true
		p.cut()
		p.mu.Unlock()
		p.group.Wait()
	})
	u := url.URL{Scheme: "postgres", User: url.UserPassword(target.User, target.Password), Host: p.listener.Addr().String(), Path: "/" + target.Database, RawQuery: "sslmode=disable"}
	return p, u.String()
}

// Direct is the DSN of the database without the proxy.
func (p *Proxy) Direct() string { return p.dsn }

// CutAfter cuts all connections once so many bytes more have passed in both directions together. Connections that begin after that are forwarded. A
// negative number withdraws what was to be cut.
func (p *Proxy) CutAfter(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.budget = n; n < 0 {
		p.behind = nil
	}
}

// CutBehind cuts all connections once a text has passed, which nothing follows: no response to a statement, for instance. A text that two packets divide is
// not found.
func (p *Proxy) CutBehind(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.behind = []byte(text)
}

// Cuts returns how often connections were cut.
func (p *Proxy) Cuts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.address) //nolint:noctx // of a server on this machine
		if err != nil {
			_ = client.Close()
			continue
		}
		if !p.add(client, server) {
			return
		}
		p.group.Go(func() { p.forward(client, server) })
		p.group.Go(func() { p.forward(server, client) })
	}
}

func (p *Proxy) add(list ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range list {
		p.open[c] = true
	}
	if p.closed {
		p.cut()
	}
	return !p.closed
}

// cut closes all connections. The caller has the lock.
func (p *Proxy) cut() {
	for c := range p.open {
		_ = c.Close()
	}
	clear(p.open)
}

// forward copies until one of the connections ends, and then ends both.
func (p *Proxy) forward(from, to net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range []net.Conn{from, to} {
			_ = c.Close()
			delete(p.open, c)
		}
	}()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if n, cut := p.spend(buffer[:n]); n > 0 || cut {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
			if cut {
				p.mu.Lock()
				p.cuts++
				p.cut()
				p.mu.Unlock()
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// spend takes bytes of the budget. It returns how many pass, and whether the connections are cut behind them.
func (p *Proxy) spend(packet []byte) (pass int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(packet)
	switch {
	case len(p.behind) > 0 && bytes.Contains(packet, p.behind):
		p.behind = nil
		return n, true
	case p.budget < 0:
		return n, false
	case int64(n) < p.budget:
		p.budget -= int64(n)
		return n, false
	}
	n, p.budget = int(p.budget), -1
	return n, true
}
