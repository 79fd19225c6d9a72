package streaming

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/access"
	"tonql/internal/feed"
	"tonql/resolvers"
	"tonql/rest/handler"
	"tonql/rest/live"
)

// Prefix is the path of the API. ShortPrefix is the same without /api, which some clients use.
const (
	Prefix      = "/api/streaming"
	ShortPrefix = "/streaming"
)

// Options configure the API.
type Options struct {
	Service *resolvers.Service
	Feed    *feed.Feed // nil: subscriptions are refused with 503
	Logger  *slog.Logger
	Metrics prometheus.Registerer // nil: none

	MaxConnections int             // of one client address; 0: as many as it likes
	Limiter        *access.Limiter // admits messages of a connection; nil: no limits
	Proxies        []netip.Prefix  // proxies whose X-Forwarded-For is trusted
	Origins        []string        // of pages that may connect, as for CORS; "*" is all
	Timing         Timing
}

// Timing has the timeouts and intervals of connections; the zero value of a field selects its default.
type Timing struct {
	KeepAlive time.Duration // interval of comments in event streams, default 10 s: clients give up after 20
	Ping      time.Duration // interval of pings over WebSocket and timeout of each, default 20 s
	Slow      time.Duration // timeout of a write, default 10 s
	Grace     time.Duration // time in which a slow client can read why it was disconnected, default 100 ms
	Key       time.Duration // interval in which the API key of a connection is checked, default 2 s
}

func (t Timing) withDefaults() Timing {
	return Timing{
		KeepAlive: cmp.Or(t.KeepAlive, 10*time.Second),
		Ping:      cmp.Or(t.Ping, 20*time.Second),
		Slow:      cmp.Or(t.Slow, 10*time.Second),
		Grace:     cmp.Or(t.Grace, 100*time.Millisecond),
		Key:       cmp.Or(t.Key, 2*time.Second),
	}
}

// Handler serves the API.
type Handler struct {
	opts    Options
	clients *live.Clients
	reads   *live.Workers
	memory  *handler.ClientMemory // of subscriptions
	skipped prometheus.Counter

	// closing ends connections.
	closing context.Context
	close   context.CancelFunc
	live    live.Connections
}

// New returns the handler of all paths below [Prefix] and [ShortPrefix]. [Handler.Close] ends its connections.
func New(o Options) *Handler {
	o.Timing = o.Timing.withDefaults()
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	h := &Handler{
		opts: o, clients: live.NewClients(o.MaxConnections), reads: newReads(), memory: handler.NewClientMemory(errTooLarge, errTooLargeOfClient),
		skipped: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "tonql_streaming_skipped_total", Help: "Number of notifications that were not sent because they are longer than 16 MiB.",
		}),
	}
	if o.Metrics != nil {
		o.Metrics.MustRegister(h.skipped)
	}
	h.closing, h.close = context.WithCancel(context.Background())
	return h
}

// Close ends connections and waits until they have ended or ctx ends.
func (h *Handler) Close(ctx context.Context) error {
	h.close()
	return h.live.Wait(ctx) //nolint:wrapcheck // the caller's own
}

// ServeHTTP serves a request; a stream until it ends. Paths match without regard to case, and may end with a slash.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(strings.ToLower(r.URL.Path), "/")
	rec := handler.RecordOf(r.Context())
	switch strings.TrimPrefix(strings.TrimPrefix(path, "/api"), ShortPrefix) {
	case "/v2/sse":
		rec.Route = Prefix + "/v2/sse"
		h.events(w, r)
	case "/v2/ws":
		rec.Route = Prefix + "/v2/ws"
		h.socket(w, r)
	case "/healthz":
		rec.Route = Prefix + "/healthz"
		h.health(w, r)
	default:
		rec.Route = Prefix + "/*"
		plain(w, http.StatusNotFound, "Not Found: the API has /v2/sse, /v2/ws and /healthz below "+Prefix)
	}
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // a client that has disconnected needs no response
}

// status is a control message, failure an error. The id comes first.
type (
	status struct {
		ID     *string `json:"id,omitempty"`
		Status string  `json:"status"`
	}
	failure struct {
		ID    *string `json:"id,omitempty"`
		Error string  `json:"error"`
	}
)

// encoded returns a control message as JSON.
func encoded[T status | failure](v T) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"error":"internal error"}`) // texts always have a form in JSON
	}
	return text
}

// refuse responds with an error.
func refuse(w http.ResponseWriter, code int, id *string, text string) {
	w.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(code)
	_, _ = w.Write(encoded(failure{id, text})) // a client that has disconnected needs no response
}

// SecretOf returns the API key of a request, "" for none. Clients of the other service with this protocol, whose paths are those of [ShortPrefix],
// send it in the parameter token or as a bearer token; there, text of another form is a key of that service, or belongs to a proxy, and is none.
func SecretOf(r *http.Request) string {
	if secret := strings.TrimSpace(r.Header.Get("X-API-Key")); secret != "" {
		return secret
	}
	params := r.URL.Query()
	if secret := params.Get("api_key"); secret != "" {
		return secret
	}
	if secret := params.Get("token"); access.IsSecret(secret) {
		return secret
	}
	scheme, bearer, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if bearer = strings.TrimSpace(bearer); strings.EqualFold(scheme, "Bearer") && access.IsSecret(bearer) {
		return bearer
	}
	return ""
}

// watchKey calls end when the API key of a connection is revoked, until ctx ends.
func (h *Handler) watchKey(ctx context.Context, secret string, end func()) {
	if h.opts.Limiter == nil || secret == "" {
		return
	}
	keys := time.NewTicker(h.opts.Timing.Key)
	defer keys.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-keys.C:
			if h.opts.Limiter.Still(ctx, secret) != access.Admitted && ctx.Err() == nil {
				end()
				return
			}
		}
	}
}
