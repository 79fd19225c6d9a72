package v2

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tonql/internal/chain"
	"tonql/internal/tracing"
	"tonql/resolvers"
	"tonql/rest/docs"
	"tonql/rest/handler"
)

// Prefix is the path of the API.
const Prefix = "/api/v2"

// Options configure the API. The zero value of a field selects its default.
type Options struct {
	Version string        // X-API-Version: 2.MINOR.PATCH
	Timeout time.Duration // of one request, default 10 s
	// Take takes n tokens of the client's plan, or returns how long until n are available. Each call of a JSON-RPC batch
	// takes one token; the token of the first call was taken when the request was admitted. Nil means unlimited.
	Take func(ctx context.Context, n int) (wait time.Duration, ok bool)
}

// Defaults of [Options]. Minor version 2 identifies this implementation; 0 and 1 are used by other servers.
const (
	DefaultVersion = "2.2.0"
	DefaultTimeout = 10 * time.Second
	maxBody        = 1 << 20
)

// New returns the handler of all paths below [Prefix]. svc must outlive it.
func New(svc *resolvers.Service, opts Options) http.Handler {
	if opts.Version == "" {
		opts.Version = DefaultVersion
	}
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Take == nil {
		opts.Take = func(context.Context, int) (time.Duration, bool) { return 0, true }
	}
	site := docs.NewSite(docs.Options{
		Prefix: Prefix, Network: handler.NetworkTitle(svc.Network()), Examples: svc.Examples,
		Document: func() ([]byte, error) { return openAPI(Routes(), opts.Version) },
	})
	a := &api{svc: svc, opts: opts, routes: map[string]Route{}, site: site}
	for _, r := range Routes() {
		a.routes[r.Name] = r
	}
	return a
}

type api struct {
	svc    *resolvers.Service
	opts   Options
	routes map[string]Route
	site   docs.Site
}

// call is the state of one call: a request, or one element of a JSON-RPC batch.
type call struct {
	*api
	ctx context.Context
	p   *params
	b   []byte // the result so far
}

// ServeHTTP responds to a request.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	w.Header().Set("X-API-Version", a.opts.Version)
	if a.site.Serve(w, r) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.opts.Timeout)
	defer cancel()
	rec := handler.RecordOf(ctx)
	ctx, err := a.await(ctx, r)
	if err != nil {
		rec.Err = err
		rec.Route = Prefix + "/*"
		status, text := refusal(w, err)
		a.write(ctx, w, status, append(appendRefusal(nil, status, text, extra(start)), '}'))
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, Prefix+"/"), "/")
	if name == rpcName {
		rec.Route = Prefix + "/" + rpcName
		a.serveRPC(ctx, w, r, start)
		return
	}
	route, ok := a.routes[name]
	if !ok {
		rec.Route = Prefix + "/*"
		a.write(ctx, w, http.StatusNotFound, append(appendRefusal(nil, http.StatusNotFound, a.unknown(name), "_"), '}'))
		return
	}
	rec.Route = Prefix + "/" + name
	read := func() (*params, error) { return a.read(w, r, route) }
	status, body := a.respond(ctx, w, route, read, start)
	a.write(ctx, w, status, append(body, '}'))
}

// minSeqnoKey is the key of the masterchain block that a request needs, in its context.
type minSeqnoKey struct{}

// await waits for the masterchain block that a request needs.
func (a *api) await(ctx context.Context, r *http.Request) (context.Context, error) {
	seqno, err := handler.MinSeqno(r)
	if err != nil || seqno == 0 {
		return ctx, err
	}
	return context.WithValue(ctx, minSeqnoKey{}, seqno), handler.Await(ctx, func(ctx context.Context) error {
		return a.svc.Await(ctx, seqno, handler.MinSeqnoWait)
	})
}

func (a *api) unknown(name string) string {
	names := []string{rpcName}
	for route := range a.routes {
		names = append(names, route)
	}
	if near := handler.Nearest(name, names); near != "" {
		return fmt.Sprintf("there is no method %s; did you mean %s?", chain.Quote(name), near)
	}
	return fmt.Sprintf("there is no method %s", chain.Quote(name))
}

// respond runs a call and returns the status and the body without its closing brace, so that JSON-RPC can add members. It
// is the only place where this API converts errors to HTTP statuses.
func (a *api) respond(ctx context.Context, w http.ResponseWriter, route Route, read func() (*params, error), start time.Time) (int, []byte) {
	const head = `{"ok":true,"result":`
	c := &call{api: a, ctx: ctx, b: []byte(head)}
	ctx, span := tracing.Start(ctx, cmp.Or(route.Name, "jsonRPC"), tracing.V2)
	err := func() (err error) {
		defer func() { span.End(err) }()
		if c.p, err = read(); err != nil {
			return err
		}
		minSeqno, _ := ctx.Value(minSeqnoKey{}).(uint32)
		return resolvers.Try(ctx, minSeqno, func() bool { return !route.sends() }, func(ctx context.Context) error {
			c.ctx, c.b = ctx, append(c.b[:0], head...)
			return route.serve(c)
		})
	}()
	if err != nil {
		rec := handler.RecordOf(ctx)
		rec.Err = errors.Join(rec.Err, err)
		status, text := refusal(w, err)
		return status, appendRefusal(nil, status, text, extra(start))
	}
	return http.StatusOK, append(append(append(c.b, `,"@extra":"`...), extra(start)...), '"')
}

// extra returns the value of @extra: time in Unix seconds, servers queried (none is named here) and duration in
// milliseconds.
func extra(start time.Time) string {
	took := float64(time.Since(start).Microseconds()) / 1000
	return strconv.FormatInt(start.Unix(), 10) + ":_:" + strconv.FormatFloat(took, 'g', 6, 64)
}

func (a *api) write(ctx context.Context, w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	err := handler.Send(ctx, w, status, body)
	if errors.Is(err, handler.ErrUnsent) {
		handler.RecordOf(ctx).Err = err
		status, text := refusal(w, err)
		body = append(appendRefusal(nil, status, text, "_"), '}')
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_ = handler.Send(ctx, w, status, body) // a client that left needs none
	}
}

// read returns the parameters of a request: from the query string for GET, from the body for POST.
func (a *api) read(w http.ResponseWriter, r *http.Request, route Route) (*params, error) {
	switch {
	case r.Method == http.MethodPost:
		body, err := readBody(r)
		if err != nil {
			return nil, err
		}
		return parseObject(body)
	case route.Get && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return parseQuery(r.URL.RawQuery)
	default:
		return nil, methodNotAllowed(w, r, route.Get)
	}
}

func methodNotAllowed(w http.ResponseWriter, r *http.Request, get bool) error {
	allowed := "POST"
	if get {
		allowed = "GET, POST"
	}
	w.Header().Set("Allow", allowed)
	return refuse(http.StatusMethodNotAllowed, "method "+chain.Quote(r.Method)+" is not allowed here; use "+allowed)
}

func readBody(r *http.Request) (json.RawMessage, error) {
	tooLong := refuse(http.StatusRequestEntityTooLarge, fmt.Sprintf("the request body is longer than %d bytes", maxBody))
	if r.ContentLength > maxBody { // rejected without reading
		return nil, tooLong
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: handler.IncompleteBody, Err: err}
	}
	if len(body) > maxBody {
		return nil, tooLong
	}
	if !utf8.Valid(body) { // parts of it are in the response
		return nil, chain.Invalidf("the body is not UTF-8")
	}
	return body, handler.CheckValueCount(body)
}
