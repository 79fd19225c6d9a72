package nodetest

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
)

// A test server must not drop responses: the library's default queue holds only 100.
func init() { liteclient.ServerClientSendQueueSize = 1 << 14 }

// Handler returns the response to one query. A query that waits for a block arrives as []tl.Serializable{ton.WaitMasterchainSeqno,
// query}. A nil response is not sent; [HangUp] closes the client's connection.
type Handler func(ctx context.Context, query tl.Serializable) tl.Serializable

// HangUp is the response that closes the connection.
type HangUp struct{}

// Server is a liteserver on loopback whose responses come from a function.
type Server struct {
	addr   *net.TCPAddr
	key    ed25519.PrivateKey
	inner  *liteclient.Server
	handle Handler

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // accepting, serving, and queries in progress

	mu      sync.Mutex
	clients map[*liteclient.ServerClient]bool
	closed  bool
}

// Serve starts a server that ends with the test.
func Serve(t testing.TB, handle Handler) *Server {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	s := &Server{key: key, handle: handle, clients: map[*liteclient.ServerClient]bool{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.listen(t)
	t.Cleanup(s.Close)
	return s
}

// listen finds a free port. The library binds by itself, so another process may be quicker; then the next port is tried.
func (s *Server) listen(t testing.TB) {
	t.Helper()
	for range 20 {
		probe, err := new(net.ListenConfig).Listen(s.ctx, "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		s.addr = probe.Addr().(*net.TCPAddr)
		require.NoError(t, probe.Close())

		s.inner = liteclient.NewServer([]ed25519.PrivateKey{s.key})
		s.inner.SetQueryHandler(s.receive)
		s.inner.SetConnectionHook(s.connected)
		s.inner.SetDisconnectHook(s.disconnected)
		failed := make(chan error, 1)
		inner, addr := s.inner, s.addr.String()
		s.wg.Go(func() { failed <- inner.Listen(addr) })
		if s.accepts(addr, failed) {
			return
		}
	}
	require.FailNow(t, "no free port for a liteserver")
}

// accepts waits until the server takes connections; false when it could not bind.
func (s *Server) accepts(addr string, failed <-chan error) bool {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := new(net.Dialer).DialContext(s.ctx, "tcp", addr); err == nil {
			_ = c.Close()
			return true
		}
		select {
		case <-failed:
			return false
		case <-tick.C:
		}
	}
}

func (s *Server) connected(c *liteclient.ServerClient) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.clients[c] = true
	s.wg.Add(1)
	return nil
}

func (s *Server) disconnected(c *liteclient.ServerClient) {
	s.mu.Lock()
	delete(s.clients, c)
	s.mu.Unlock()
	s.wg.Done()
}

// receive runs in the connection's read loop, whose end disconnected reports, so the wait group is never empty here.
func (s *Server) receive(ctx context.Context, c *liteclient.ServerClient, id []byte, query tl.Serializable) {
	s.wg.Go(func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
		switch response := s.handle(ctx, query).(type) {
		case nil:
		case HangUp:
			c.Close()
		default:
			c.Answer(id, response)
		}
	})
}

// HangUp closes every connection; clients may come back.
func (s *Server) HangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		c.Close()
	}
}

// Close stops the server and returns when everything of it has ended. It may be called more than once.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	_ = s.inner.Close()
	s.HangUp()
	s.wg.Wait()
}

// Respond returns the server's response to a query without a connection.
func (s *Server) Respond(ctx context.Context, query tl.Serializable) tl.Serializable {
	return s.handle(ctx, query)
}

// Name returns the server's address and port, as in the client's states.
func (s *Server) Name() string { return s.addr.String() }

// Liteserver returns the server's entry in a global configuration.
func (s *Server) Liteserver() liteclient.LiteserverConfig {
	return Liteserver(s.addr, s.key.Public().(ed25519.PublicKey))
}

// Liteserver returns the entry of a liteserver in a global configuration.
func Liteserver(addr net.Addr, key ed25519.PublicKey) liteclient.LiteserverConfig {
	tcp := addr.(*net.TCPAddr)
	return liteclient.LiteserverConfig{
		IP:   int64(int32(binary.BigEndian.Uint32(tcp.IP.To4()))),
		Port: tcp.Port,
		ID:   liteclient.ServerID{Type: "pub.ed25519", Key: base64.StdEncoding.EncodeToString(key)},
	}
}

// Config returns a copy of base with other liteservers.
func Config(base *liteclient.GlobalConfig, servers ...liteclient.LiteserverConfig) *liteclient.GlobalConfig {
	config := *base
	config.Liteservers = servers
	return &config
}

// endpoint returns the address and the public key of an entry.
func endpoint(ls liteclient.LiteserverConfig) (string, ed25519.PublicKey, error) {
	key, err := base64.StdEncoding.DecodeString(ls.ID.Key)
	if err != nil {
		return "", nil, fmt.Errorf("liteserver key: %w", err)
	}
	ip := make(net.IP, 4)
	binary.BigEndian.PutUint32(ip, uint32(ls.IP))
	return (&net.TCPAddr{IP: ip, Port: ls.Port}).String(), key, nil
}
