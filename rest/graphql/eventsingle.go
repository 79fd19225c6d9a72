package graphql

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/access"
	"tonql/rest/handler"
	"tonql/rest/live"
)

const (
	tokenHeader    = "X-GraphQL-Event-Stream-Token" //nolint:gosec // the name of a header
	tokenParameter = "token"
	operationID    = "operationId"

	tooManyOperations = "this connection has too many active operations; complete one, or open another connection"
)

// singleTransport serves GraphQL over server-sent events in single connection mode, in which all operations of a browser
// share one connection. PUT reserves a stream and returns its token. GET opens the stream. POST starts an operation, whose results are
// sent on the stream under an id that the client chooses; DELETE ends one. A reservation is valid on the gateway that made it.
type singleTransport struct {
	*Handler

	reserved *reservations
}

var _ graphql.Transport = singleTransport{}

// Supports reports requests for a reserved stream.
func (singleTransport) Supports(r *http.Request) bool {
	return r.Header.Get("Upgrade") == "" && (r.Method == http.MethodPut || r.Method == http.MethodDelete || tokenOf(r) != "")
}

func tokenOf(r *http.Request) string {
	if token := r.Header.Get(tokenHeader); token != "" {
		return token
	}
	return r.URL.Query().Get(tokenParameter)
}

// Do serves a request. A GET request lasts until the stream ends.
func (t singleTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	if r.Method == http.MethodPut {
		t.reserve(w, r)
		return
	}
	v := t.reserved.find(tokenOf(r))
	if v == nil {
		reply(w, r, mediaJSON, http.StatusNotFound, failure("no event stream has this token; reserve one with PUT"))
		return
	}
	switch r.Method {
	case http.MethodGet:
		t.open(w, r, v)
	case http.MethodPost:
		t.begin(w, r, v, exec)
	case http.MethodDelete:
		id := r.URL.Query().Get(operationID)
		if id == "" {
			reply(w, r, mediaJSON, http.StatusBadRequest, failure("the parameter "+operationID+" is missing"))
			return
		}
		v.finish(id, nil)
		w.WriteHeader(http.StatusOK)
	default:
		w.Header().Set("Allow", "GET, POST, PUT, DELETE")
		reply(w, r, mediaJSON, http.StatusMethodNotAllowed, failure("event streams are served by GET, POST, PUT and DELETE"))
	}
}

// reserve creates a reservation and responds with its token. A reservation counts as a connection of its client until the
// stream ends, or until the time to open it has passed.
func (t singleTransport) reserve(w http.ResponseWriter, r *http.Request) {
	leave, ok := t.clients.Enter(handler.Client(r, t.opts.Proxies), access.OwnerOf(r.Context()))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, r, mediaJSON, http.StatusTooManyRequests, failure(tooManyConnections))
		return
	}
	token := rand.Text()
	v := &reservation{operations: map[string]*running{}}
	v.end = sync.OnceFunc(func() {
		t.reserved.remove(token)
		leave()
	})
	t.reserved.add(token, v)
	v.unopened = time.AfterFunc(t.opts.Timing.Token, v.end)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write([]byte(token)) // a client that has disconnected does not open it
}

// open serves the stream.
func (t singleTransport) open(w http.ResponseWriter, r *http.Request, v *reservation) {
	alive, stop := t.alive(r.Context())
	defer stop()
	ctx, cancel := context.WithCancelCause(alive)
	defer cancel(nil)
	s := &eventStream{live.NewEventStream(r.Context(), w, t.opts.Timing.Slow, stop)}
	if !v.open(ctx, s) {
		reply(w, r, mediaJSON, http.StatusConflict, failure("the event stream of this token is already open or has ended"))
		return
	}
	t.live.Enter()
	defer t.live.Leave()
	defer v.end()
	defer v.close()
	s.begin()
	t.keepAlive(ctx, s, secretOfRequest(r), cancel)
	if errors.Is(context.Cause(ctx), errRevoked) {
		for _, id := range v.ids() {
			refusal := result{data: body(&graphql.Response{Errors: gqlerror.List{coded(codeUnauthenticated, errRevoked.Error())}})}
			if v.finish(id, nil) && s.nextOf(id, refusal) == nil {
				_ = s.completeOf(id) // fails only when the client has disconnected
			}
		}
	}
}

