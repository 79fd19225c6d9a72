package webhook_test

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
	"tonql/internal/pacetest"
	"tonql/internal/payment"
	"tonql/rest/webhook"
)

// slowNames is a name server that responds to queries for names below shop.example with 127.0.0.1 and never to others. It counts the connections of the resolver.
type slowNames struct {
	mu         sync.Mutex
	open, most int
	ended      context.Context // ends lookups, which otherwise last a few seconds longer than their requests
}

func (s *slowNames) resolver(well *net.Resolver) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if s.ended.Err() != nil {
			return nil, net.ErrClosed
		}
		conn, err := well.Dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open++
		s.most = max(s.most, s.open)
		c := &slowName{PacketConn: conn.(*net.UDPConn), Conn: conn, of: s}
		context.AfterFunc(s.ended, func() { _ = c.Conn.Close() })
		return c, nil
	}}
}

// slowName is a connection to the name server.
type slowName struct {
	net.Conn
	net.PacketConn

	of     *slowNames
	closed sync.Once
}

func (c *slowName) Read(b []byte) (int, error)         { return c.Conn.Read(b) }
func (c *slowName) LocalAddr() net.Addr                { return c.Conn.LocalAddr() }
func (c *slowName) SetDeadline(t time.Time) error      { return c.Conn.SetDeadline(t) }
func (c *slowName) SetReadDeadline(t time.Time) error  { return c.Conn.SetReadDeadline(t) }
func (c *slowName) SetWriteDeadline(t time.Time) error { return c.Conn.SetWriteDeadline(t) }

func (c *slowName) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "never") {
		return len(b), nil // the query is lost
	}
	return c.Conn.Write(b)
}

func (c *slowName) Close() error {
	c.closed.Do(func() {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.of.open--
	})
	return c.Conn.Close()
}

// Endpoints whose names never resolve delay no other endpoint, and have a bounded number of sockets.
func TestRun_NamesThatDoNotResolveDelayNoOther(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const endpoints, each, others, perEndpoint = 4, 20, 10, 16
	well := httptest.NewServer(status(200))
	t.Cleanup(well.Close)
	ended, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	names := &slowNames{ended: ended}
	b := newBench(t, func(o *webhook.Options) {
		o.PerEndpoint = perEndpoint
		o.Outbound = func(to *outbound.Options) { to.Resolver = names.resolver(resolverTo(t, "127.0.0.1")) }
	})
	port := well.URL[strings.LastIndexByte(well.URL, ':'):]
	healthy := b.endpoint("http://well.shop.example" + port)
	for i := range endpoints {
		never := b.endpoint("http://never" + string(rune('a'+i)) + ".shop.example" + port)
		for range each {
			b.send(never)
		}
	}
	b.ended(b.send(healthy), 30*time.Second)
	var worst time.Duration
	for range others {
		d, attempts := b.ended(b.send(healthy), 30*time.Second)
		require.Equal(t, payment.DeliveryDelivered, d.State, d.Reason)
		worst = max(worst, attempts[0].StartedAt.Sub(d.CreatedAt)+attempts[0].Duration)
	}
	names.mu.Lock()
	defer names.mu.Unlock()
	t.Logf("the slowest of %d deliveries took %s; at most %d sockets of lookups", others, worst, names.most)
	require.Less(t, worst, pacetest.Slow*time.Second)
	require.LessOrEqual(t, names.most, endpoints*perEndpoint*2)
}
