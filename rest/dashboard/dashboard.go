package dashboard

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"math/big"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/rest/handler"
)

// Prefix is the path of the pages.
const Prefix = "/dashboard"

// timeout bounds the processing of one request.
const timeout = 20 * time.Second

// maxForm bounds the body of a form in bytes, and maxOpenForm that of a form without a session.
const (
	maxForm     = 64 << 10
	maxOpenForm = 4 << 10
)

// Options configure the dashboard.
type Options struct {
	Payments *payments.Store
	Vault    *payment.Vault
	Network  string
	// Local allows cookies over plain HTTP, for a local chain.
	Local    bool
	TestOnly bool // print addresses with the test-only flag, as every network but mainnet does
	// Proxies are the proxies whose X-Forwarded-For is trusted.
	Proxies []netip.Prefix
	// Limiter limits requests with a session by their client address; nil: no limit.
	Limiter *access.Limiter
	// CheckURL returns an error for webhook URLs that deliveries would skip.
	CheckURL func(string) error
	// TraceLink is the URL of the page of a trace with {} for its id in hex; empty: no links.
	TraceLink string
	Logger    *slog.Logger
	Now       func() time.Time // time.Now when nil
}

type dashboard struct {
	Options

	pages map[string]*template.Template
	// guests counts attempts of unknown clients, recognised those of browsers, addresses and sessions that signed in before.
	guests, recognised *throttle
	hashing            lanes
}

//go:embed page
var files embed.FS

// pageNames are the templates; each is parsed with the frame.
var pageNames = []string{"signin", "link", "payments", "payment", "webhooks", "endpoint", "deliveries", "delivery", "keys", "account", "failed"}

// New returns the handler of the dashboard.
func New(o Options) (http.Handler, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	d := &dashboard{Options: o, pages: map[string]*template.Template{}, guests: newThrottle(o.Now), recognised: newThrottle(o.Now)}
	d.hashing = lanes{guests: newLane(), recognised: newLane()}
	for _, name := range pageNames {
		t, err := template.New("frame.html").Funcs(d.functions()).ParseFS(files, "page/frame.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		d.pages[name] = t
	}
	return http.NewCrossOriginProtection().Handler(d.legible(d.routes())), nil
}

func (d *dashboard) routes() http.Handler {
	mux := http.NewServeMux()
	open := func(pattern string, fn func(http.ResponseWriter, *http.Request) error) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.Handle(method+" "+Prefix+path, d.serve(path, fn))
	}
	signed := func(pattern string, fn func(http.ResponseWriter, *http.Request, *session) error) {
		open(pattern, d.signedIn(fn))
	}
	for _, asset := range []string{"style.css", "live.js"} {
		open("GET /"+asset, d.asset(asset))
	}
	open("GET /signin", d.showSignin)
	open("POST /signin", small(d.signin))
	open("GET /link", d.showLink)
	open("POST /link", small(d.takeLink))
	signed("POST /signout", d.signout)
	signed("GET /payments", d.payments)
	signed("GET /payments.csv", d.paymentsCSV)
	signed("GET /payments/{reference}", d.payment)
	signed("GET /webhooks", d.webhooks)
	signed("POST /webhooks", d.addEndpoint)
	signed("GET /webhooks/{id}", d.endpoint)
	signed("POST /webhooks/{id}", d.saveEndpoint)
	signed("POST /webhooks/{id}/remove", d.removeEndpoint)
	signed("POST /webhooks/{id}/reveal", d.reveal)
	signed("POST /webhooks/{id}/rotate", d.rotate)
	signed("POST /webhooks/{id}/prepare", d.prepare)
	signed("POST /webhooks/{id}/activate", d.activate)
	signed("POST /webhooks/{id}/test", d.test)
	signed("POST /webhooks/{id}/replay", d.replay)
	signed("GET /deliveries", d.deliveries)
	signed("POST /deliveries/resend", d.resendFailed)
	signed("GET /deliveries/{id}", d.delivery)
	signed("POST /deliveries/{id}/resend", d.resend)
	signed("GET /keys", d.keys)
	signed("POST /keys", d.createKey)
	signed("POST /keys/revoke", d.revokeKey)
	signed("GET /account", d.account)
	signed("POST /account/password", d.setPassword)
	signed("POST /account/prove", d.prove)
	signed("POST /account/receiving", d.setReceiving)
	signed("GET /{$}", func(w http.ResponseWriter, r *http.Request, _ *session) error { return redirect(w, r, "/payments") })
	mux.HandleFunc(Prefix, func(w http.ResponseWriter, r *http.Request) { _ = redirect(w, r, "/") })
	open("GET /{rest...}", func(http.ResponseWriter, *http.Request) error { return chain.NotFoundf("page not found") })
	return mux
}

