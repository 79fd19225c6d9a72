package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
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
	subprotocol = "graphql-transport-ws"

	// messageRate and messageBurst bound the messages and pings that are read of a connection, by second and at once; see [live.SocketOptions].
	messageRate, messageBurst = 100, 1000

	tooManyConnections = "too many live connections of this client address or API key"
)

// socketTransport serves GraphQL over WebSocket with the protocol graphql-transport-ws.
type socketTransport struct{ *Handler }

var _ graphql.Transport = socketTransport{}

// Supports reports requests to upgrade to WebSocket.
func (socketTransport) Supports(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do serves a connection until it ends.
func (t socketTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	client := handler.Client(r, t.opts.Proxies)
	leave, ok := t.clients.Enter(client, access.OwnerOf(r.Context()))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, r, mediaJSON, http.StatusTooManyRequests, failure(tooManyConnections))
		return
	}
	defer leave()
	t.live.Enter()
	defer t.live.Leave()
	// Reading continues during the closing handshake, so the end of the request cancels operations only.
	reading := context.WithoutCancel(r.Context())
	working, end := context.WithCancel(reading)
	defer end()
	ws, err := live.Accept(w, r, live.SocketOptions{
		Subprotocols: []string{subprotocol}, Origins: t.opts.Origins, MaxMessage: t.opts.Limits.MaxBodyBytes, Rate: messageRate, Burst: messageBurst,
		Slow: t.opts.Timing.Slow, Grace: t.opts.Timing.Grace, TooSlow: tooSlow,
	}, end)
	if err != nil {
		return
	}
	defer ws.CloseNow()
	s := &socket{
		Handler: t.Handler, Socket: ws, exec: exec, header: r.Header, client: client, secret: secretOfRequest(r),
		operations: map[string]*running{}, reading: reading, working: working, stop: end,
	}
	s.serve()
}

// secretOfRequest returns the API key of the handshake, "" for none.
func secretOfRequest(r *http.Request) string {
	if secret := strings.TrimSpace(r.Header.Get("X-API-Key")); secret != "" {
		return secret
	}
	return r.URL.Query().Get("api_key")
}

// socket is one WebSocket connection.
type socket struct {
	*Handler
	*live.Socket

	exec    graphql.GraphExecutor
	header  http.Header
	client  netip.Addr
	reading context.Context // context of the connection
	working context.Context // context of the operations; ends first
	stop    context.CancelFunc

	// used by the reading goroutine only
	initialised bool
	secret      string
	// credit is the ticket of the handshake or of connection_init, which the first operation uses; nil afterwards.
	credit *access.Ticket

	mu         sync.Mutex
	operations map[string]*running
	work       sync.WaitGroup
}

// running is an active operation.
type running struct{ cancel context.CancelFunc }

func (s *socket) serve() {
	defer s.work.Wait()
	defer s.stop()
	if s.Subprotocol() != subprotocol {
		s.Socket.Close(badSubprotocol)
		return
	}
	s.credit = access.TicketOf(s.reading)
	initTimer := time.AfterFunc(s.opts.Timing.Init, func() { s.Socket.Close(initTimeout) })
	defer initTimer.Stop()
	away := context.AfterFunc(s.closing, func() { s.Socket.Close(goingAway) })
	defer away()
	for {
		text, data, err := s.Read(s.reading)
		if err != nil {
			return // closed by either side, or broken
		}
		m, ok := parse(data)
		if !ok || !text {
			s.Socket.Close(badMessage)
			return
		}
		if m.Type == "connection_init" && initTimer.Stop() && !s.initialised {
			if f := s.init(&m); f != nil {
				s.Socket.Close(*f)
				return
			}
			continue
		}
		if f := s.handle(&m); f != nil {
			s.Socket.Close(*f)
			return
		}
	}
}

// init handles connection_init.
func (s *socket) init(m *inbound) *live.Reason {
	if secret := secretOf(m.Payload); secret != "" && secret != s.secret {
		s.secret = secret
		ticket, f := s.admit()
		if f != nil {
			return f
		}
		if ticket != nil {
			leave, ok := s.clients.Own(ticket.Owner)
			if !ok {
				return &tooMany
			}
			context.AfterFunc(s.working, leave)
		}
		s.credit = ticket
	}
	s.initialised = true
	secret := s.secret
	s.work.Go(func() { s.keepAlive(secret) })
	if s.write(outbound("connection_ack", "", nil)) != nil {
		return &done
	}
	return nil
}

// handle handles any other message. A close reason ends the connection.
func (s *socket) handle(m *inbound) *live.Reason {
	switch m.Type {
	case "connection_init":
		return &initAgain
	case "ping":
		if s.write(outbound("pong", "", nil)) != nil {
			return &done
		}
	case "subscribe":
		return s.subscribe(m)
	case "complete":
		s.finish(m.ID, nil)
	}
	return nil
}

