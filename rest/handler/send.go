package handler

import (
	"errors"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"tonql/internal/chain"
)

const (
	// piece is how much of a response is written at once, and pieceTimeout the time in which the client has to receive it. A client that
	// does not read holds memory for that long.
	piece        = 64 << 10
	pieceTimeout = 10 * time.Second
	// sendTimeout bounds the time in which a client has to receive a long response, from its first byte.
	sendTimeout = time.Minute

	// longResponse is the length from which a response counts against maxUnsent.
	longResponse = 256 << 10
	// maxUnsent bounds the bytes of long responses that wait in memory for their clients, all together.
	maxUnsent = 256 << 20
)

// ErrUnsent is the error of a long response when those that wait for their clients take all the memory that they may.
var ErrUnsent = chain.Transientf(errors.New("no memory for unsent responses"), "too many long responses are being sent: try again, or request fewer rows at once")

// unsent is the memory for long responses of the process.
var unsent = semaphore.NewWeighted(maxUnsent)

// reserve takes memory for a response until release is called, or fails with [ErrUnsent]. Short responses need none.
func reserve(size int) (release func(), err error) { return Reserve(size, longResponse) }

// Reserve takes memory for size bytes that wait for a client until release is called, or fails with [ErrUnsent]. Less than free bytes need none.
func Reserve(size, free int) (release func(), err error) {
	if size < free {
		return func() {}, nil
	}
	n := min(int64(size), maxUnsent)
	if !unsent.TryAcquire(n) {
		return nil, ErrUnsent
	}
	return func() { unsent.Release(n) }, nil
}

// Send writes a complete body, of which the header was set, and returns the first error. A long one fails with [ErrUnsent] before anything
// is written when too many wait for their clients.
func Send(w http.ResponseWriter, status int, body []byte) error {
	release, err := reserve(len(body))
	if err != nil {
		return err
	}
	defer release()
	w.WriteHeader(status)
	s := sender{w: w}
	return s.write(body)
}

// sender writes the pieces of one response.
type sender struct {
	w   http.ResponseWriter
	end time.Time
}

func (s *sender) write(b []byte) error {
	if len(b) <= piece && s.end.IsZero() { // the time limit of the server suffices
		_, err := s.w.Write(b)
		return err
	}
	if s.end.IsZero() {
		s.end = time.Now().Add(sendTimeout)
	}
	control := http.NewResponseController(s.w)
	for len(b) > 0 {
		next := time.Now().Add(pieceTimeout)
		if next.After(s.end) {
			next = s.end
		}
		_ = control.SetWriteDeadline(next) // fails for a writer without a connection
		n, err := s.w.Write(b[:min(len(b), piece)])
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
