package graphql

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/access"
)

const (
	subprotocol = "graphql-transport-ws"

	tooManyConnections = "too many live connections of this address or key"
)

// socketTransport serves GraphQL over WebSocket as the protocol graphql-transport-ws says.
type socketTransport struct{ *Handler }

var _ graphql.Transport = socketTransport{}

// Supports takes requests to switch to WebSocket.
func (socketTransport) Supports(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// Do speaks with a client until the connection ends.
func (t socketTransport) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	client := t.clientOf(r)
	leave, ok := t.clients.enter(client, access.OwnerOf(r.Context()))
	if !ok {
		w.Header().Set("Retry-After", "10")
		reply(w, mediaJSON, http.StatusTooManyRequests, failure(tooManyConnections))
		return
	}
	defer leave()
	t.live.Add(1)
	defer t.live.Done()
	// Accept answers by itself what is no handshake, or comes from a page of another site.
	var conn net.Conn
	ws, err := websocket.Accept(lineWriter{w, &conn}, r, &websocket.AcceptOptions{
		Subprotocols: []string{subprotocol}, OriginPatterns: t.opts.Origins, InsecureSkipVerify: anyOrigin(t.opts.Origins),
	})
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }() // usually it is closed already
	ws.SetReadLimit(int64(t.opts.Limits.MaxBodyBytes))
	s := &socket{
		Handler: t.Handler, ws: ws, conn: conn, exec: exec, header: r.Header, client: client, secret: secretOfRequest(r),
		operations: map[string]*running{},
	}
	// Reading must go on while the connection is closed in an orderly way, so only operations end with the server.
	s.reading = context.WithoutCancel(r.Context())
	var end context.CancelFunc
	s.working, end = context.WithCancel(s.reading)
	s.stop = end
	s.serve()
}

func anyOrigin(origins []string) bool {
	// The only credential that comes along by itself is the token of our own pages, which pages of other sites cannot send
	// and package rest refuses from them. So there is nothing to forge.
	return slices.Contains(origins, "*")
}

// secretOfRequest finds the API key that came with the handshake.
func secretOfRequest(r *http.Request) string {
	if secret := strings.TrimSpace(r.Header.Get("X-API-Key")); secret != "" {
		return secret
	}
	return r.URL.Query().Get("api_key")
}

// socket is one connection.
type socket struct {
	*Handler

	ws      *websocket.Conn
	conn    net.Conn // below ws
	exec    graphql.GraphExecutor
	header  http.Header
	client  netip.Addr
	reading context.Context // of the connection
	working context.Context // of its operations; ends first
	stop    context.CancelFunc

	// of the goroutine that reads
	greeted bool
	secret  string
	// credit is the ticket of the handshake or the greeting, which pays for the first operation, too; nil when it is used.
	credit *access.Ticket

	writing sync.Mutex
	closing atomic.Pointer[farewell] // the first reason counts

	mu         sync.Mutex
	operations map[string]*running
	work       sync.WaitGroup
}

// running is an operation at work.
type running struct{ cancel context.CancelFunc }

func (s *socket) serve() {
	defer s.work.Wait()
	defer s.stop()
	if s.ws.Subprotocol() != subprotocol {
		s.part(badSubprotocol)
		return
	}
	s.credit = access.TicketOf(s.reading)
	greeting := time.AfterFunc(s.opts.Timing.Init, func() { s.part(initTimeout) })
	defer greeting.Stop()
	away := context.AfterFunc(s.Handler.closing, func() { s.part(goingAway) })
	defer away()
	for {
		kind, data, err := s.ws.Read(s.reading)
		if err != nil {
			return // closed by either side, or broken
		}
		m, ok := parse(data)
		if !ok || kind != websocket.MessageText {
			s.part(badMessage)
			return
		}
		if m.Type == "connection_init" && greeting.Stop() && !s.greeted {
			if f := s.greet(&m); f != nil {
				s.part(*f)
				return
			}
			continue
		}
		if f := s.hear(&m); f != nil {
			s.part(*f)
			return
		}
	}
}

// greet answers connection_init.
func (s *socket) greet(m *inbound) *farewell {
	if secret := secretOf(m.Payload); secret != "" && secret != s.secret {
		s.secret = secret
		ticket, f := s.admit()
		if f != nil {
			return f
		}
		if ticket != nil {
			leave, ok := s.clients.own(ticket.Owner)
			if !ok {
				return &tooMany
			}
			context.AfterFunc(s.working, leave)
		}
		s.credit = ticket
	}
	s.greeted = true
	secret := s.secret
	s.work.Go(func() { s.tend(secret) })
	if s.write(outbound("connection_ack", "", nil)) != nil {
		return &done
	}
	return nil
}

