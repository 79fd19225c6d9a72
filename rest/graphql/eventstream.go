package graphql

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/access"
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
	leave, ok := t.clients.enter(t.clientOf(r), access.OwnerOf(r.Context()))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, mediaJSON, http.StatusTooManyRequests, failure(tooManyConnections))
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
	alive, end := t.alive(r.Context())
	defer end()
	ctx, cancel := context.WithCancelCause(alive)
	defer cancel(nil)
	s := &eventStream{w: w, c: http.NewResponseController(w), slow: t.opts.Timing.Slow, cancel: end}
	if r.Method == http.MethodGet {
		exec = readOnly{exec}
	}
	s.begin()
	o := &operation{Handler: t.Handler, exec: exec, emit: s.next}
	var tending sync.WaitGroup
	tending.Go(func() { t.tend(ctx, s, secretOfRequest(r), cancel) })
	refused, err := o.run(ctx, p, documentID, r.Header.Get("Last-Event-ID"))
	cancel(nil)
	tending.Wait()
	if errors.Is(context.Cause(ctx), errRevoked) {
		refused, err = gqlerror.List{coded(codeUnauthenticated, errRevoked.Error())}, nil
	}
	if len(refused) > 0 {
		err = s.next(told{data: body(&graphql.Response{Errors: refused})})
	}
	if err == nil {
		_ = s.send("event: complete\ndata:\n\n") // who does not hear it has gone
	}
}

var errRevoked = errors.New("API key was revoked")

// tend keeps proxies from closing a quiet stream, and ends it when its key is revoked.
func (h *Handler) tend(ctx context.Context, s *eventStream, secret string, end context.CancelCauseFunc) {
	beats := time.NewTicker(h.opts.Timing.Ping)
	defer beats.Stop()
	keys := time.NewTicker(h.opts.Timing.Key)
	defer keys.Stop()
	if !h.watches(secret) {
		keys.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-keys.C:
			if h.opts.Limiter.Still(ctx, secret) != access.Admitted && ctx.Err() == nil {
				end(errRevoked)
				return
			}
		case <-beats.C:
			if s.send(":\n\n") != nil {
				return
			}
		}
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
	s.mu.Lock()
	h := s.w.Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")      // of nginx
	h.Set("No-Gzip-Compression", "event") // each event has to leave at once
	_ = s.c.SetReadDeadline(time.Time{})  // the deadline was for the request, which has been read
	s.w.WriteHeader(http.StatusOK)
	s.mu.Unlock()
	_ = s.send(":\n\n")
}

// next sends answers with their cursors.
func (s *eventStream) next(answers ...told) error {
	return s.tell(answers, func(b *strings.Builder, a *told) {
		if a.cursor != nil {
			b.WriteString("id: " + a.cursor.String() + "\n")
		}
		b.WriteString("data: ")
		b.Write(a.data)
	})
}

// tell sends answers, each as write puts it.
func (s *eventStream) tell(answers []told, write func(b *strings.Builder, a *told)) error {
	var b strings.Builder
	for i := range answers {
		b.WriteString("event: next\n")
		write(&b, &answers[i])
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
