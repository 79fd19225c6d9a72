package handler

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Stream is a JSON answer in the making. A handler appends to B and calls [Stream.Spill] between elements; beyond
// about 64 kB the part made so far is sent, so that memory does not grow with the answer. Until then nothing has left,
// and a handler that returns an error replaces what it had written.
type Stream struct {
	B []byte

	w      http.ResponseWriter
	start  time.Time
	status int
	sent   bool // header and at least one part are gone
	err    error
}

const (
	spillAt = 64 << 10
	// A buffer grown beyond this by one huge element is dropped instead of pooled.
	keepAtMost = 256 << 10
)

var streams = sync.Pool{New: func() any { return &Stream{B: make([]byte, 0, 8<<10)} }}

// NewStream starts an answer. The caller must end it with [Stream.Close], and not touch it afterwards.
func NewStream(w http.ResponseWriter, start time.Time) *Stream {
	s, ok := streams.Get().(*Stream)
	if !ok { // the pool holds nothing else
		s = new(Stream)
	}
	*s = Stream{B: s.B[:0], w: w, start: start, status: http.StatusOK}
	return s
}

// Status sets the status of the answer; it has no effect once a part is sent.
func (s *Stream) Status(code int) { s.status = code }

// Sent says that a part of the answer has left.
func (s *Stream) Sent() bool { return s.sent }

// Reset forgets what was written and not sent.
func (s *Stream) Reset() { s.B = s.B[:0] }

// Spill sends what is there when it is much. A client that went away makes it fail, and every later call too.
func (s *Stream) Spill() error {
	if len(s.B) < spillAt {
		return s.err
	}
	s.head(-1)
	s.write()
	return s.err
}

// Close sends the rest and gives the buffer back.
func (s *Stream) Close() error {
	if !s.sent {
		s.head(len(s.B))
	}
	s.write()
	err := s.err
	if cap(s.B) <= keepAtMost {
		*s = Stream{B: s.B[:0]}
		streams.Put(s)
	}
	return err
}

// contentType is shared by all answers: nobody changes the values of a header in place.
var contentType = []string{"application/json"}

// shortAnswer is how many bytes net/http holds back until it knows the length of an answer: of those it tells the length
// itself, and cheaper.
const shortAnswer = 2 << 10

// head sends status and headers; length is -1 when the answer comes in parts.
func (s *Stream) head(length int) {
	if s.sent {
		return
	}
	s.sent = true
	h := s.w.Header()
	h["Content-Type"] = contentType
	h["Server-Timing"] = []string{timing(time.Since(s.start))}
	if length > shortAnswer {
		h["Content-Length"] = []string{strconv.Itoa(length)}
	}
	s.w.WriteHeader(s.status)
}

// timing prints a duration for Server-Timing, in milliseconds with three digits after the point.
func timing(d time.Duration) string {
	us := uint64(max(d, 0).Microseconds())
	text := append(make([]byte, 0, 40), "app;dur="...)
	text = strconv.AppendUint(text, us/1000, 10)
	digits := us % 1000
	return string(append(text, '.', byte('0'+digits/100), byte('0'+digits/10%10), byte('0'+digits%10), 'm', 's'))
}

func (s *Stream) write() {
	if s.err == nil && len(s.B) > 0 {
		_, s.err = s.w.Write(s.B)
	}
	s.B = s.B[:0]
}
