package v3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tonql/internal/chain"
	"tonql/internal/tracing"
	"tonql/resolvers"
	"tonql/rest/docs"
	"tonql/rest/handler"
)

// Prefix is the path of the API.
const Prefix = "/api/v3"

// Options configure the API. The zero value of a field selects its default.
type Options struct {
	Version string        // X-API-Version: MAJOR.MINOR.PATCH of the database schema
	Timeout time.Duration // of one request, default 3 s; X-Timeout can reduce it
	Limit   int           // default page size, 10 if zero
	Fresh   bool          // disables the page cache
	Strict  bool          // rejects unknown parameters unless the request has strict=0

	// Charge spends tokens of the client above the one of the request; nil: nothing is charged.
	Charge func(ctx context.Context, tokens float64)

	SeqnoWait time.Duration // maximum wait for X-Min-Seqno, default 5 s
}

// Defaults of [Options].
const (
	DefaultTimeout = 3 * time.Second
	DefaultLimit   = 10

	DefaultSeqnoWait = handler.MinSeqnoWait
)

// fill sets the defaults.
func (opts *Options) fill() {
	if opts.Version == "" {
		opts.Version = "1.0.0"
	}
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Limit <= 0 {
		opts.Limit = DefaultLimit
	}
	if opts.SeqnoWait <= 0 {
		opts.SeqnoWait = DefaultSeqnoWait
	}
}

// New returns the handler of all paths below [Prefix]. svc must outlive it.
func New(svc *resolvers.Service, opts Options) http.Handler {
	opts.fill()
	site := docs.NewSite(docs.Options{
		Prefix: Prefix, Network: handler.NetworkTitle(svc.Network()), Examples: svc.Examples,
		Document: func() ([]byte, error) { return openAPI(Routes(), opts, svc.Limits().Rows) },
	})
	return &api{prefix: Prefix, svc: svc, opts: opts, version: []string{opts.Version}, routes: index(Prefix, Routes()), site: &site}
}

type api struct {
	prefix  string
	svc     *resolvers.Service
	opts    Options
	version []string           // value of the X-Api-Version header, shared by all responses
	routes  map[string][]Route // by path below the prefix, as registered and in lower case; one entry per method
	pages   pages
	span    spanPage
	site    *docs.Site // nil: no pages
}

func index(prefix string, routes []Route) map[string][]Route {
	byPath := make(map[string][]Route, len(routes))
	for _, r := range routes {
		r.mounted = prefix + r.Path
		byPath[r.Path] = append(byPath[r.Path], r)
		if lower := strings.ToLower(r.Path); lower != r.Path {
			byPath[lower] = append(byPath[lower], r)
		}
	}
	return byPath
}

// isPage reports whether path is not a registered route, so that it can belong to the documentation.
func (a *api) isPage(path string) bool {
	below, ok := strings.CutPrefix(path, a.prefix)
	return a.site != nil && (!ok || a.routes[below] == nil)
}

// find returns the route of a request. Paths are case-insensitive and can end with a slash.
func (a *api) find(r *http.Request) (Route, error) {
	path := r.URL.Path
	if len(path) < len(a.prefix) || !strings.EqualFold(path[:len(a.prefix)], a.prefix) {
		return Route{}, a.unknownPath(r)
	}
	path = strings.TrimSuffix(path[len(a.prefix):], "/")
	routes, ok := a.routes[path]
	if !ok {
		routes = a.routes[strings.ToLower(path)]
	}
	if len(routes) == 0 {
		return Route{}, a.unknownPath(r)
	}
	for _, route := range routes {
		if route.Method == r.Method || route.Method == http.MethodGet && r.Method == http.MethodHead {
			return route, nil
		}
	}
	allowed := make([]string, 0, len(routes))
	for _, route := range routes {
		allowed = append(allowed, route.Method)
	}
	return Route{}, &methodError{allowed: strings.Join(allowed, ", "), method: r.Method}
}

func (a *api) unknownPath(r *http.Request) error {
	names := make([]string, 0, len(a.routes))
	for _, routes := range a.routes {
		names = append(names, routes[0].Path)
	}
	path := strings.TrimPrefix(strings.ToLower(r.URL.Path), a.prefix)
	if near := handler.Nearest(path, names); near != "" {
		return chain.NotFoundf("there is no %s; did you mean %s?", chain.Quote(r.URL.Path), a.prefix+near)
	}
	return chain.NotFoundf("there is no %s in this API", chain.Quote(r.URL.Path))
}

// methodError reports a registered path requested with another method.
type methodError struct{ allowed, method string }

func (e *methodError) Error() string {
	return "method " + chain.Quote(e.method) + " is not allowed here; use " + e.allowed
}

// ServeHTTP responds to a request. It is the only place where this API converts errors to HTTP statuses.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	w.Header()["X-Api-Version"] = a.version
	if a.isPage(r.URL.Path) && a.site.Serve(w, r) {
		return
	}
	rec := handler.RecordOf(r.Context())
	out := handler.NewStream(r.Context(), w, start)
	err := a.respond(w, r, rec, out)
	if err != nil {
		rec.Err = err
		if !out.Sent() {
			out.Reset()
			printError(w, out, err)
		}
	}
	err = out.Close()
	if errors.Is(err, handler.ErrUnsent) {
		rec.Err = err
		out.Reset()
		printError(w, out, err)
		err = out.Close()
	}
	if err != nil && rec.Err == nil {
		rec.Err = errors.Join(context.Canceled, err) // the client disconnected
	}
}

