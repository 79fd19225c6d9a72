package live

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"tonql/rest/handler"
)

// Reason is the code and the reason with which a connection is closed. Reasons have at most 123 bytes.
type Reason struct {
	Code websocket.StatusCode
	Text string
}

// SocketOptions configure a [Socket]. All fields are required but Subprotocols.
type SocketOptions struct {
	Subprotocols []string
	Origins      []string // of pages that may connect, as for CORS; "*" is all
	MaxMessage   int      // of a client, in bytes
	// Rate and Burst bound the messages and pings that are read of a client, by second and at once; the rest waits. Each messageShare of a message
	// counts as one more.
	Rate    rate.Limit
	Burst   int
	Slow    time.Duration
	Grace   time.Duration // time in which a slow client can read the reason
	TooSlow Reason        // of a client that did not read for Slow
	Receive time.Duration // time in which a message must arrive from its first frame on; 0: 30 s
}

// receiveTime is the default of Receive: that of other requests.
const receiveTime = 30 * time.Second

var (
	tooLong    = Reason{websocket.StatusPolicyViolation, "the message did not arrive in time"}
	noPlaceNow = Reason{websocket.StatusTryAgainLater, "too many long messages are being received; try again later"}
)

// messageShare is the size, in bytes, for which a message counts once more: parsing a long one costs as much as that of many short ones.
const messageShare = 8 << 10

// Socket is a WebSocket connection. One goroutine may read; any may write.
type Socket struct {
	ctx  context.Context //nolint:containedctx // of the handshake, for its client
	ws   *websocket.Conn
	conn net.Conn // below ws
	opts SocketOptions
	stop context.CancelFunc
	pace *rate.Limiter // of what the client sends

	writing sync.Mutex
	closing atomic.Pointer[Reason] // the first reason wins
}

// Accept takes a connection over. When it fails, it has responded: handshakes may be invalid, and pages of other origins refused. stop ends what is
// done for the connection once nothing can be written to it; it may be called many times.
func Accept(w http.ResponseWriter, r *http.Request, o SocketOptions, stop context.CancelFunc) (*Socket, error) {
	s := &Socket{ctx: r.Context(), opts: o, stop: stop, pace: rate.NewLimiter(o.Rate, o.Burst)}
	var err error
	// The only credential that browsers add is the page token, which pages of other sites cannot send and package rest
	// refuses from them. So request forgery gains nothing.
	s.ws, err = websocket.Accept(connCapture{w, &s.conn}, r, &websocket.AcceptOptions{
		Subprotocols: o.Subprotocols, OriginPatterns: o.Origins, InsecureSkipVerify: slices.Contains(o.Origins, "*"),
		OnPingReceived: func(ctx context.Context, _ []byte) bool { return s.pace.Wait(ctx) == nil },
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // the client has the reason
	}
	s.ws.SetReadLimit(int64(o.MaxMessage))
	return s, nil
}

// Subprotocol is what client and server agreed on, "" for nothing.
func (s *Socket) Subprotocol() string { return s.ws.Subprotocol() }

// Read reads a message, and waits while the client has sent more than it may. It fails when the connection is closed by either side, or
// broken. It closes the connection when a message does not arrive in time, and when there is no memory left for long messages.
func (s *Socket) Read(ctx context.Context) (text bool, data []byte, err error) {
	kind, r, err := s.ws.Reader(ctx)
	if err != nil {
		return false, nil, err //nolint:wrapcheck // callers test for nil only
	}
	late := time.AfterFunc(cmp.Or(s.opts.Receive, receiveTime), func() { s.Close(tooLong) })
	data, release, err := s.receive(r)
	late.Stop()
	defer release()
	if errors.Is(err, handler.ErrReceived) {
		s.Close(noPlaceNow)
	}
	if err == nil {
		err = s.pace.WaitN(ctx, min(1+len(data)/messageShare, s.opts.Burst))
	}
	return kind == websocket.MessageText, data, err //nolint:wrapcheck // callers test for nil only
}

// receive reads to the end of r. What a message takes from longMessage on is counted until release is called.
func (s *Socket) receive(r io.Reader) (data []byte, release func(), err error) {
	data, release = make([]byte, 0, minReceived), func() {}
	for {
		if len(data) == cap(data) {
			size := 2 * cap(data)
			if size >= longMessage {
				more, err := handler.Receive(s.ctx, size)
				if err != nil {
					return nil, release, err //nolint:wrapcheck // the caller tests for it
				}
				release()
				release = more
			}
			data = append(make([]byte, 0, size), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, release, nil
		}
		if err != nil {
			return nil, release, err //nolint:wrapcheck // callers test for nil only
		}
	}
}

// minReceived is the memory of a message that begins, in bytes.
const minReceived = 512

// CloseNow closes the connection without a handshake.
func (s *Socket) CloseNow() { _ = s.ws.CloseNow() } // usually closed already

var errSlow = errors.New("the client does not read")

// Send writes frames of [AppendFrame]. When the client does not read in time, stop is called at once and the connection is closed; the
// client receives the reason if it reads within the grace period. So it is when messages that wait for their clients take all the memory that they may.
func (s *Socket) Send(frames []byte) error {
	release, err := handler.Reserve(s.ctx, len(frames), longMessage)
	if err != nil {
		s.Close(s.opts.TooSlow)
		return err //nolint:wrapcheck // callers test for nil only
	}
	defer release()
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closing.Load() != nil {
		return errSlow
	}
	slow := time.AfterFunc(s.opts.Slow, func() {
		if s.closing.CompareAndSwap(nil, &s.opts.TooSlow) {
			s.stop()
			time.AfterFunc(s.opts.Grace, func() { _ = s.conn.Close() }) // ends the write, too
		}
	})
	_, err = s.conn.Write(frames)
	switch {
	case slow.Stop():
	case err == nil:
		_ = s.ws.Close(s.opts.TooSlow.Code, s.opts.TooSlow.Text) // the client may have disconnected
		err = errSlow
	}
	if err != nil {
		s.stop()
		_ = s.conn.Close() // ends the read, too
	}
	return err //nolint:wrapcheck // callers test for nil only
}

// Close calls stop and closes the connection with a reason.
func (s *Socket) Close(f Reason) {
	s.closing.CompareAndSwap(nil, &f)
	s.stop()
	if reason := s.closing.Load(); reason.Code == f.Code {
		_ = s.ws.Close(f.Code, f.Text) // the client may have disconnected
	}
}

// Ping reports whether the client responds to a ping within a time.
func (s *Socket) Ping(ctx context.Context, within time.Duration) bool {
	if !s.writing.TryLock() {
		return true // a write is in progress, which detects a lost client
	}
	s.writing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return s.ws.Ping(ctx) == nil
}
