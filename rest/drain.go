package rest

import (
	"io"
	"net/http"
	"time"
)

const (
	// maxDrained bounds what is read of a body after the response, in bytes.
	maxDrained = 64 << 20
	// drainTimeout bounds how long it is read.
	drainTimeout = 5 * time.Second
)

// drained reads what a handler left of the body of a request, after the response was sent. A connection that is closed with unread
// bytes is reset, and a client that sends its complete request before it reads would see that instead of, for example, a 413 or a 429.
func drained(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// HTTP/2 ends a stream without its connection. A client that expects a 100 has sent nothing before it is refused.
		if r.Body == nil || r.Body == http.NoBody || r.ProtoMajor != 1 || r.Header.Get("Expect") != "" || r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		body := &endingBody{ReadCloser: r.Body}
		withBody := *r
		withBody.Body = body
		next.ServeHTTP(w, &withBody)
		if body.ended {
			return
		}
		controller := http.NewResponseController(w)
		if controller.Flush() != nil || controller.SetReadDeadline(time.Now().Add(drainTimeout)) != nil {
			return
		}
		_, _ = io.CopyN(io.Discard, body, maxDrained) // a client that disconnected needs no response
	})
}

// endingBody is the body of a request. It records whether it was read to its end, or to an error.
type endingBody struct {
	io.ReadCloser
	ended bool
}

// Read reads from the body.
func (b *endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err != nil
	return n, err //nolint:wrapcheck // the error of the body is that of this reader
}