func (a *api) respond(w http.ResponseWriter, r *http.Request, rec *handler.Record, out *handler.Stream) error {
	route, err := a.find(r)
	if err != nil {
		rec.Route = a.prefix + "/*"
		return err
	}
	rec.Route = route.mounted
	if route.fastPath != nil && r.URL.RawQuery == "" && sent(r, "X-Min-Seqno") == "" {
		ctx, span := tracing.Start(r.Context(), strings.TrimPrefix(route.Path, "/"), tracing.V3)
		err := route.fastPath(a, ctx, out)
		span.End(err)
		return err
	}
	q, err := handler.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	c := &call{
		api: a, svc: a.svc, q: q, out: out, url: r.URL, header: w.Header(), body: r.Body, contentType: sent(r, "Content-Type"),
	}
	timeout := c.common(r)
	q.RefuseEmpty()
	run, err := route.serve(c)
	if err != nil {
		return err
	}
	c.unknown(route)
	if err := q.Err(); err != nil {
		return err
	}
	if c.minSeqno > 0 && !route.static {
		wait := func(ctx context.Context) error { return a.svc.Await(ctx, c.minSeqno, a.opts.SeqnoWait) }
		if err := handler.Await(r.Context(), wait); err != nil {
			return err
		}
	}
	c.ctx = r.Context()
	if route.fastPath == nil {
		ctx, cancel := context.WithTimeout(c.ctx, timeout)
		defer cancel()
		c.ctx = ctx
	}
	err = c.read(route, run)
	rec.Limited = err != nil && timeout < c.opts.Timeout && errors.Is(c.ctx.Err(), context.DeadlineExceeded)
	return err
}

// call is the state of one request.
type call struct {
	*api
	ctx         context.Context
	svc         *resolvers.Service // reads one snapshot of the index, except on routes that read the network
	q           *handler.Query
	out         *handler.Stream
	url         *url.URL    // of the request
	header      http.Header // of the response
	addressBook bool        // include the address book
	meta        bool        // include metadata

	minSeqno uint32 // masterchain seqno that the index must have reached, 0 for none
	head     uint32 // latest indexed masterchain seqno when the request arrived
	mcSeqno  uint32 // masterchain seqno of the snapshot that the response is read from, 0 without a snapshot
	full     int    // rows of a full page, 0 if the list has no cursors
	pinned   uint32 // masterchain seqno of the first page of a cursor walk, 0 on the first page
	next     string // cursor of the next page

	actionsVersion string // value of the X-Actions-Version header, "" if absent

	body        io.Reader // of the request
	bodyRead    bytes.Buffer
	contentType string // of the body
}

// common reads the headers and parameters that every route accepts. It returns the timeout of the request.
func (c *call) common(r *http.Request) time.Duration {
	c.addressBook = !c.flag(r, "X-No-Address-Book", "x_no_address_book")
	c.meta = !c.flag(r, "X-No-Metadata", "x_no_metadata")
	c.flag(r, "X-Debug-Request", "x_debug_request")
	c.q.Text("api_key")
	c.minSeqno = c.readMinSeqno(r)
	c.actionsVersion = sent(r, "X-Actions-Version")
	timeout := c.opts.Timeout
	text, _ := c.q.Text("x_timeout")
	if h := sent(r, "X-Timeout"); h != "" {
		text = h
	}
	if text == "" {
		return timeout
	}
	if ms, err := strconv.ParseInt(text, 10, 32); err == nil && ms > 0 {
		timeout = min(timeout, time.Duration(ms)*time.Millisecond)
	}
	return timeout
}

// sent returns the first value of a request header, or "". name is in canonical form.
func sent(r *http.Request, name string) string {
	if values := r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// flag reads a boolean from a header or, without it, from a query parameter. Values that are not booleans are ignored.
func (c *call) flag(r *http.Request, header, param string) bool {
	text, _ := c.q.Text(param)
	if h := sent(r, header); h != "" {
		text = h
	}
	if text == "" {
		return false // skips the allocation of a parse error
	}
	on, err := strconv.ParseBool(text)
	return err == nil && on
}

// unknown reports unknown parameters: as errors in strict mode, otherwise in the X-Unknown-Parameters header.
func (c *call) unknown(route Route) {
	strict := c.q.Bool("strict", c.opts.Strict)
	names := c.q.Unknown()
	if len(names) == 0 {
		return
	}
	if !strict {
		c.header.Set("X-Unknown-Parameters", unknownHeader(names))
		return
	}
	for _, name := range names {
		if near := handler.Nearest(strings.ToLower(name), route.Params); near != "" {
			c.q.Refuse(chain.Invalidf("unknown parameter %s; did you mean %s?", chain.Quote(name), near))
		} else {
			c.q.Refuse(chain.Invalidf("unknown parameter %s; this route takes: %s", chain.Quote(name), strings.Join(route.Params, ", ")))
		}
	}
}

// unknownHeader quotes at most maxNames names for a header.
func unknownHeader(names []string) string {
	const maxNames = 20
	quoted := make([]string, 0, maxNames)
	for _, name := range names[:min(maxNames, len(names))] {
		quoted = append(quoted, chain.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

func (c *call) page() chain.Page {
	return chain.Page{Limit: c.q.Limit(c.opts.Limit), Offset: c.q.Offset(), Sort: c.q.Sort(chain.Descending)}
}
