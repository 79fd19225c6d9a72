package graphql

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

const mediaEvents = "text/event-stream"

// eventTransport serves GraphQL over server-sent events in distinct connections mode: one operation a request. Each
// event of a subscription has its cursor as id, so that a browser's EventSource goes on by itself where it broke off.
type eventTransport struct{ *Handler }

var _ graphql.Transport = eventTransport{}

// Supports takes requests that ask for an event stream.
func (eventTransport) Supports(r *http.Request) bool {
	return r.Header.Get("Upgrade") == "" && strings.Contains(strings.Join(r.Header.Values("Accept"), ","), mediaEvents)
}

// Do answers a request until its operation is complete or the client leaves.
func (t eventTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	leave, ok := t.clients.enter(t.clientOf(r))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, mediaJSON, http.StatusTooManyRequests, failure("too many live connections of this address"))
		return
	}
	defer leave()
	t.live.Add(1)
	defer t.live.Done()
	p, documentID, status, problem := httpTransport(t).params(w, r)
	if problem != "" {
		reply(w, mediaJSON, status, failure(problem))
		return
	}
	ctx, cancel := t.alive(r.Context())
	defer cancel()
	s := &eventStream{w: w, c: http.NewResponseController(w), slow: t.opts.Timing.Slow, cancel: cancel}
	if r.Method == http.MethodGet {
		exec = readOnly{exec}
	}
	s.begin()
	o := &operation{Handler: t.Handler, exec: exec, emit: s.next}
	var beats sync.WaitGroup
	defer beats.Wait()
	defer cancel()
	beats.Go(func() { s.beat(ctx, t.opts.Timing.Ping) })
	refused, err := o.run(ctx, p, documentID, r.Header.Get("Last-Event-ID"))
	if len(refused) > 0 {
		err = s.next(told{data: body(&graphql.Response{Errors: refused})})
	}
	if err == nil {
		_ = s.send("event: complete\ndata:\n\n") // who does not hear it has gone
	}
}

// readOnly refuses mutations, which a link must not be able to do.
type readOnly struct{ graphql.GraphExecutor }

func (e readOnly) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, errs := e.GraphExecutor.CreateOperationContext(ctx, p)
	if len(errs) == 0 && op.Operation.Operation == ast.Mutation {
		errs = gqlerror.List{coded(codeBadRequest, "GET serves queries and subscriptions only; send this operation by POST")}
	}
	return op, errs
}

// eventStream writes server-sent events.
type eventStream struct {
	w      http.ResponseWriter
	c      *http.ResponseController
	slow   time.Duration
	cancel context.CancelFunc

	mu sync.Mutex
}

func (s *eventStream) begin() {
	h := s.w.Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")      // of nginx
	h.Set("No-Gzip-Compression", "event") // each event has to leave at once
	_ = s.c.SetReadDeadline(time.Time{})  // the deadline was for the request, which has been read
	s.w.WriteHeader(http.StatusOK)
	_ = s.send(":\n\n")
}

func (s *eventStream) next(answers ...told) error {
	var b strings.Builder
	for i := range answers {
		b.WriteString("event: next\n")
		if c := answers[i].cursor; c != nil {
			b.WriteString("id: " + c.String() + "\n")
		}
		b.WriteString("data: ")
		b.Write(answers[i].data)
		b.WriteString("\n\n")
		if b.Len() < fullFrames && i < len(answers)-1 {
			continue
		}
		if err := s.send(b.String()); err != nil {
			return err
		}
		b.Reset()
	}
	return nil
}

// send writes and flushes. A client that does not read in time loses the connection.
func (s *eventStream) send(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.c.SetWriteDeadline(time.Now().Add(s.slow)) // a writer of a test has none
	_, err := s.w.Write([]byte(text))
	if err == nil {
		err = s.c.Flush()
	}
	if err != nil {
		s.cancel()
	}
	return err
}

// beat keeps proxies from closing a quiet connection.
func (s *eventStream) beat(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if s.send(":\n\n") != nil {
				return
			}
		}
	}
}
