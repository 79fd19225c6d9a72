package streaming

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/rest/handler"
	"tonql/rest/live"
)

const (
	// maxMessage bounds a message of a client, in bytes: lists of a thousand addresses and hashes fit.
	maxMessage = 256 << 10
	// messageRate and messageBurst bound the messages and pings that are read of a connection, by second and at once; see [live.SocketOptions].
	messageRate, messageBurst = 20, 100
)

var (
	tooSlow    = live.Reason{Code: websocket.StatusTryAgainLater, Text: "slow consumer"}
	goingAway  = live.Reason{Code: websocket.StatusGoingAway, Text: "server shuts down"}
	revokedKey = live.Reason{Code: websocket.StatusPolicyViolation, Text: "API key was revoked"}
	broken     = live.Reason{Code: websocket.StatusInternalError, Text: "events cannot be read; connect again"}
)

// socket serves a WebSocket connection until it ends.
func (h *Handler) socket(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		w.Header().Set("Upgrade", "websocket")
		plain(w, http.StatusUpgradeRequired, "Upgrade Required")
		return
	}
	client := handler.Client(r, h.opts.Proxies)
	leave, admitted := h.clients.Enter(client, access.OwnerOf(r.Context()))
	if admitted {
		defer leave()
	}
	h.live.Enter()
	defer h.live.Leave()
	// Reading continues during the closing handshake, so the end of the request ends the work only.
	reading := context.WithoutCancel(r.Context())
	working, end := context.WithCancel(reading)
	defer end()
	t := h.opts.Timing
	ws, err := live.Accept(w, r, live.SocketOptions{
		Origins: h.opts.Origins, MaxMessage: maxMessage, Rate: messageRate, Burst: messageBurst, Slow: t.Slow, Grace: t.Grace, TooSlow: tooSlow,
	}, end)
	if err != nil {
		return
	}
	defer ws.CloseNow()
	c := &connection{
		h: h, ws: ws, working: working, client: client, secret: SecretOf(r), credit: access.TicketOf(reading),
		session: session{h: h, client: client, memory: h.memory.Allocation(reading)},
	}
	if !admitted { // as published, a connection that is one too many gets the error after it was accepted
		c.reply(encoded(failure{nil, h.tooMany()}))
		return
	}
	c.session.send = func(notification []byte) error { return ws.Send(live.AppendFrame(nil, notification)) }
	if err := c.session.subscribe(newSubscription(r.Header.Get("X-Actions-Version"))); err != nil {
		c.reply(encoded(failure{nil, chain.PublicMessage(err)}))
		return
	}
	defer c.session.end()
	c.serve(reading, end)
}

// connection is one WebSocket connection.
type connection struct {
	h       *Handler
	ws      *live.Socket
	session session
	working context.Context // ends with the connection
	client  netip.Addr
	secret  string
	credit  *access.Ticket // of the handshake, which the first subscription uses; nil afterwards
	started bool           // the session runs
	work    sync.WaitGroup
}

// serve handles messages in their order until the connection ends.
func (c *connection) serve(reading context.Context, end context.CancelFunc) {
	defer c.work.Wait()
	defer end()
	defer context.AfterFunc(c.h.closing, func() { c.ws.Close(goingAway) })()
	c.work.Go(func() { c.h.watchKey(c.working, c.secret, func() { c.ws.Close(revokedKey) }) })
	c.work.Go(c.ping)
	for {
		_, message, err := c.ws.Read(reading)
		if err != nil {
			return // closed by either side, or broken
		}
		c.reply(c.handle(message))
	}
}

// ping ends the connection of a client that does not respond.
func (c *connection) ping() {
	pings := time.NewTicker(c.h.opts.Timing.Ping)
	defer pings.Stop()
	for {
		select {
		case <-c.working.Done():
			return
		case <-pings.C:
			if !c.ws.Ping(c.working, c.h.opts.Timing.Ping) {
				c.ws.CloseNow()
				return
			}
		}
	}
}

