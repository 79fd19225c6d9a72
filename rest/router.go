package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/cors"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/tracing"
	"tonql/resolvers"
	"tonql/rest/handler"
	"tonql/rest/manual"
	"tonql/rest/streaming"
	v2 "tonql/rest/v2"
	v3 "tonql/rest/v3"
)

// Options configure the router; the zero value of each optional field selects its default.
type Options struct {
	Service    *resolvers.Service
	Network    string       // name of the network, where there is no Service
	GraphQL    http.Handler // /graphql; nil: not mounted
	Streaming  http.Handler // /api/streaming and /streaming; nil: not mounted
	Playground http.Handler // /playground; nil: not mounted
	Explorer   http.Handler // /explorer; nil: not mounted
	// Images returns the handler of /api/images; limit wraps the requests that are admitted like those to the APIs. Nil: not
	// mounted.
	Images func(limit func(http.Handler) http.Handler) http.Handler

	Origins []string             // origins that browsers may call the API from, default all
	Metrics *prometheus.Registry // serves /metrics and receives the metrics of requests; default a new one
	NoAdmin bool                 // do not serve /metrics, /healthz and /readyz: [Admin] does, on another address
	Logger  *slog.Logger
	V2      v2.Options
	V3      v3.Options
	Version string // of this binary, for the landing page

	// Merchant returns the handler of /api/merchant/v1; limit wraps handlers of requests without a merchant's key. Nil: not
	// mounted.
	Merchant func(limit func(http.Handler) http.Handler) http.Handler
	// Dashboard serves /dashboard, the pages of merchants, and /pay, those of buyers; nil: not mounted.
	Dashboard http.Handler

	// Admission
	Limiter *access.Limiter // admits requests to the APIs; nil: no limits
	Proxies []netip.Prefix  // proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted
	Public  string          // public URL of the service, such as https://ton.example; "": unknown

	// Traces
	Tracer      *tracing.Tracer // traces requests; nil: none is traced
	TraceParent bool            // continue the traces that requests of Proxies name

	// Readiness
	MaxLag    time.Duration                  // oldest head that still counts as ready, default 1 minute
	Servers   func() []chain.ServerState     // states of the liteservers; nil: the process uses none
	Readiness func(context.Context) []string // returns further reasons for not being ready, as sentences; nil: none
}

const (
	defaultMaxLag = time.Minute
	// maxBody bounds request bodies of all APIs, which have lower limits themselves, in bytes.
	maxBody = 4 << 20
	// MaxQuery bounds the query string in bytes; 1024 addresses fit.
	MaxQuery = 256 << 10
	// MaxHeaders bounds the names and values of the headers of a request together, in bytes.
	MaxHeaders = 64 << 10
)

// New returns the handler of the complete service.
func New(opts Options) http.Handler {
	if opts.MaxLag <= 0 {
		opts.MaxLag = defaultMaxLag
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if opts.Metrics == nil {
		opts.Metrics = prometheus.NewRegistry()
	}
	if len(opts.Origins) == 0 {
		opts.Origins = []string{"*"}
	}
	if opts.V3.Charge == nil {
		opts.V3.Charge = access.Charge
	}
	if opts.V2.Take == nil {
		opts.V2.Take = access.Take
	}
	wrap := apiWrapper(opts.Origins)
	api := func(next http.Handler) http.Handler { return wrap(admission(opts.Limiter, opts.Proxies, next)) }
	mux := http.NewServeMux()
	mux.Handle(v3.Prefix+"/", api(v3.New(opts.Service, opts.V3)))
	mux.Handle(v3.EmulationPrefix+"/", api(v3.NewEmulation(opts.Service, opts.V3)))
	mux.Handle(v2.Prefix+"/", api(v2.New(opts.Service, opts.V2)))
	if opts.Merchant != nil {
		mux.Handle(merchantPrefix+"/", wrap(opts.Merchant(func(next http.Handler) http.Handler {
			return admission(opts.Limiter, opts.Proxies, next)
		})))
	}
	if opts.Dashboard != nil {
		mux.Handle("/dashboard", opts.Dashboard)
		mux.Handle("/dashboard/", opts.Dashboard)
		mux.Handle("/pay/", opts.Dashboard)
		mux.Handle("GET /tonconnect-manifest.json", opts.Dashboard)
	}
	if opts.GraphQL != nil {
		mux.Handle("/graphql", api(named("/graphql", opts.GraphQL)))
	}
	if opts.Streaming != nil {
		mux.Handle(streaming.Prefix+"/", api(opts.Streaming))
		mux.Handle(streaming.ShortPrefix+"/", api(opts.Streaming))
	}
	if opts.Explorer != nil {
		page := named("/explorer", pageSession(opts.Limiter, opts.Proxies, opts.Public, opts.Explorer))
		mux.Handle("/explorer", page)
		mux.Handle("/explorer/", page)
	}
	if opts.Images != nil {
		mux.Handle(imagesPrefix+"/", opts.Images(func(next http.Handler) http.Handler {
			return admission(opts.Limiter, opts.Proxies, next)
		}))
	}
	if opts.Playground != nil {
		page := named("/playground", pageSession(opts.Limiter, opts.Proxies, opts.Public, compressed(opts.Playground)))
		mux.Handle("/playground", page)
		mux.Handle("/playground/", page)
	}
	documentation := named(manual.Prefix, compressed(manual.Handler(networkTitle(opts), http.HandlerFunc(notFound))))
	mux.Handle("GET "+manual.Prefix, documentation)
	mux.Handle("GET "+manual.Prefix+"/", documentation)
	mux.Handle("GET /healthcheck", named("/healthcheck", http.HandlerFunc(healthz)))
	mux.Handle("GET "+v2.Prefix+"/healthcheck", named(v2.Prefix+"/healthcheck", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	if !opts.NoAdmin {
		handleAdmin(mux, opts)
	}
	mux.Handle("GET /{$}", named("/", landing(opts)))
	mux.Handle("/", named("/*", http.HandlerFunc(notFound)))
	observed := handler.Observe(identified(opts.Proxies, guard(caseless(mux))), opts.Logger, newMetrics(opts.Metrics, opts.Service).observe)
	return drained(opts.Tracer.Handler(observed, func(r *http.Request) bool { return opts.TraceParent && handler.FromProxy(r, opts.Proxies) }))
}

// Admin returns the handler of a second server, for metrics and health only. It uses Metrics, Servers, Readiness, MaxLag and
// Service, which may be nil in a process without APIs.
func Admin(opts Options) http.Handler {
	if opts.MaxLag <= 0 {
		opts.MaxLag = defaultMaxLag
	}
	mux := http.NewServeMux()
	handleAdmin(mux, opts)
	return mux
}

func handleAdmin(mux *http.ServeMux, opts Options) {
	mux.Handle("GET /healthz", named("/healthz", http.HandlerFunc(healthz)))
	mux.Handle("GET /readyz", named("/readyz", readyz(opts)))
	mux.Handle("GET /metrics", named("/metrics", scrapes(opts.Metrics)))
}

// apiWrapper returns middleware that adds CORS and compression. Only APIs use it: pages of other origins must not read
// metrics or readiness.
func apiWrapper(origins []string) func(http.Handler) http.Handler {
	crossOrigin := cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete},
		// Pages of other origins have no credentials but keys that they send themselves. A list of headers would protect nothing,
		// and pages whose libraries add others, to measure errors for example, could send no request at all.
		AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{
			"Link", "RateLimit", "RateLimit-Policy", "Retry-After", hintHeader, "Server-Timing", "X-API-Version", "X-Mc-Seqno", "X-Next-Cursor", "X-Request-Id", "X-Unknown-Parameters",
		},
		MaxAge: 600, // seconds a browser remembers the preflight
	})
	return func(next http.Handler) http.Handler { return crossOrigin.Handler(compressed(next)) }
}

