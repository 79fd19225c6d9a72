package main

import (
	"net"
	"net/netip"
	"sync"

	"tonql/internal/access"
)

// clientShare is the share of the connections of clients that one address may have open, so that those of one address leave some for others.
const clientShare = 4

// sharedListener closes connections of an address that has as many as it may. Connections with the same proxy are those of many clients.
type sharedListener struct {
	net.Listener

	ofClient int
	exempt   func(netip.Addr) bool // addresses without a limit

	mu   sync.Mutex
	open map[netip.Addr]int
}

// shareClients limits the connections of each client address (IPv6: each /64) at once, except for loopback addresses and trusted proxies.
func shareClients(l net.Listener, ofClient int, proxies []netip.Prefix) net.Listener {
	return &sharedListener{Listener: l, ofClient: ofClient, open: map[netip.Addr]int{}, exempt: func(a netip.Addr) bool {
		return a.Unmap().IsLoopback() || access.IsProxy(a, proxies)
	}}
}

// Accept waits for a connection that its address may have.
func (l *sharedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, err := netip.ParseAddrPort(conn.RemoteAddr().String())
		if err != nil || l.exempt(from.Addr()) {
			return conn, nil //nolint:nilerr // a Unix socket
		}
		if leave, ok := l.enter(access.Site(from.Addr())); ok {
			return &limitedConn{Conn: conn, release: leave}, nil
		}
		_ = conn.Close() // nothing was read
	}
}

// enter counts a connection of an address until leave is called; ok is false when it has as many as it may.
func (l *sharedListener) enter(from netip.Addr) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from] >= l.ofClient {
		return nil, false
	}
	l.open[from]++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.open[from]--; l.open[from] == 0 {
			delete(l.open, from)
		}
	}), true
}