// reply sends a control message; nil is none. It fails only when the client has disconnected.
func (c *connection) reply(message []byte) {
	if message != nil {
		_ = c.ws.Send(live.AppendFrame(nil, message))
	}
}

// handle executes a message and returns the reply.
func (c *connection) handle(message []byte) []byte {
	var e envelope
	if err := parse(message, &e); err != nil {
		return encoded(failure{nil, "invalid request envelope: " + err.Error()})
	}
	switch e.Operation {
	case "ping":
		return encoded(status{e.ID, "pong"})
	case "subscribe":
		return execute(c, &e, message, c.subscribe)
	case "unsubscribe":
		return execute(c, &e, message, c.unsubscribe)
	default:
		return encoded(failure{e.ID, "unknown operation: " + e.Operation})
	}
}

// execute reads the members of an operation, and executes it if the client's limit admits it.
func execute[Q any](c *connection, e *envelope, message []byte, operation func(q *Q) []byte) []byte {
	q := new(Q)
	if err := parse(message, q); err != nil {
		return encoded(failure{e.ID, "invalid " + e.Operation + " request: " + err.Error()})
	}
	if refusal := c.admit(); refusal != "" {
		return encoded(failure{e.ID, refusal})
	}
	return operation(q)
}

// subscribe replaces the subscription. The first one opens the stream, so that events after the reply are part of it.
func (c *connection) subscribe(q *request) []byte {
	sub, err := q.subscription(c.session.sub.Load(), socketTexts, c.h.opts.Service.Limits().Addresses)
	if err != nil {
		return encoded(failure{q.ID, err.Error()})
	}
	if err := c.session.subscribe(sub); err != nil {
		return encoded(failure{q.ID, chain.PublicMessage(err)})
	}
	if c.started {
		c.session.settle(c.working)
		return encoded(status{q.ID, "subscribed"})
	}
	opening, opened := context.WithTimeout(c.working, deliveryTime)
	stream, err := c.session.start(opening, true)
	opened()
	if err != nil {
		return encoded(failure{q.ID, chain.PublicMessage(err)})
	}
	c.started = true
	c.reply(encoded(status{q.ID, "subscribed"})) // before the first notification
	c.work.Go(func() {
		err := c.session.run(c.working, stream)
		if errors.Is(err, handler.ErrUnsent) {
			c.ws.Close(tooSlow)
		}
		if c.h.ended(c.working, err); c.working.Err() == nil {
			c.ws.Close(broken)
		}
	})
	return nil
}

// unsubscribe removes addresses and traces of the subscription. No notification of these follows the reply.
func (c *connection) unsubscribe(q *removal) []byte {
	if len(q.Addresses)+len(q.Traces) == 0 {
		return encoded(failure{q.ID, "addresses or trace_external_hash_norms are required"})
	}
	addresses, err := addressSet(q.Addresses)
	if err != nil {
		return encoded(failure{q.ID, err.Error()})
	}
	traces, err := hashSet(q.Traces)
	if err != nil {
		return encoded(failure{q.ID, err.Error()})
	}
	if err := c.session.subscribe(c.session.sub.Load().without(addresses, traces)); err != nil {
		return encoded(failure{q.ID, chain.PublicMessage(err)})
	}
	c.session.settle(c.working)
	return encoded(status{q.ID, "unsubscribed"})
}

// admit takes a token of the limiter for a message. It returns the reason of a refusal, "" for none.
func (c *connection) admit() string {
	if c.h.opts.Limiter == nil {
		return ""
	}
	if c.credit != nil {
		c.credit = nil
		return ""
	}
	switch c.h.opts.Limiter.Admit(c.working, c.secret, c.client).Outcome {
	case access.Admitted:
		return ""
	case access.Unknown:
		return "API key does not exist"
	case access.Foreign:
		return "Network not allowed"
	case access.Broken:
		return "API keys cannot be checked now; try again later"
	case access.Limited:
		return "Ratelimit exceed"
	}
	return "Ratelimit exceed"
}