func redirect(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, Prefix+path, http.StatusSeeOther) //nolint:gosec // the target is below Prefix
	return nil
}

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// serve bounds the time of a request, sets the headers of every page and renders errors.
func (d *dashboard) serve(route string, fn func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		handler.RecordOf(ctx).Route = Prefix + route
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if err := fn(w, r.WithContext(ctx)); err != nil {
			d.fail(w, r, err)
		}
	})
}

// readForm parses the form of a request of at most limit bytes.
func readForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	err := r.ParseForm()
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &chain.Error{Kind: chain.TooLarge, Message: "the form is larger than " + strconv.FormatInt(limit, 10) + " bytes"}
	}
	if err != nil {
		return chain.Invalidf("the form is not valid")
	}
	return nil
}

// small parses the form of a request without a session.
func small(fn func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := readForm(w, r, maxOpenForm); err != nil {
			return err
		}
		return fn(w, r)
	}
}

func (d *dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	if refused, ok := errors.AsType[*limited](err); ok {
		setRetryAfter(w, refused.wait)
		d.show(w, r, http.StatusTooManyRequests, "failed", nil, view{Title: "Error", Error: refused.Error()})
		return
	}
	status := http.StatusInternalServerError
	switch chain.KindOf(err) {
	case chain.Invalid:
		status = http.StatusBadRequest
	case chain.TooLarge:
		status = http.StatusRequestEntityTooLarge
	case chain.NotFound:
		status = http.StatusNotFound
	case chain.Behind, chain.Unavailable:
		status = http.StatusServiceUnavailable
	case chain.Internal:
	}
	handler.RecordOf(r.Context()).Err = err
	d.show(w, r, handler.TextStatus(err, status), "failed", nil, view{Title: "Error", Error: chain.PublicMessage(err)})
}

// view has the data of a page.
type view struct {
	Title    string
	Section  string // of the navigation
	Message  string
	Error    string
	Warnings []string // about endpoints
	Merchant *payment.Merchant
	CSRF     string
	Network  string
	Live     bool // the page updates itself
	Data     any
}

func (d *dashboard) show(w http.ResponseWriter, r *http.Request, status int, page string, s *session, v view) {
	v.Network = handler.NetworkTitle(d.Network)
	if s != nil {
		v.Merchant, v.CSRF = s.merchant, s.csrf()
	}
	var b bytes.Buffer
	if err := d.pages[page].Execute(&b, v); err != nil {
		handler.RecordOf(r.Context()).Err = fmt.Errorf("page %s: %w", page, err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // escaped by html/template
}

func (d *dashboard) asset(name string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "public, max-age=300")
		http.ServeFileFS(w, r, files, "page/"+name)
		return nil
	}
}

// functions are the functions of templates.
func (d *dashboard) functions() template.FuncMap {
	return template.FuncMap{
		"time": func(t any) string {
			switch t := t.(type) {
			case time.Time:
				return t.UTC().Format("2006-01-02 15:04:05")
			case *time.Time:
				if t != nil {
					return t.UTC().Format("2006-01-02 15:04:05")
				}
			}
			return "–"
		},
		"amounts": func(r *payment.Record) payment.Amounts { return r.Amounts() },
		"units":   func(n *big.Int, r *payment.Record) string { return payment.FormatAmount(n, r.Asset.Decimals) },
		"status": func(r *payment.Record) string {
			if r.Expired(d.Now()) {
				return expired
			}
			return string(r.Status)
		},
		"trace": func(h *chain.Hash) string {
			if h == nil || d.TraceLink == "" {
				return ""
			}
			return strings.ReplaceAll(d.TraceLink, "{}", h.Hex())
		},
		"date":   func(unix uint32) string { return time.Unix(int64(unix), 0).UTC().Format("2006-01-02 15:04:05") },
		"text":   func(b []byte) string { return string(b) },
		"split":  strings.Fields,
		"here":   func(r payment.Record) *payment.Record { return &r },
		"lastof": func(list []payment.Attempt) int { return len(list) - 1 },
		"lines":  func(list []string) string { return strings.Join(list, "\n") },
	}
}