// subscribe starts an operation.
func (s *socket) subscribe(m *inbound) *live.Reason {
	if !s.initialised {
		return &unauthorized
	}
	p, documentID, ok := m.params()
	if !ok {
		return &badMessage
	}
	p.Headers = s.header
	ctx, cancel := context.WithCancel(s.working)
	op := &running{cancel}
	s.mu.Lock()
	exists, active := s.operations[m.ID] != nil, len(s.operations)
	full := active >= s.opts.Limits.MaxSubscriptions
	if !exists && !full {
		s.operations[m.ID] = op
	}
	s.mu.Unlock()
	switch {
	case exists:
		cancel()
		f := taken(m.ID)
		return &f
	case full:
		cancel()
		s.refuse(m.ID, gqlerror.List{coded(codeTooMany, tooManyOperations)})
		return nil
	}
	ticket, f := s.enter()
	switch {
	case f == &tooMany:
		s.finish(m.ID, op)
		s.refuse(m.ID, gqlerror.List{coded(codeRateLimited, "Ratelimit exceed")})
		return nil
	case f != nil:
		s.finish(m.ID, op)
		return f
	}
	if ticket != nil {
		ctx = access.WithTicket(ctx, ticket)
	}
	id := m.ID // and not the message, which is not retained
	s.work.Go(func() { s.run(ctx, id, op, p, documentID) })
	return nil
}

// enter admits an operation. The first one uses the ticket of the connection.
func (s *socket) enter() (*access.Ticket, *live.Reason) {
	if ticket := s.credit; ticket != nil {
		s.credit = nil
		return ticket, nil
	}
	return s.admit()
}

// admit takes a token of the limiter.
func (s *socket) admit() (*access.Ticket, *live.Reason) {
	if s.opts.Limiter == nil {
		return nil, nil
	}
	var d access.Decision
	if page := access.PageOf(s.reading); page != "" && s.secret == "" {
		d = s.opts.Limiter.AdmitPage(s.reading, page, s.client)
	} else {
		d = s.opts.Limiter.Admit(s.reading, s.secret, s.client)
	}
	switch d.Outcome {
	case access.Admitted:
		return d.Ticket, nil
	case access.Unknown:
		return nil, &unknownKey
	case access.Foreign:
		return nil, &foreignKey
	case access.Limited, access.Broken:
		return nil, &tooMany
	}
	return nil, &tooMany
}

func (s *socket) run(ctx context.Context, id string, op *running, p *graphql.RawParams, documentID string) {
	defer op.cancel()
	defer func() {
		if v := recover(); v != nil {
			s.opts.Logger.ErrorContext(ctx, "graphql operation failed", "err", recovered(ctx, v))
			s.Socket.Close(internalError)
		}
	}()
	o := &operation{Handler: s.Handler, exec: s.exec, emit: s.emitter(id)}
	refused, err := o.run(graphql.StartOperationTrace(ctx), p, documentID, "")
	if errors.Is(err, handler.ErrUnsent) {
		s.Socket.Close(tooSlow)
	}
	mine := s.finish(id, op)
	switch {
	case !mine || err != nil: // the client has completed it, or the connection ends
	case len(refused) > 0:
		s.refuse(id, refused)
	default:
		_ = s.write(outbound("complete", id, nil)) // fails only when the client has disconnected
	}
}

// finish removes the operation with the id and cancels it; with op set, only when it is that operation. It reports whether
// the operation was registered.
func (s *socket) finish(id string, op *running) bool {
	s.mu.Lock()
	registered := s.operations[id]
	if registered == nil || op != nil && registered != op {
		s.mu.Unlock()
		return false
	}
	delete(s.operations, id)
	s.mu.Unlock()
	registered.cancel()
	return true
}

func (s *socket) refuse(id string, errs gqlerror.List) {
	payload, err := json.Marshal(errs)
	if err != nil {
		payload = []byte(`[{"message":"internal error"}]`)
	}
	_ = s.write(outbound("error", id, payload)) // as above
}

// emitter returns the function that sends the results of an operation.
func (s *socket) emitter(id string) func(results ...result) error {
	before, after := outboundParts("next", id)
	return func(results ...result) error {
		frames, ok := framePool.Get().(*[]byte)
		if !ok {
			frames = new([]byte)
		}
		defer returnFrames(frames)
		for i := range results {
			*frames = live.AppendFrame(*frames, before, results[i].data, after)
			if len(*frames) < live.MaxGathered && i < len(results)-1 {
				continue
			}
			if err := s.Send(*frames); err != nil {
				return err
			}
			*frames = (*frames)[:0]
		}
		return nil
	}
}

// write sends one message.
func (s *socket) write(message []byte) error { return s.Send(live.AppendFrame(nil, message)) }

// keepAlive pings the client, ends the connection of a client that does not respond, and closes it when its API key is
// revoked.
func (s *socket) keepAlive(secret string) {
	pings := time.NewTicker(s.opts.Timing.Ping)
	defer pings.Stop()
	keys := time.NewTicker(s.opts.Timing.Key)
	defer keys.Stop()
	if !s.rechecks(secret) {
		keys.Stop()
	}
	for {
		select {
		case <-s.working.Done():
			return
		case <-keys.C:
			if s.opts.Limiter.Still(s.working, secret) != access.Admitted {
				s.Socket.Close(revokedKey)
				return
			}
		case <-pings.C:
			if !s.Ping(s.working, s.opts.Timing.Ping) {
				s.stop()
				return
			}
		}
	}
}
