package graphql

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"

	"tonql/graph/exec"
	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/rest/live"
)

// Options configure the handler.
type Options struct {
	Schema    graphql.ExecutableSchema
	Limits    chain.ServiceConfig
	Logger    *slog.Logger
	RequestID func(context.Context) string // empty when the request has none
	// Prepare returns the context of one request, or of one event of a subscription, with its loaders.
	Prepare func(context.Context) context.Context
	// Await waits until the index has a masterchain block; nil: requests do not wait.
	Await func(ctx context.Context, seqno uint32) error
	// McSeqno returns the newest indexed masterchain block for extensions.mcSeqno. Nil: responses have no extensions.
	McSeqno func(context.Context) (uint32, error)

	// Limiter admits each operation of a live connection; nil: no limits.
	Limiter *access.Limiter
	Proxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
	// Origins are the origins of pages that may connect, as for CORS; "*" is all. Empty: the same origin only.
	Origins []string
	// Trusted are documents that clients can execute by id; nil: none.
	Trusted *Documents
	// OnlyTrusted refuses documents that are not in Trusted.
	OnlyTrusted bool
	// ObserveCost is called with the cost of each executed operation, and of each event of a subscription; nil: not measured.
	ObserveCost func(ctx context.Context, cost int)
	// Timing of live connections; the zero value selects the defaults.
	Timing Timing
}

// Handler serves /graphql.
type Handler struct {
	opts      Options
	server    *handler.Server
	persisted *persisted
	clients   *live.Clients
	dedup     *dedup
	retained  *retained
	resolving *live.Workers // of events

	// closing ends live connections.
	closing context.Context
	close   context.CancelFunc
	live    live.Connections
}

const (
	// maxResolving bounds the events that are resolved concurrently for all streams, maxResolvingOfClient those for one client.
	maxResolving         = 256
	maxResolvingOfClient = maxResolving / 4
)

// New returns the handler of /graphql. [Handler.Close] ends its live connections.
func New(o Options) *Handler {
	o.Timing = o.Timing.withDefaults(o.Limits)
	h := &Handler{
		opts: o, server: handler.New(o.Schema), persisted: newPersisted(o.Trusted, o.OnlyTrusted),
		clients: live.NewClients(o.Limits.MaxConnections), dedup: &dedup{active: map[string]*subscribers{}},
		retained:  &retained{documents: map[string]*retainedDocument{}},
		resolving: live.NewWorkers(maxResolving, maxResolvingOfClient),
	}
	h.closing, h.close = context.WithCancel(context.Background())
	h.server.AddTransport(describing{socketTransport{h}})
	h.server.AddTransport(describing{singleTransport{h, &reservations{by: map[string]*reservation{}}}})
	h.server.AddTransport(describing{eventTransport{h}})
	h.server.AddTransport(describing{httpTransport{h}})
	documents := newDocumentCache()
	h.server.SetQueryCache(documents)
	h.server.SetParserTokenLimit(o.Limits.MaxTokens)
	h.server.SetErrorPresenter(presenter(o.Logger, o.RequestID))
	h.server.SetRecoverFunc(recovered)
	h.use(extension.Introspection{})
	h.use(inspector{limits: o.Limits, validated: documents})
	h.use(limiter{limits: o.Limits, schema: o.Schema.Schema(), observe: o.ObserveCost})
	if o.McSeqno != nil {
		h.use(metadata{mcSeqno: o.McSeqno, maxCost: o.Limits.MaxCost})
	}
	return h
}

// use adds an extension to the server. It panics if the executor would never call it.
func (h *Handler) use(e graphql.HandlerExtension) {
	if err := exec.CheckExtension(e); err != nil {
		panic(err) //nolint:forbidigo // the extensions are fixed, so the first start of a test finds it
	}
	h.server.Use(e)
}

// ServeHTTP serves a request; with subscriptions, until they end.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.server.ServeHTTP(w, r) }

// Close ends live connections with the reason that the server shuts down, and waits until they have ended or ctx ends.
func (h *Handler) Close(ctx context.Context) error {
	h.close()
	return h.live.Wait(ctx)
}

// alive returns the context of a live connection, which ends with ctx or on Close.
func (h *Handler) alive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(h.closing, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// rechecks reports whether the API key of a live connection is checked periodically.
func (h *Handler) rechecks(secret string) bool { return h.opts.Limiter != nil && secret != "" }

func (h *Handler) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Duration(h.opts.Limits.TimeoutMs)*time.Millisecond)
}
