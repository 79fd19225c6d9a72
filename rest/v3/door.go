package v3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"tonql/internal/chain"
	"tonql/resolvers"
	"tonql/rest/docs"
	"tonql/rest/handler"
)

// Prefix is where the interface is mounted.
const Prefix = "/api/v3"

// Options configure the interface; the zero value of each field means its default.
type Options struct {
	Version string        // X-API-Version: MAJOR.MINOR.PATCH of the database schema
	Timeout time.Duration // of one request, default 3 s; clients may ask for less with X-Timeout
	Limit   int           // rows of a page that does not say how many, default 10
	Fresh   bool          // read every answer from the index; default is to give the same page to all who ask at a time
}

// The documented defaults.
const (
	DefaultTimeout = 3 * time.Second
	DefaultLimit   = 10
)

// New makes the handler of everything below [Prefix].
func New(svc *resolvers.Service, opts Options) http.Handler {
	if opts.Version == "" {
		opts.Version = "1.0.0"
	}
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Limit <= 0 {
		opts.Limit = DefaultLimit
	}
	document := sync.OnceValues(func() ([]byte, error) { return openAPI(Routes(), opts, svc.Limits().Rows) })
	return &door{svc: svc, opts: opts, routes: index(Routes()), site: docs.Site{Prefix: Prefix, Document: document}}
}

type door struct {
	svc    *resolvers.Service
	opts   Options
	routes map[string][]Route // by lower-case path below the prefix; one entry per method
	pages  pages
	site   docs.Site
}

func index(routes []Route) map[string][]Route {
	byPath := make(map[string][]Route, len(routes))
	for _, r := range routes {
		key := strings.ToLower(r.Path)
		byPath[key] = append(byPath[key], r)
	}
	return byPath
}

// find matches without regard to case and tolerates one trailing slash.
func (d *door) find(r *http.Request) (Route, error) {
	path := r.URL.Path
	if len(path) < len(Prefix) || !strings.EqualFold(path[:len(Prefix)], Prefix) {
		return Route{}, d.unknownPath(r)
	}
	path = strings.TrimSuffix(path[len(Prefix):], "/")
	routes, ok := d.routes[path]
	if !ok {
		routes = d.routes[strings.ToLower(path)]
	}
	if len(routes) == 0 {
		return Route{}, d.unknownPath(r)
	}
	allowed := make([]string, 0, len(routes))
	for _, route := range routes {
		if route.Method == r.Method || route.Method == http.MethodGet && r.Method == http.MethodHead {
			return route, nil
		}
		allowed = append(allowed, route.Method)
	}
	return Route{}, &methodError{allowed: strings.Join(allowed, ", "), method: r.Method}
}

func (d *door) unknownPath(r *http.Request) error {
	names := make([]string, 0, len(d.routes))
	for _, routes := range d.routes {
		names = append(names, routes[0].Path)
	}
	path := strings.TrimPrefix(strings.ToLower(r.URL.Path), Prefix)
	if near := handler.Nearest(path, names); near != "" {
		return chain.NotFoundf("there is no %s; did you mean %s?", chain.Quote(r.URL.Path), Prefix+near)
	}
	return chain.NotFoundf("there is no %s in this interface", chain.Quote(r.URL.Path))
}

// methodError is a known path asked with a method it does not have.
type methodError struct{ allowed, method string }

func (e *methodError) Error() string {
	return "method " + chain.Quote(e.method) + " is not allowed here; use " + e.allowed
}

// notBuiltError is a route of the published interface that is not served yet.
type notBuiltError struct{ path string }

func (e *notBuiltError) Error() string {
	return Prefix + e.path + " is part of the published interface, but this version does not serve it yet"
}

// ServeHTTP answers one request; it is the only place where this interface turns errors into statuses.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	w.Header().Set("X-API-Version", d.opts.Version)
	if d.site.Serve(w, r) {
		return
	}
	rec := handler.RecordOf(r.Context())
	out := handler.NewStream(w, start)
	err := d.answer(w, r, rec, out)
	if err != nil {
		rec.Err = err
		if !out.Sent() {
			out.Reset()
			printError(w, out, err)
		}
	}
	if err := out.Close(); err != nil && rec.Err == nil {
		rec.Err = errors.Join(context.Canceled, err) // the client went away
	}
}

