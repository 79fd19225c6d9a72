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
	"tonql/rest/handler"
	"tonql/rest/live"
)

const mediaEvents = "text/event-stream"

// eventTransport serves GraphQL over server-sent events in distinct connections mode: one operation per request. Each event
// of a subscription has its cursor as id, so that the EventSource of a browser resumes after a lost connection.
type eventTransport struct{ *Handler }

var _ graphql.Transport = eventTransport{}

// Supports reports requests that accept an event stream.
func (eventTransport) Supports(r *http.Request) bool {
	return r.Header.Get("Upgrade") == "" && strings.Contains(strings.Join(r.Header.Values("Accept"), ","), mediaEvents)
}

// Do serves a request until its operation is complete or the client disconnects.
func (t eventTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	leave, ok := t.clients.Enter(handler.Client(r, t.opts.Proxies), access.OwnerOf(r.Context()))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, r, mediaJSON, http.StatusTooManyRequests, failure(tooManyConnections))
		return
	}
	defer leave()
	t.live.Enter()
	defer t.live.Leave()
	p, documentID, status, problem := httpTransport(t).params(w, r)
	if problem != "" {
		reply(w, r, mediaJSON, status, failure(problem))
		return
	}
	alive, end := t.alive(r.Context())
	defer end()
	ctx, cancel := context.WithCancelCause(alive)
	defer cancel(nil)
	s := &eventStream{live.NewEventStream(r.Context(), w, t.opts.Timing.Slow, end)}
	if r.Method == http.MethodGet {
		exec = readOnly{exec}
	}
	s.begin()
	o := &operation{Handler: t.Handler, exec: exec, emit: s.next}
	var keepers sync.WaitGroup
	keepers.Go(func() { t.keepAlive(ctx, s, secretOfRequest(r), cancel) })
	refused, err := o.run(ctx, p, documentID, r.Header.Get("Last-Event-ID"))
	cancel(nil)
	keepers.Wait()
	if errors.Is(context.Cause(ctx), errRevoked) {
		refused, err = gqlerror.List{coded(codeUnauthenticated, errRevoked.Error())}, nil
	}
	if len(refused) > 0 {
		err = s.next(result{data: body(&graphql.Response{Errors: refused})})
	}
	if err == nil {
		_ = s.Send("event: complete\ndata:\n\n") // fails only when the client has disconnected
	}
}

var errRevoked = errors.New("API key was revoked")

// keepAlive sends comments, so that proxies do not close an idle stream, and ends the stream when its API key is revoked.
func (h *Handler) keepAlive(ctx context.Context, s *eventStream, secret string, end context.CancelCauseFunc) {
	beats := time.NewTicker(h.opts.Timing.Ping)
	defer beats.Stop()
	keys := time.NewTicker(h.opts.Timing.Key)
	defer keys.Stop()
	if !h.rechecks(secret) {
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
			if s.Send(":\n\n") != nil {
				return
			}
		}
	}
}

// readOnly refuses mutations in GET requests, which a link can cause.
type readOnly struct{ graphql.GraphExecutor }

func (e readOnly) CreateOperationContext(ctx context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op, errs := e.GraphExecutor.CreateOperationContext(ctx, p)
	if len(errs) == 0 && op.Operation.Operation == ast.Mutation {
		errs = gqlerror.List{coded(codeBadRequest, "GET serves queries and subscriptions only; send this operation by POST")}
	}
	return op, errs
}

// eventStream writes server-sent events.
type eventStream struct{ *live.EventStream }

// begin sends the headers with a comment. Later writes fail, too, when this one does.
func (s *eventStream) begin() { _ = s.Begin(mediaEvents+"; charset=utf-8", ":\n\n") }

// next sends results with their cursors.
func (s *eventStream) next(results ...result) error {
	return s.sendEach(results, func(b *strings.Builder, a *result) {
		if a.cursor != nil {
			b.WriteString("id: " + a.cursor.String() + "\n")
		}
		b.WriteString("data: ")
		b.Write(a.data)
	})
}

// sendEach sends results, each encoded by write. It gathers them up to maxGathered bytes.
func (s *eventStream) sendEach(results []result, write func(b *strings.Builder, r *result)) error {
	var b strings.Builder
	for i := range results {
		b.WriteString("event: next\n")
		write(&b, &results[i])
		b.WriteString("\n\n")
		if b.Len() < live.MaxGathered && i < len(results)-1 {
			continue
		}
		if err := s.Send(b.String()); err != nil {
			return err
		}
		b.Reset()
	}
	return nil
}
