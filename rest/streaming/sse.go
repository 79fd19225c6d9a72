package streaming

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/rest/handler"
	"tonql/rest/live"
)

const badRequest = "invalid subscription request: "

// events serves a subscription over server-sent events until the client disconnects.
func (h *Handler) events(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		plain(w, http.StatusMethodNotAllowed, "Method Not Allowed")
		return
	}
	q, code, err := readRequest(w, r)
	if err != nil {
		refuse(w, code, nil, badRequest+err.Error())
		return
	}
	sub, err := q.subscription(newSubscription(r.Header.Get("X-Actions-Version")), eventTexts, h.opts.Service.Limits().Addresses)
	switch {
	case errors.Is(err, errNoReplay):
		handler.RecordOf(r.Context()).Err = err // what the client chose, not a fault
		refuse(w, http.StatusServiceUnavailable, q.ID, err.Error())
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, q.ID, err.Error())
		return
	}
	client := handler.Client(r, h.opts.Proxies)
	leave, ok := h.clients.Enter(client, access.OwnerOf(r.Context()))
	if !ok {
		refuse(w, http.StatusTooManyRequests, q.ID, h.tooMany())
		return
	}
	defer leave()
	h.live.Enter()
	defer h.live.Leave()
	h.serveEvents(w, r, q, sub, client)
}

// tooMany is the published error of a client with too many connections.
func (h *Handler) tooMany() string {
	return "connection limit reached: " + strconv.Itoa(h.opts.MaxConnections) + " active connections"
}

// readRequest reads the body of a subscription.
func readRequest(w http.ResponseWriter, r *http.Request) (*request, int, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasSuffix(media, "json") {
		return nil, http.StatusBadRequest, errors.New("send it as Content-Type: application/json")
	}
	text, err := io.ReadAll(handler.LimitBody(w, r, maxMessage))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, errors.New("the body is too large")
	case err != nil:
		return nil, http.StatusBadRequest, errors.New("the body could not be read")
	}
	q := &request{}
	return q, http.StatusBadRequest, parse(text, q)
}

// serveEvents sends events until the client disconnects, reads too slowly, loses its key, or the handler is closed.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request, q *request, sub *subscription, client netip.Addr) {
	ctx, end := context.WithCancel(r.Context())
	defer end()
	defer context.AfterFunc(h.closing, end)()
	out := live.NewEventStream(r.Context(), w, h.opts.Timing.Slow, end)
	s := &session{h: h, client: client, memory: h.memory.Allocation(ctx), send: func(notification []byte) error {
		return out.Write([]byte("event: event\ndata: "), notification, []byte("\n\n"))
	}}
	switch err := s.subscribe(sub); {
	case errors.Is(err, errTooLargeOfClient):
		refuse(w, http.StatusTooManyRequests, q.ID, chain.PublicMessage(err))
		return
	case err != nil:
		handler.RecordOf(r.Context()).Err = err
		refuse(w, http.StatusServiceUnavailable, q.ID, chain.PublicMessage(err))
		return
	}
	defer s.end()
	opening, opened := context.WithTimeout(ctx, deliveryTime)
	stream, err := s.start(opening, sub.minFinality < finalized)
	opened()
	if err != nil {
		handler.RecordOf(r.Context()).Err = err
		refuse(w, http.StatusServiceUnavailable, q.ID, chain.PublicMessage(err))
		return
	}
	connected := "event: connected\ndata: " + string(encoded(status{q.ID, "subscribed"})) + "\n\n"
	if out.Begin("text/event-stream", connected) != nil {
		stream.Close()
		return
	}
	var keepers sync.WaitGroup
	defer keepers.Wait()
	defer end()
	keepers.Go(func() { h.watchKey(ctx, SecretOf(r), end) })
	keepers.Go(func() { keepAlive(ctx, out, h.opts.Timing.KeepAlive) })
	h.ended(ctx, s.run(ctx, stream))
}

// ended logs why a session could not go on, if it is not the client's doing.
func (h *Handler) ended(ctx context.Context, err error) {
	if ctx.Err() == nil && err != nil {
		h.opts.Logger.WarnContext(ctx, "a live connection ended", "err", err)
	}
}

// keepAlive sends comments until ctx ends, so that neither clients nor proxies give an idle stream up.
func keepAlive(ctx context.Context, out *live.EventStream, every time.Duration) {
	beats := time.NewTicker(every)
	defer beats.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
			if out.Send(": keepalive\n\n") != nil {
				return
			}
		}
	}
}