// hear answers any other message; a farewell ends the connection.
func (s *socket) hear(m *inbound) *farewell {
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

// subscribe begins an operation.
func (s *socket) subscribe(m *inbound) *farewell {
	if !s.greeted {
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
	s.work.Go(func() { s.run(ctx, m.ID, op, p, documentID) })
	return nil
}

// enter admits an operation; the one that comes with the connection is paid for.
func (s *socket) enter() (*access.Ticket, *farewell) {
	if ticket := s.credit; ticket != nil {
		s.credit = nil
		return ticket, nil
	}
	return s.admit()
}

// admit asks the gate.
func (s *socket) admit() (*access.Ticket, *farewell) {
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
			s.opts.Logger.ErrorContext(ctx, "graphql operation", "err", recovered(ctx, v))
			s.part(ranInto)
		}
	}()
	o := &operation{Handler: s.Handler, exec: s.exec, emit: s.teller(id)}
	refused, err := o.run(graphql.StartOperationTrace(ctx), p, documentID, "")
	mine := s.finish(id, op)
	switch {
	case !mine || err != nil: // the client has ended it, or the connection ends
	case len(refused) > 0:
		s.refuse(id, refused)
	default:
		_ = s.write(outbound("complete", id, nil)) // who does not hear it has gone
	}
}

// finish forgets an operation; op nil is whichever has the id. It says whether there was one.
func (s *socket) finish(id string, op *running) bool {
	s.mu.Lock()
	known := s.operations[id]
	if known == nil || op != nil && known != op {
		s.mu.Unlock()
		return false
	}
	delete(s.operations, id)
	s.mu.Unlock()
	known.cancel()
	return true
}

func (s *socket) refuse(id string, errs gqlerror.List) {
	payload, err := json.Marshal(errs)
	if err != nil {
		payload = []byte(`[{"message":"internal error"}]`)
	}
	_ = s.write(outbound("error", id, payload)) // as above
}

// teller sends the answers of an operation.
func (s *socket) teller(id string) func(answers ...told) error {
	before, after := outboundParts("next", id)
	return func(answers ...told) error {
		frames, ok := frameMemory.Get().(*[]byte)
		if !ok {
			frames = new([]byte)
		}
		defer returnFrames(frames)
		for i := range answers {
			*frames = appendFrame(*frames, before, answers[i].data, after)
			if len(*frames) < fullFrames && i < len(answers)-1 {
				continue
			}
			if err := s.send(*frames); err != nil {
				return err
			}
			*frames = (*frames)[:0]
		}
		return nil
	}
}

var errSlow = errors.New("the client does not read")

// write sends one message.
func (s *socket) write(message []byte) error { return s.send(appendFrame(nil, message)) }

// send sends frames. A client that lets them wait for too long is closed out: its operations end at once, and it is told
// why if it reads again soon.
func (s *socket) send(frames []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closing.Load() != nil {
		return errSlow
	}
	t := s.opts.Timing
	slow := time.AfterFunc(t.Slow, func() {
		if s.closing.CompareAndSwap(nil, &tooSlow) {
			s.stop()
			time.AfterFunc(t.Grace, func() { _ = s.conn.Close() }) // which ends the writing, too
		}
	})
	_, err := s.conn.Write(frames)
	switch {
	case slow.Stop():
	case err == nil:
		_ = s.ws.Close(tooSlow.code, tooSlow.reason) // the other side may be gone
		err = errSlow
	}
	if err != nil {
		s.stop()
		_ = s.conn.Close() // reading ends, too
	}
	return err //nolint:wrapcheck // nobody looks into it
}

// part ends the connection with a reason. Operations end first.
func (s *socket) part(f farewell) {
	s.closing.CompareAndSwap(nil, &f)
	s.stop()
	if why := s.closing.Load(); why.code == f.code {
		_ = s.ws.Close(f.code, f.reason) // the other side may be gone
	}
}

// tend keeps the way through proxies open, notices clients that have vanished, and ends the connection when its key is
// revoked.
func (s *socket) tend(secret string) {
	pings := time.NewTicker(s.opts.Timing.Ping)
	defer pings.Stop()
	keys := time.NewTicker(s.opts.Timing.Key)
	defer keys.Stop()
	if !s.watches(secret) {
		keys.Stop()
	}
	for {
		select {
		case <-s.working.Done():
			return
		case <-keys.C:
			if s.opts.Limiter.Still(s.working, secret) != access.Admitted {
				s.part(revokedKey)
				return
			}
		case <-pings.C:
			if !s.ping() {
				s.stop()
				return
			}
		}
	}
}

// ping says whether the client is there.
func (s *socket) ping() bool {
	if !s.writing.TryLock() {
		return true // a message is on its way, and will tell
	}
	s.writing.Unlock()
	ctx, cancel := context.WithTimeout(s.working, s.opts.Timing.Ping)
	defer cancel()
	return s.ws.Ping(ctx) == nil
}
