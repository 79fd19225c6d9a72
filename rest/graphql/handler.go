package graphql

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"

	"tonql/internal/access"
	"tonql/internal/chain"
)

// Options configure the door.
type Options struct {
	Schema    graphql.ExecutableSchema
	Limits    chain.ServiceConfig
	Logger    *slog.Logger
	RequestID func(context.Context) string // empty when the request has none
	// Prepare adds what resolvers need to the context of one request: its loaders.
	Prepare func(context.Context) context.Context
	// McSeqno is the newest indexed masterchain block, told with each answer and its cost; nil tells neither.
	McSeqno func(context.Context) (uint32, error)

	// Limiter admits each operation of a connection that stays open; nil: every one.
	Limiter *access.Limiter
	Proxies []netip.Prefix // whose X-Forwarded-For is believed
	// Origins are those that pages may connect from, as for CORS; "*" is all. Empty: only this server's own.
	Origins []string
	// Trusted are the documents that may be asked for by their id; nil: none.
	Trusted *Documents
	// OnlyTrusted refuses every document that is not among them.
	OnlyTrusted bool
	// Timing of live connections; the zero value is for the internet.
	Timing Timing
}

// Handler is /graphql.
type Handler struct {
	opts      Options
	server    *handler.Server
	persisted *persisted
	clients   *clients
	words     *words
	resolving chan struct{} // events that are resolved at this moment

	// closing ends what is live.
	closing context.Context
	close   context.CancelFunc
	live    sync.WaitGroup
}

// maxResolving bounds the events that are resolved at once, however many streams there are.
const maxResolving = 256

// New makes the handler of /graphql. Close ends its live connections.
func New(o Options) *Handler {
	o.Timing = o.Timing.withDefaults(o.Limits)
	h := &Handler{
		opts: o, server: handler.New(o.Schema), persisted: newPersisted(o.Trusted, o.OnlyTrusted),
		clients: newClients(o.Limits.MaxConnections), words: &words{spoken: map[string]*speakers{}},
		resolving: make(chan struct{}, maxResolving),
	}
	h.closing, h.close = context.WithCancel(context.Background())
	h.server.AddTransport(socketTransport{h})
	h.server.AddTransport(singleTransport{h, &reservations{by: map[string]*reservation{}}})
	h.server.AddTransport(eventTransport{h})
	h.server.AddTransport(httpTransport{h})
	documents := newDocumentCache()
	h.server.SetQueryCache(documents)
	h.server.SetParserTokenLimit(o.Limits.MaxTokens)
	h.server.SetErrorPresenter(presenter(o.Logger, o.RequestID))
	h.server.SetRecoverFunc(recovered)
	h.server.Use(extension.Introspection{})
	h.server.Use(inspector{limits: o.Limits, known: documents})
	h.server.Use(limiter{limits: o.Limits, schema: o.Schema.Schema()})
	if o.McSeqno != nil {
		h.server.Use(teller{mcSeqno: o.McSeqno, maxCost: o.Limits.MaxCost})
	}
	return h
}

// ServeHTTP answers a request, or keeps it until its subscriptions end.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.server.ServeHTTP(w, r) }

// Close tells live connections that this server goes away, and waits until they have ended or ctx does.
func (h *Handler) Close(ctx context.Context) error {
	h.close()
	done := make(chan struct{})
	go func() {
		h.live.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// alive is the context of a connection that stays open: it ends with the connection's, or when the server goes away.
func (h *Handler) alive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(h.closing, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// watches says whether the key of a connection is looked at again and again.
func (h *Handler) watches(secret string) bool { return h.opts.Limiter != nil && secret != "" }

// single is the context of an operation that has one answer.
func (h *Handler) single(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := h.timed(ctx)
	return h.opts.Prepare(ctx), cancel
}

func (h *Handler) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Duration(h.opts.Limits.TimeoutMs)*time.Millisecond)
}
