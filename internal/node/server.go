package node

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/adnl"
	"tonql/internal/ctxtime"
	"tonql/internal/loglimit"
)

// maxLogLines is the number of lines above debug level in a minute that one server can cause.
const maxLogLines = 6

// server is one liteserver: its connection, its record, and the goroutine (run) that owns both.
type server struct {
	pool *Pool
	name string // address and port
	key  ed25519.PublicKey

	slots    chan struct{} // one per query in flight
	inFlight atomic.Int32
	latency  atomic.Int64 // smoothed, ns

	logs *loglimit.Limiter // of lines that the server causes

	tried     chan struct{} // closed once the first attempt to use the server has ended, well or not
	triedOnce sync.Once

	mu     sync.Mutex
	conn   *adnl.Conn // nil while not connected
	record record
}

func newServer(p *Pool, e endpoint) *server {
	p.metrics.server(e.addr)
	return &server{
		pool:   p,
		name:   e.addr,
		key:    e.key,
		slots:  make(chan struct{}, p.opts.MaxParallel),
		logs:   loglimit.New(maxLogLines, time.Minute),
		tried:  make(chan struct{}),
		record: newRecord(p.opts),
	}
}

// run connects and follows the server's head. After a failure it waits for the pause to end and starts again.
func (s *server) run(ctx context.Context) {
	defer s.settle()
	for ctx.Err() == nil {
		s.serve(ctx)
		s.settle()
		if !ctxtime.Sleep(ctx, s.pauseLeft()) {
			return
		}
	}
}

// log writes a line about the server. Lines beyond a bound, which a server that returns and breaks again and again would
// reach, have debug level; the next line above it has their number.
func (s *server) log(level slog.Level, text string, values ...any) {
	if level > slog.LevelDebug {
		skipped, ok := s.logs.Take()
		switch {
		case !ok:
			level = slog.LevelDebug
		case skipped > 0:
			values = append(values, "lines_skipped", skipped)
		}
	}
	//nolint:sloglint // callers pass constants
	s.pool.opts.Logger.Log(context.Background(), level, text, append([]any{"server", s.name}, values...)...)
}

// settle reports that the first attempt to use the server has ended.
func (s *server) settle() { s.triedOnce.Do(func() { close(s.tried) }) }

// serve runs one connection until it fails. A server becomes usable only after it has proven its head.
func (s *server) serve(ctx context.Context) {
	w := want{what: "head"}
	dialCtx, cancel := context.WithTimeout(ctx, s.pool.opts.Timeout)
	conn, err := adnl.Dial(dialCtx, s.name, s.key)
	cancel()
	if err != nil {
		if ctx.Err() == nil {
			s.blame(w, &brokenError{"cannot be reached", err})
		}
		return
	}
	defer conn.Close()
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	if err := s.follow(ctx); err != nil && ctx.Err() == nil {
		s.blame(w, err) // before the connection closes, so that the first reason recorded is the cause
	}
	s.mu.Lock()
	s.conn = nil
	s.record.lose()
	s.mu.Unlock()
}

// errStopped reports that this process closed the connection while it stops, for which the server is not to blame.
var errStopped = errors.New("the client is closed")

// query sends one serialized query and parses the response.
func (s *server) query(ctx context.Context, request []byte, what string, timeout time.Duration) (tl.Serializable, error) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn == nil {
		return nil, &brokenError{"is not connected", adnl.ErrClosed}
	}
	start := time.Now()
	raw, err := conn.QueryWithin(ctx, request, timeout)
	s.pool.metrics.query(s.name, what, time.Since(start), err)
	if observe := s.pool.opts.Observe; observe != nil {
		observe(ctx, Observed{Server: s.name, Name: what, Began: start, Took: time.Since(start), Err: err})
	}
	if log := s.pool.opts.Logger; log.Enabled(ctx, slog.LevelDebug) {
		attrs := []slog.Attr{slog.String("server", s.name), slog.String("query", what), slog.Duration("took", time.Since(start))}
		if err != nil {
			attrs = append(attrs, slog.String("err", err.Error()))
		}
		log.LogAttrs(ctx, slog.LevelDebug, "liteserver query", attrs...)
	}
	switch {
	case err == nil:
		return s.pool.parser.parse(ctx, raw)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, adnl.ErrClosed):
		return nil, errStopped
	case errors.Is(err, adnl.ErrTimeout):
		return nil, &brokenError{fmt.Sprintf("did not respond to %s within %s", what, timeout), err}
	default:
		return nil, &brokenError{"closed the connection", err}
	}
}

// call sends request to s and expects a response of type T.
func call[T any](ctx context.Context, s *server, request tl.Serializable) (T, error) {
	var none T
	raw, err := tl.Serialize(request, true)
	if err != nil {
		return none, fmt.Errorf("query %T: %w", request, err)
	}
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	s.inFlight.Add(1)
	defer func() {
		s.inFlight.Add(-1)
		<-s.slots
	}()
	if err := s.await(ctx); err != nil {
		return none, err
	}
	start := time.Now()
	response, err := s.query(ctx, raw, queryName(request), s.pool.opts.Timeout)
	if err != nil {
		return none, err
	}
	s.noteLatency(time.Since(start))
	typed, err := expect[T](response, queryName(request))
	if classOf(err) != limited {
		s.passed()
	}
	return typed, err
}

// expect converts a response to its type, and errors of the server to the errors of this package.
func expect[T any](response tl.Serializable, what string) (T, error) {
	switch a := response.(type) {
	case T:
		return a, nil
	case ton.LSError:
		var none T
		return none, fromLSError(a)
	case liteclient.ServerBusy:
		var none T
		return none, &refusalError{class: limited, code: a.Code, text: cutText(a.Text)}
	default:
		var none T
		return none, lie(nil, "responded to %s with %s", what, queryName(response))
	}
}

// queryName returns the short name of a TL type, for errors and metrics.
func queryName(v any) string {
	t := reflect.TypeOf(v)
	if t == nil {
		return "nothing"
	}
	return t.Name()
}

func (s *server) noteLatency(d time.Duration) {
	old := s.latency.Load()
	s.latency.Store(old + (int64(d)-old)/8) // lost updates do no harm
}

// receiving reports whether a part of a response has just arrived from the server.
func (s *server) receiving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil && s.conn.Receiving()
}

// load orders servers of the same fitness: fewer queries in flight and lower latency first. Latencies count by powers of
// two, so that servers of similar latency share the load.
func (s *server) load() int {
	return (int(s.inFlight.Load()) + 1) << bits.Len64(uint64(s.latency.Load()/int64(time.Millisecond)))
}
