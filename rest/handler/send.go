package handler

import (
	"context"
	"net/http"
	"time"
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
)

// Send writes a complete body, of which the header was set, and returns the first error. A long one fails with [ErrUnsent] before anything
// is written when too many wait for their clients. ctx is that of the request.
func Send(ctx context.Context, w http.ResponseWriter, status int, body []byte) error {
	release, err := reserve(ctx, len(body))
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
