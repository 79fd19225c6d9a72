package adnl

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tl"
	"golang.org/x/time/rate"
)

const (
	pingInterval = 5 * time.Second
	idleTimeout  = 16 * time.Second // three pings without a pong: the server is gone, even if TCP does not report it
	writeTimeout = 7 * time.Second
	backlog      = 64 // queries that wait for the writer; further ones block their callers

	// Bytes of frames that respond to no query which waits: pongs, and responses after the timeout of their query.
	maxUnrequested  = 64 << 20 // at once
	unrequestedRate = 1 << 20  // per second afterwards
)

var (
	queryID     = tl.CRC("adnl.message.query query_id:int256 query:bytes = adnl.Message")
	responseID  = tl.CRC("adnl.message.answer query_id:int256 answer:bytes = adnl.Message")
	liteQueryID = tl.CRC("liteServer.query data:bytes = Object")
	pingID      = tl.CRC("tcp.ping random_id:long = tcp.Pong")
)

// ErrClosed is the error of queries after [Conn.Close].
var ErrClosed = errors.New("connection closed")

// ErrTimeout is the error of queries that had no response within their timeout.
var ErrTimeout = errors.New("no response within the timeout")

// errFlood ends a connection whose server sends more than it is requested to.
var errFlood = errors.New("the server sends responses to no query")

// Conn is the client side of one authenticated, encrypted connection. It is safe for concurrent use. It owns three
// goroutines, which end with it. A failed connection does not recover: dial a new one.
type Conn struct {
	nc     net.Conn
	in     *progress
	out    chan []byte
	done   chan struct{} // closed when the connection is unusable
	wg     sync.WaitGroup
	failMu sync.Once
	err    error // the reason; read after done is closed

	mu      sync.Mutex
	waiting map[[32]byte]chan []byte // queries in flight; nil once the connection is unusable
}

// Dial connects to the server at addr, which must own the private half of key: no other server can decrypt the
// handshake. It fails when ctx ends, also while the server does not respond.
func Dial(ctx context.Context, addr string, key ed25519.PublicKey) (*Conn, error) {
	ses, hello, err := Open(key)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
	in := &progress{nc: nc}
	r := bufio.NewReaderSize(in, 64<<10)
	if err := shake(nc, r, ses, hello); err != nil || !stop() {
		stop()
		_ = nc.Close()
		return nil, fmt.Errorf("handshake: %w", errors.Join(err, ctx.Err()))
	}
	c := &Conn{
		nc:      nc,
		in:      in,
		out:     make(chan []byte, backlog),
		done:    make(chan struct{}),
		waiting: map[[32]byte]chan []byte{},
	}
	c.wg.Go(func() { c.fail(c.read(r, ses)) })
	c.wg.Go(func() { c.fail(ses.WriteFrames(c.nc, c.out, c.done, writeTimeout)) })
	c.wg.Go(c.ping)
	return c, nil
}

// shake sends the handshake packet and waits for the empty frame with which the server accepts it.
func shake(nc net.Conn, r *bufio.Reader, ses Session, hello []byte) error {
	_ = nc.SetDeadline(time.Now().Add(idleTimeout))
	if _, err := nc.Write(hello); err != nil {
		return err
	}
	payload, err := ses.ReadFrame(r, MaxFrame)
	if err != nil {
		return err
	}
	if len(payload) != 0 {
		return fmt.Errorf("frame with a payload of %d bytes, expected an empty one", len(payload))
	}
	return nc.SetDeadline(time.Time{})
}

// Query sends one serialized liteserver query and returns the bytes of the response, which the caller owns. It fails
// when ctx ends or the connection breaks.
func (c *Conn) Query(ctx context.Context, query []byte) ([]byte, error) {
	return c.query(ctx, query, 0)
}

// QueryWithin is Query with a timeout, after which it fails with [ErrTimeout]. While a large response arrives slowly, to
// this or an earlier query, the time does not count, until four timeouts have passed.
func (c *Conn) QueryWithin(ctx context.Context, query []byte, timeout time.Duration) ([]byte, error) {
	return c.query(ctx, query, timeout)
}