// compressed compresses responses for clients that accept it.
func compressed(next http.Handler) http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.MinSize(minCompressed))
	if err != nil {
		panic(err) //nolint:forbidigo // the options above are constants
	}
	return compress(next)
}

// minCompressed is the size in bytes from which responses are compressed.
const minCompressed = 2048

// identified records the client of each request, to which limits of memory apply.
func identified(proxies []netip.Prefix, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Client = handler.Client(r, proxies)
		next.ServeHTTP(w, r)
	})
}

// headerSize returns the bytes of names and values.
func headerSize(h http.Header) int {
	n := 0
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	return n
}

// guard bounds the size of requests and sets the headers of every response.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if len(r.URL.RawQuery) > MaxQuery {
			handler.RecordOf(r.Context()).Route = "/*"
			writeError(w, http.StatusRequestURITooLong, "the query string is longer than 256 kB; send fewer values per request")
			return
		}
		if headerSize(r.Header) > MaxHeaders {
			handler.RecordOf(r.Context()).Route = "/*"
			writeError(w, http.StatusRequestHeaderFieldsTooLarge, "the headers are longer than 64 kB")
			return
		}
		// A response to several ranges has a header for each of them, which may be a byte.
		if ranges := r.Header["Range"]; len(ranges) > 0 && strings.Contains(ranges[0], ",") {
			r.Header.Del("Range")
		}
		r.Body = handler.LimitBody(w, r, maxBody)
		next.ServeHTTP(w, r)
	})
}

// caseless converts the prefix of /api/v3 to lower case for the mux; the API matches the rest of the path itself.
func caseless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const prefix = "/api/v3"
		if p := r.URL.Path; len(p) >= len(prefix) && p[:len(prefix)] != prefix && strings.EqualFold(p[:len(prefix)], prefix) {
			u := *r.URL
			u.Path, u.RawPath = prefix+p[len(prefix):], ""
			r2 := *r
			r2.URL = &u
			r = &r2
		}
		next.ServeHTTP(w, r)
	})
}

// named sets the route of a request for logs and metrics.
func named(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Route = route
		next.ServeHTTP(w, r)
	})
}

func notFound(w http.ResponseWriter, r *http.Request) {
	if wantsPage(r) && showNotFound(w) == nil {
		return
	}
	writeError(w, http.StatusNotFound, "no route "+chain.Quote(r.URL.Path)+"; / lists the pages and APIs of this service")
}

func healthz(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("OK")) // a client that has disconnected needs no response
}

func writeError(w http.ResponseWriter, status int, text string) {
	b := handler.AppendString([]byte(`{"error":`), text)
	b = handler.AppendInt(append(b, `,"code":`...), status)
	writeJSON(w, status, append(b, '}'))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) //nolint:gosec // JSON, with the markup characters of client text escaped; a client that has disconnected needs no response
}
