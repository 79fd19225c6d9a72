package live

import (
	"context"
	"net/http"
	"sync"
	"time"

	"tonql/rest/handler"
)

// EventStream writes server-sent events. Safe for concurrent use.
type EventStream struct {
	ctx  context.Context //nolint:containedctx // of the request, to which a stream belongs
	w    http.ResponseWriter
	c    *http.ResponseController
	slow time.Duration
	stop context.CancelFunc

	mu sync.Mutex
}

// NewEventStream returns the stream of the request that ctx belongs to. stop is called when the client does not read for slow.
func NewEventStream(ctx context.Context, w http.ResponseWriter, slow time.Duration, stop context.CancelFunc) *EventStream {
	return &EventStream{ctx: ctx, w: w, c: http.NewResponseController(w), slow: slow, stop: stop}
}

// Begin sends the status and the headers with a first text.
func (s *EventStream) Begin(media, first string) error {
	s.mu.Lock()
	h := s.w.Header()
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")      // of nginx
	h.Set("No-Gzip-Compression", "event") // each event is sent at once
	_ = s.c.SetReadDeadline(time.Time{})  // the read deadline applies to the request, which is complete
	s.w.WriteHeader(http.StatusOK)
	s.mu.Unlock()
	return s.Send(first)
}

// Cut ends the stream without a further event.
func (s *EventStream) Cut() { s.stop() }

// Send writes text and flushes.
func (s *EventStream) Send(text string) error { return s.Write([]byte(text)) }

// Write writes parts and flushes. It calls stop when messages that wait for their clients take all the memory that they may.
func (s *EventStream) Write(parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	release, err := handler.Reserve(s.ctx, size, longMessage)
	if err != nil {
		s.stop()
		return err //nolint:wrapcheck // callers test for nil only
	}
	defer release()
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.c.SetWriteDeadline(time.Now().Add(s.slow)) // writers of tests support no deadline
	for i := 0; i < len(parts) && err == nil; i++ {
		_, err = s.w.Write(parts[i])
	}
	if err == nil {
		err = s.c.Flush()
	}
	if err != nil {
		s.stop()
	}
	return err //nolint:wrapcheck // callers test for nil only
}