func (d *door) answer(w http.ResponseWriter, r *http.Request, rec *handler.Record, out *handler.Stream) error {
	route, err := d.find(r)
	if err != nil {
		rec.Route = Prefix + "/*"
		return err
	}
	rec.Route = Prefix + route.Path
	if route.serve == nil {
		return &notBuiltError{route.Path}
	}
	q, err := handler.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return err
	}
	c := &call{door: d, q: q, out: out, body: r.Body, contentType: r.Header.Get("Content-Type")}
	ctx, cancel := context.WithTimeout(r.Context(), c.common(r))
	defer cancel()
	c.ctx = ctx
	ask, err := route.serve(c)
	if err != nil {
		return err
	}
	c.unknown(w, route)
	if err := q.Err(); err != nil {
		return err
	}
	return d.remembered(c, route, r.URL.RawQuery, ask)
}

// remembered answers from memory what was asked a moment ago, see [pages]. What is asked in a request's body is not
// remembered, and neither is what does not depend on the index.
func (d *door) remembered(c *call, route Route, query string, ask func() error) error {
	if d.opts.Fresh || route.Method != http.MethodGet || route.pure {
		return ask()
	}
	head, err := d.svc.McSeqno(c.ctx)
	if err != nil || head == 0 {
		return ask()
	}
	key := route.Path + "?" + query
	if !c.book {
		key += "#book" // the switch may have come as a header; a query never holds the character
	}
	if !c.meta {
		key += "#meta"
	}
	if c.actionsVersion != "" {
		key += "#actions=" + c.actionsVersion
	}
	if body := d.pages.get(head, key); body != nil {
		c.out.B = append(c.out.B, body...)
		return nil
	}
	if err := ask(); err != nil {
		return err
	}
	if !c.out.Sent() {
		d.pages.put(head, key, c.out.B)
	}
	return nil
}

// call is one request under way.
type call struct {
	*door
	ctx  context.Context
	q    *handler.Query
	out  *handler.Stream
	book bool // print the address book
	meta bool // print metadata

	actionsVersion string // the header X-Actions-Version, "" when it was not sent

	body        io.Reader // of the request
	contentType string    // of the body
}

// common reads what every route takes and gives the request's deadline.
func (c *call) common(r *http.Request) time.Duration {
	c.book = !c.flag(r, "X-No-Address-Book", "x_no_address_book")
	c.meta = !c.flag(r, "X-No-Metadata", "x_no_metadata")
	c.flag(r, "X-Debug-Request", "x_debug_request")
	c.q.Text("api_key")
	c.actionsVersion = r.Header.Get("X-Actions-Version")
	timeout := c.opts.Timeout
	text, _ := c.q.Text("x_timeout")
	if h := r.Header.Get("X-Timeout"); h != "" {
		text = h
	}
	if ms, err := strconv.ParseInt(text, 10, 32); err == nil && ms > 0 {
		timeout = min(timeout, time.Duration(ms)*time.Millisecond)
	}
	return timeout
}

// flag reads a switch from a header or its query form; what cannot be read is ignored.
func (c *call) flag(r *http.Request, header, param string) bool {
	text, _ := c.q.Text(param)
	if h := r.Header.Get(header); h != "" {
		text = h
	}
	on, err := strconv.ParseBool(text)
	return err == nil && on
}

// unknown reports parameters the route does not have: in a header, or as an error when the client asked for strictness.
func (c *call) unknown(w http.ResponseWriter, route Route) {
	strict := c.q.Bool("strict", false)
	names := c.q.Unknown()
	if len(names) == 0 {
		return
	}
	if !strict {
		w.Header().Set("X-Unknown-Parameters", unknownHeader(names))
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

// unknownHeader quotes names for a header, bounded.
func unknownHeader(names []string) string {
	const most = 20
	quoted := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, chain.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

func (c *call) page() chain.Page {
	return chain.Page{Limit: c.q.Limit(c.opts.Limit), Offset: c.q.Offset(), Sort: c.q.Sort(chain.Descending)}
}
