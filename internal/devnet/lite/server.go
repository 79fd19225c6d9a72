package lite

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tl"

	"tonql/internal/adnl"
	"tonql/internal/ctxtime"
	"tonql/internal/devnet/ledger"
)

// Limits of one server. They are generous for a chain on the same machine and still
// prevent a misbehaving client from using all memory.
const (
	defaultQueryTimeout  = 10 * time.Second
	defaultMaxConns      = 1024
	defaultPerConnection = 256
	handshakeTimeout     = 10 * time.Second
	writeTimeout         = 10 * time.Second
)

// Handler returns the response to one parsed query; nil sends none.
type Handler func(ctx context.Context, query tl.Serializable) tl.Serializable

// Middleware wraps the server's own handler: tests use it to stall, falsify or drop
// responses. Returning [HangUp] closes the client's connection.
type Middleware func(next Handler) Handler

// HangUp is the response that closes the connection.
type HangUp struct{}

// Option changes a default of the server.
type Option func(*Server)

// WithLogger sends connection and query failures to log; without it they are dropped.
func WithLogger(log *slog.Logger) Option { return func(s *Server) { s.log = log } }

// WithQueryTimeout limits the duration of one query, including the wait for a worker.
func WithQueryTimeout(d time.Duration) Option { return func(s *Server) { s.queryTimeout = d } }

// WithMaxConnections limits the number of connections.
func WithMaxConnections(n int) Option { return func(s *Server) { s.maxConns = max(n, 1) } }

// WithMiddleware puts m around the server's handler; the last one given is outermost.
func WithMiddleware(m Middleware) Option {
	return func(s *Server) { s.handle = m(s.handle) }
}

// Server is a liteserver. Make one with [New], start it with [Server.Listen].
type Server struct {
	api    *api
	key    ed25519.PrivateKey
	keyID  [32]byte
	log    *slog.Logger
	handle Handler

	queryTimeout time.Duration
	workers      chan struct{}
	maxConns     int

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.Mutex
	listener net.Listener
	conns    map[*conn]struct{}
	closed   bool
}

// New returns a server of chain that authenticates itself with key.
func New(chain *ledger.Chain, key ed25519.PrivateKey, opts ...Option) (*Server, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("liteserver key of %d bytes", len(key))
	}
	id, err := adnl.KeyID(publicKey(key))
	if err != nil {
		return nil, err
	}
	s := &Server{
		api:          newAPI(chain),
		key:          key,
		keyID:        id,
		log:          slog.New(slog.DiscardHandler),
		queryTimeout: defaultQueryTimeout,
		workers:      make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
		maxConns:     defaultMaxConns,
		conns:        map[*conn]struct{}{},
	}
	s.handle = s.work
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, opt := range opts {
		opt(s)
	}
	return s, nil
}

// Listen binds addr ("host:port", port 0 picks a free one) and serves until Close.
// It returns as soon as the socket accepts connections.
func (s *Server) Listen(addr string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	if s.listener != nil {
		return fmt.Errorf("liteserver already listens on %s", s.listener.Addr())
	}
	var lc net.ListenConfig
	l, err := lc.Listen(s.ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("liteserver socket: %w", err)
	}
	s.listener = l
	s.wg.Go(func() { s.accept(l) })
	return nil
}

// Addr returns the server's address; nil before Listen.
func (s *Server) Addr() net.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// PublicKey returns the key by which clients authenticate the server.
func (s *Server) PublicKey() ed25519.PublicKey { return publicKey(s.key) }

// publicKey returns the second half of a private key.
func publicKey(key ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
}

// Close stops accepting, drops all connections and returns when every goroutine
// of the server has ended. It may be called more than once.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	l := s.listener
	open := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		open = append(open, c)
	}
	s.mu.Unlock()

	s.cancel()
	var err error
	if l != nil {
		if e := l.Close(); e != nil && !errors.Is(e, net.ErrClosed) {
			err = fmt.Errorf("liteserver socket: %w", e)
		}
	}
	for _, c := range open {
		c.close()
	}
	s.wg.Wait()
	return err
}

// accept hands every new connection to its own goroutine until the socket closes.
func (s *Server) accept(l net.Listener) {
	for {
		nc, err := l.Accept()
		if err != nil {
			if s.ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			s.log.Warn("liteserver accept failed", "err", err)
			if !ctxtime.Sleep(s.ctx, 50*time.Millisecond) { // out of file handles or the like: do not spin
				return
			}
			continue
		}
		c := newConn(s, nc)
		if !s.adopt(c) {
			c.close()
			continue
		}
		s.wg.Go(func() {
			defer s.forget(c)
			c.serve()
		})
	}
}

// adopt registers a connection unless the server is full or closing.
func (s *Server) adopt(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.conns) >= s.maxConns {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) forget(c *conn) {
	c.close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}