// query is Query with a timeout, 0 for none.
func (c *Conn) query(ctx context.Context, query []byte, timeout time.Duration) ([]byte, error) {
	var id [32]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("query id: %w", err)
	}
	message, err := envelope(id, query)
	if err != nil {
		return nil, err
	}
	response := make(chan []byte, 1)
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return nil, c.Err()
	}
	c.waiting[id] = response
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	start := time.Now()
	var late <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	out := c.out
	for {
		select {
		case out <- message:
			out = nil
		case body := <-response:
			return body, nil
		case <-late:
			left := c.extension(start, timeout)
			if left <= 0 {
				return nil, ErrTimeout
			}
			late = time.After(left)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.done:
			return nil, c.Err()
		}
	}
}

// extension returns the time that is left of a query's timeout, which counts from the last bytes of a long frame.
func (c *Conn) extension(start time.Time, timeout time.Duration) time.Duration {
	return min(time.Until(c.in.lastLong().Add(timeout)), time.Until(start.Add(maxExtension*timeout)))
}

// Receiving reports whether a part of a response has just arrived.
func (c *Conn) Receiving() bool { return time.Since(c.in.lastPart()) < longFrame }

// envelope wraps a query as liteServer.query inside adnl.message.query.
func envelope(id [32]byte, query []byte) ([]byte, error) {
	inner := binary.LittleEndian.AppendUint32(make([]byte, 0, len(query)+12), liteQueryID)
	inner, err := tl.AppendBytes(inner, query)
	if err != nil {
		return nil, fmt.Errorf("query of %d bytes: %w", len(query), err)
	}
	message := binary.LittleEndian.AppendUint32(make([]byte, 0, len(inner)+48), queryID)
	message = append(message, id[:]...)
	message, err = tl.AppendBytes(message, inner)
	if err != nil {
		return nil, fmt.Errorf("query of %d bytes: %w", len(query), err)
	}
	return message, nil
}

// read delivers responses to the queries that wait for them until the connection breaks.
func (c *Conn) read(r *bufio.Reader, ses Session) error {
	unrequested := rate.NewLimiter(unrequestedRate, maxUnrequested)
	for {
		c.in.begin()
		payload, err := ses.ReadFrame(r, MaxFrame)
		if err != nil {
			return err
		}
		delivered := false
		if len(payload) >= 36 && binary.LittleEndian.Uint32(payload) == responseID {
			body, _, err := tl.FromBytesNoCopy(payload[36:])
			if err != nil {
				return fmt.Errorf("response: %w", err)
			}
			delivered = c.deliver([32]byte(payload[4:36]), body)
		}
		if !delivered && !unrequested.AllowN(time.Now(), FrameOverhead+len(payload)) {
			return errFlood
		}
	}
}

// deliver passes a response to the query that waits for it; false when none does.
func (c *Conn) deliver(id [32]byte, body []byte) bool {
	c.mu.Lock()
	response := c.waiting[id]
	delete(c.waiting, id) // a second response to the same query is dropped
	c.mu.Unlock()
	if response == nil {
		return false
	}
	response <- body
	return true
}

// ping keeps the connection alive through NAT and firewalls, and lets read detect a silent server.
func (c *Conn) ping() {
	t := time.NewTicker(pingInterval)
	defer t.Stop()
	for n := uint64(1); ; n++ {
		select {
		case <-t.C:
		case <-c.done:
			return
		}
		message := binary.LittleEndian.AppendUint32(nil, pingID)
		message = binary.LittleEndian.AppendUint64(message, n)
		select {
		case c.out <- message:
		case <-c.done:
			return
		}
	}
}

// Done returns a channel that is closed when the connection becomes unusable.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns the reason for which the connection ended; nil while it is usable.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Close ends the connection and waits for its goroutines. Queries in flight fail with [ErrClosed].
func (c *Conn) Close() {
	c.fail(ErrClosed)
	c.wg.Wait()
}

// Abort ends the connection with the given reason and does not wait.
func (c *Conn) Abort(reason error) { c.fail(reason) }

// fail marks the connection unusable; the first reason stays.
func (c *Conn) fail(err error) {
	c.failMu.Do(func() {
		if err == nil {
			err = ErrClosed
		}
		c.err = err
		c.mu.Lock()
		c.waiting = nil
		c.mu.Unlock()
		close(c.done)
		_ = c.nc.Close()
	})
}