// begin starts an operation.
func (t singleTransport) begin(w http.ResponseWriter, r *http.Request, v *reservation, exec graphql.GraphExecutor) {
	p, documentID, status, problem := httpTransport{t.Handler}.params(w, r)
	if problem != "" {
		reply(w, r, mediaJSON, status, failure(problem))
		return
	}
	id, _ := p.Extensions[operationID].(string)
	if id == "" || len(id) > maxOperationID {
		reply(w, r, mediaJSON, http.StatusBadRequest, failure("extensions."+operationID+" must be a non-empty string of at most "+strconv.Itoa(maxOperationID)+" bytes"))
		return
	}
	ctx, s, op, status := v.enter(id, t.opts.Limits.MaxSubscriptions)
	switch status {
	case http.StatusAccepted:
	case http.StatusTooManyRequests:
		reply(w, r, mediaJSON, status, &graphql.Response{Errors: gqlerror.List{coded(codeTooMany, tooManyOperations)}})
		return
	default:
		reply(w, r, mediaJSON, status, failure("the event stream is not open, or already has an operation with this id"))
		return
	}
	if ticket := access.TicketOf(r.Context()); ticket != nil {
		ctx = access.WithTicket(ctx, ticket)
	}
	begun, begin := context.WithCancel(ctx)
	o := &operation{Handler: t.Handler, exec: exec, begun: begin, emit: func(results ...result) error { return s.nextOf(id, results...) }}
	go func() {
		defer begin()
		defer v.work.Done()
		defer op.cancel()
		refused, err := o.guarded(graphql.StartOperationTrace(ctx), p, documentID)
		if errors.Is(context.Cause(ctx), errRevoked) {
			return // open sends the error
		}
		if errors.Is(err, handler.ErrUnsent) {
			s.Cut()
		}
		if len(refused) > 0 && ctx.Err() == nil {
			err = s.nextOf(id, result{data: body(&graphql.Response{Errors: refused})})
		}
		if v.finish(id, op) && err == nil {
			_ = s.completeOf(id) // fails only when the client has disconnected
		}
	}()
	<-begun.Done() // events after the response are part of the subscription
	w.WriteHeader(http.StatusAccepted)
}

// nextOf sends results of the operation with the id.
func (s *eventStream) nextOf(id string, results ...result) error {
	before, after := []byte(`data: {"id":`+quoted(id)+`,"payload":`), []byte{'}'}
	return s.sendEach(results, func(b *strings.Builder, a *result) {
		b.Write(before)
		b.Write(a.data)
		b.Write(after)
	})
}

func (s *eventStream) completeOf(id string) error {
	return s.Send("event: complete\ndata: {\"id\":" + quoted(id) + "}\n\n")
}

func quoted(id string) string {
	text, err := json.Marshal(id)
	if err != nil {
		return `""` // encoding a string never fails
	}
	return string(text)
}

// reservations are the reserved streams of this gateway by their tokens, which are random.
type reservations struct {
	mu sync.Mutex
	by map[string]*reservation
}

func (l *reservations) find(token string) *reservation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.by[token]
}

func (l *reservations) add(token string, v *reservation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.by[token] = v
}

func (l *reservations) remove(token string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, token)
}

// reservation is a reserved stream, open or not.
type reservation struct {
	unopened *time.Timer
	end      func() // removes the reservation

	mu         sync.Mutex
	ctx        context.Context // of the open stream
	stream     *eventStream
	closed     bool
	operations map[string]*running
	work       sync.WaitGroup
}

// open attaches the stream. It returns false when the reservation was opened before or has expired.
func (v *reservation) open(ctx context.Context, s *eventStream) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stream != nil || !v.unopened.Stop() {
		return false
	}
	v.ctx, v.stream = ctx, s
	return true
}

// close ends all operations and waits for them.
func (v *reservation) close() {
	v.mu.Lock()
	v.closed = true
	for _, op := range v.operations {
		op.cancel()
	}
	v.mu.Unlock()
	v.work.Wait()
}

// enter registers an operation; the caller calls work.Done when it ends. The status is 202, or the reason for refusing it.
func (v *reservation) enter(id string, limit int) (ctx context.Context, s *eventStream, op *running, status int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.stream == nil || v.closed || v.operations[id] != nil:
		return nil, nil, nil, http.StatusConflict
	case len(v.operations) >= limit:
		return nil, nil, nil, http.StatusTooManyRequests
	}
	ctx, cancel := context.WithCancel(v.ctx)
	op = &running{cancel}
	v.operations[id] = op
	v.work.Add(1)
	return ctx, v.stream, op, http.StatusAccepted
}

// finish removes the operation with the id and cancels it; with op set, only when it is that operation. It reports whether
// the operation was registered.
func (v *reservation) finish(id string, op *running) bool {
	v.mu.Lock()
	registered := v.operations[id]
	if registered == nil || op != nil && registered != op {
		v.mu.Unlock()
		return false
	}
	delete(v.operations, id)
	v.mu.Unlock()
	registered.cancel()
	return true
}

func (v *reservation) ids() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	ids := make([]string, 0, len(v.operations))
	for id := range v.operations {
		ids = append(ids, id)
	}
	return ids
}
