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
)

const (
	pingEvery    = 5 * time.Second
	idleTimeout  = 16 * time.Second // three unanswered pings: the other side is gone, whatever TCP believes
	writeTimeout = 7 * time.Second
	backlog      = 64 // queries waiting for the writer; more make their callers wait
)

var (
	queryID     = tl.CRC("adnl.message.query query_id:int256 query:bytes = adnl.Message")
	answerID    = tl.CRC("adnl.message.answer query_id:int256 answer:bytes = adnl.Message")
	liteQueryID = tl.CRC("liteServer.query data:bytes = Object")
	pingID      = tl.CRC("tcp.ping random_id:long = tcp.Pong")
)

// ErrClosed is the cause of a query's failure after [Conn.Close].
var ErrClosed = errors.New("connection closed")

// Conn is one authenticated, encrypted connection. It is safe for concurrent use. It owns three goroutines, which end
// with it; a connection that has failed is not repaired but replaced.
type Conn struct {
	nc     net.Conn
	out    chan []byte
	done   chan struct{} // closed when the connection is unusable
	wg     sync.WaitGroup
	failMu sync.Once
	err    error // why done was closed; read after done

	mu      sync.Mutex
	waiting map[[32]byte]chan []byte // queries in flight; nil once the connection is unusable
}

// Dial connects to addr, whose server must own the private half of key: nobody else can read the handshake or answer it.
func Dial(ctx context.Context, addr string, key ed25519.PublicKey) (*Conn, error) {
	ses, hello, err := openSession(key)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	// A cancelled caller must not wait for a server that accepts and says nothing.
	stop := context.AfterFunc(ctx, func() { _ = nc.Close() })
	r := bufio.NewReaderSize(nc, 64<<10)
	if err := shake(nc, r, ses, hello); err != nil || !stop() {
		stop()
		_ = nc.Close()
		return nil, fmt.Errorf("handshake: %w", errors.Join(err, ctx.Err()))
	}
	c := &Conn{
		nc:      nc,
		out:     make(chan []byte, backlog),
		done:    make(chan struct{}),
		waiting: map[[32]byte]chan []byte{},
	}
	c.wg.Go(func() { c.fail(c.read(r, ses)) })
	c.wg.Go(func() { c.fail(c.write(ses)) })
	c.wg.Go(c.ping)
	return c, nil
}

// shake sends the first packet and waits for the empty frame that accepts it.
func shake(nc net.Conn, r *bufio.Reader, ses session, hello []byte) error {
	_ = nc.SetDeadline(time.Now().Add(idleTimeout))
	if _, err := nc.Write(hello); err != nil {
		return err
	}
	payload, err := readFrame(r, ses)
	if err != nil {
		return err
	}
	if len(payload) != 0 {
		return fmt.Errorf("frame of %d bytes instead of the empty one", len(payload))
	}
	return nc.SetDeadline(time.Time{})
}

// Query sends one serialized liteserver query and returns the bytes of its answer, which the caller owns. It fails when
// ctx ends, or at once when the connection breaks.
func (c *Conn) Query(ctx context.Context, query []byte) ([]byte, error) {
	var id [32]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("query id: %w", err)
	}
	message, err := envelope(id, query)
	if err != nil {
		return nil, err
	}
	answer := make(chan []byte, 1)
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return nil, c.Err()
	}
	c.waiting[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	select {
	case c.out <- message:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.done:
		return nil, c.Err()
	}
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.done:
		return nil, c.Err()
	}
}

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

// Done is closed when the connection can no longer be used.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection ended; nil while it is usable.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// Close ends the connection and returns when its goroutines have ended. Queries in flight fail with [ErrClosed].
func (c *Conn) Close() {
	c.fail(ErrClosed)
	c.wg.Wait()
}

// Abort ends the connection for a reason of the caller's, without waiting.
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
