package handler

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"

	"tonql/internal/chain"
)

// Stream is the body of a JSON response while it is written. A handler appends to B and calls [Stream.Spill] between
// elements. Once B exceeds about 64 kB, it is sent, so that memory does not grow with the response. Until then an error
// response can replace what was written. Not safe for concurrent use.
type Stream struct {
	B []byte

	ctx    context.Context //nolint:containedctx // of the request, to which a stream belongs
	w      http.ResponseWriter
	to     sender
	start  time.Time
	status int
	sent   bool // the header and at least one part have been sent
	err    error

	beforeSend func()

	retain   bool
	retained [][]byte // blocks of S2, without spare capacity
	length   int      // of what is retained, before compression
	packed   []byte   // a block before it is copied to retained: the compressor requires room for one that it cannot compress
}

const (
	spillAt = 64 << 10
	// maxPooled is the largest capacity of a buffer that is returned to the pool.
	maxPooled = 256 << 10
)

// MaxResponse is the length up to which a response is held in memory, four times that of a page of 1,000 ordinary traces. The messages in
// a page may be so large that they would fill the memory.
const MaxResponse = 64 << 20

// ErrTooLong is the error of a response of more than [MaxResponse].
var ErrTooLong = chain.Invalidf("the response would be longer than %d MiB: request fewer rows at once", MaxResponse>>20)

var streams = sync.Pool{New: func() any { return &Stream{B: make([]byte, 0, 8<<10)} }}

// NewStream starts the response to the request that ctx belongs to. start is the time of the request, for Server-Timing. The caller must call [Stream.Close] and
// must not use the stream afterwards.
func NewStream(ctx context.Context, w http.ResponseWriter, start time.Time) *Stream {
	s, ok := streams.Get().(*Stream)
	if !ok { // unreachable: the pool contains only streams
		s = new(Stream)
	}
	*s = Stream{B: s.B[:0], packed: s.packed, ctx: ctx, w: w, to: sender{w: w}, start: start, status: http.StatusOK}
	return s
}

// Status sets the HTTP status. It has no effect once a part of the response was sent.
func (s *Stream) Status(code int) { s.status = code }

// Sent reports whether a part of the response was sent.
func (s *Stream) Sent() bool { return s.sent }

// Complete reports whether B is everything that was written: nothing was sent or retained.
func (s *Stream) Complete() bool { return !s.sent && len(s.retained) == 0 }

// Reset discards what was written and not sent.
func (s *Stream) Reset() {
	s.B, s.retain, s.retained, s.length = s.B[:0], false, nil, 0
}

// BeforeSend sets what is called before the first part of the response is sent, perhaps more than once: it releases what the client, who may
// be slow, must not hold.
func (s *Stream) BeforeSend(release func()) { s.beforeSend = release }

// Retain makes [Stream.Spill] retain the parts of the response in memory, compressed, until [Stream.Close]. It is for
// responses that are read in parts from one snapshot: sent while it is read, a slow client would hold a connection to the database,
// and a failure would be seen only as an incomplete response. Spill refuses a response of more than [MaxResponse] with [ErrTooLong].
func (s *Stream) Retain() { s.retain = true }

// Spill sends the buffer if it exceeds the threshold. After a write error, such as a disconnected client, it and all later
// calls return that error.
func (s *Stream) Spill() error {
	if len(s.B) < spillAt {
		return s.err
	}
	if len(s.B) > MaxResponse {
		return ErrTooLong
	}
	if s.retain {
		if s.length += len(s.B); s.length > MaxResponse {
			return ErrTooLong
		}
		s.packed = s2.Encode(s.packed[:cap(s.packed)], s.B)
		s.retained = append(s.retained, bytes.Clone(s.packed))
		s.B = s.B[:0]
		return nil
	}
	s.head(-1)
	s.write()
	return s.err
}

// Close sends the rest of the response and returns the buffer to the pool. It returns the first write error. A long response that was
// retained fails with [ErrUnsent], before anything is sent and with the stream as it was, when too many wait for their clients.
func (s *Stream) Close() error {
	if !s.sent {
		release, err := reserve(s.ctx, s.occupied())
		if err != nil {
			return err
		}
		defer release()
		s.head(s.length + len(s.B))
	}
	s.writeRetained()
	s.write()
	err := s.err
	if cap(s.B) <= maxPooled && cap(s.packed) <= maxPooled {
		*s = Stream{B: s.B[:0], packed: s.packed}
		streams.Put(s)
	}
	return err
}

// occupied returns the memory of what was not sent.
func (s *Stream) occupied() int {
	size := len(s.B)
	for _, block := range s.retained {
		size += len(block)
	}
	return size
}

// contentType is shared by all responses, which do not modify header values in place.
var contentType = []string{"application/json"}

// shortResponse is the size of net/http's response buffer. For responses that fit, net/http sets Content-Length itself,
// without an allocation here.
const shortResponse = 2 << 10

// head sends status and headers. length is the Content-Length, or -1 if the response is sent in parts.
func (s *Stream) head(length int) {
	if s.sent {
		return
	}
	s.sent = true
	if s.beforeSend != nil {
		s.beforeSend()
	}
	h := s.w.Header()
	h["Content-Type"] = contentType
	h["Server-Timing"] = []string{timing(time.Since(s.start))}
	if length > shortResponse {
		h["Content-Length"] = []string{strconv.Itoa(length)}
	}
	s.w.WriteHeader(s.status)
}

// timing formats a duration for Server-Timing, in milliseconds with three decimal places.
func timing(d time.Duration) string {
	us := uint64(max(d, 0).Microseconds())
	text := append(make([]byte, 0, 40), "app;dur="...)
	text = strconv.AppendUint(text, us/1000, 10)
	digits := us % 1000
	return string(append(text, '.', byte('0'+digits/100), byte('0'+digits/10%10), byte('0'+digits%10), 'm', 's'))
}

func (s *Stream) write() {
	if s.err == nil && len(s.B) > 0 {
		s.err = s.to.write(s.B)
	}
	s.B = s.B[:0]
}

// writeRetained sends the retained parts.
func (s *Stream) writeRetained() {
	var part []byte
	for i, block := range s.retained {
		if s.err != nil {
			return
		}
		if part, s.err = s2.Decode(part[:cap(part)], block); s.err == nil {
			s.err = s.to.write(part)
		}
		s.retained[i] = nil
	}
}
