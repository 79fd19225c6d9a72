package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
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

// Prefix is the path of the pages of merchants, PayPrefix that of the pages of buyers.
const (
	Prefix    = "/dashboard"
	PayPrefix = "/pay"
)

// timeout bounds the processing of one request.
const timeout = 20 * time.Second

// The requests of the users of a merchant, and of the visitors of its links, that are processed at once, and with those that wait. The
// store has eight connections for all merchants and their deliveries.
const (
	maxAtOnce  = 2
	maxPresent = 100
	// maxOfAccount is the number of requests of one account that wait, or are processed, one at a time.
	maxOfAccount = 40
	// maxChecks is how many passwords of one merchant, sent by recognised clients, are checked or wait, so that a merchant who signs in all the
	// time does not keep others from it.
	maxChecks = 16
)

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
	// Proxies are the proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.
	Proxies []netip.Prefix
	// Limiter limits requests with a session by their client address; nil: no limit.
	Limiter *access.Limiter
	// CheckURL returns an error for webhook URLs that deliveries would skip.
	CheckURL func(string) error
	// TraceLink is the URL of the page of a trace with {} for its id in hex, TransactionLink that of a transaction; empty: no links.
	TraceLink, TransactionLink string
	// Jettons looks up the assets of payment links; nil: links are in the native coin only.
	Jettons Jettons
	// Faucet pays coins of a local chain to an address; nil: there is no faucet.
	Faucet func(ctx context.Context, to chain.Address, nano uint64, comment string) error
	// Wallets are those that pages of buyers connect to by TON Connect; without any the pages connect to no other host.
	Wallets []Wallet
	// GlobalID identifies the network towards wallets: -239 is mainnet, -3 testnet.
	GlobalID int32
	// PasswordCost is that of new passwords; zero: the second recommendation of RFC 9106.
	PasswordCost PasswordCost
	// ExportLines is the number of payments after which an export ends; zero: 100,000.
	ExportLines int
	// Mail reports that alerts can be sent by e-mail.
	Mail bool
	// Origin is the public URL of the service, such as https://pay.example; empty: that of each request.
	Origin string
	Logger *slog.Logger
	Now    func() time.Time // time.Now when nil
}

// Jettons looks up Jettons.
type Jettons interface {
	// Asset returns decimals and ticker of a Jetton; NotFound when master is not a Jetton master.
	Asset(ctx context.Context, master chain.Address) (payment.Asset, error)
	// Wallet returns the Jetton wallet that the master computes for an owner.
	Wallet(ctx context.Context, master, owner chain.Address) (chain.Address, error)
}

type dashboard struct {
	Options

	pages map[string]*template.Template
	// guests counts attempts of unknown clients, recognised those of browsers, addresses and sessions that signed in before.
	guests, recognised *throttle
	hashing            lanes
	script             script
	// slots bound the requests of one merchant that use the database at once, buyers those of the visitors of its links.
	slots, buyers *handler.Slots[int64]
	// accounts bound the requests of one account, so that a member leaves slots for others of the merchant.
	accounts *handler.Slots[int64]
	// checks bound the passwords of one merchant that recognised clients let check at once.
	checks  *handler.Slots[int64]
	starts  *throttle // payments and messages that visitors of pages request
	samples *throttle // messages and deliveries that merchants request
}

//go:embed page dist/connect.js
var files embed.FS

// pageNames are the templates; each is parsed with the frame of merchants, or with that of buyers.
var (
	pageNames = []string{
		"signin", "code", "link", "overview", "guide", "payments", "payment", "links", "webhooks", "endpoint", "rotate", "deliveries", "delivery",
		"alerts", "keys", "members", "account", "failed",
	}
	payPageNames = []string{"paylink", "pay", "payfailed"}
)

// New returns the handler of the dashboard.
func New(o Options) (http.Handler, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	d := &dashboard{
		Options: o, pages: map[string]*template.Template{}, guests: newThrottle(o.Now), recognised: newThrottle(o.Now), starts: newAllowance(o.Now),
		samples: newAllowance(o.Now), slots: handler.NewSlots[int64](maxAtOnce, maxPresent), buyers: handler.NewSlots[int64](maxAtOnce, maxPresent),
		checks: handler.NewSlots[int64](1, maxChecks), accounts: handler.NewSlots[int64](1, maxOfAccount),
	}
	var err error
	if d.script, err = newScript(); err != nil {
		return nil, err
	}
	cost := cmp.Or(d.PasswordCost, defaultPasswordCost)
	d.hashing = lanes{guests: newLane(cost), recognised: newLane(cost)}
	for frame, names := range map[string][]string{"frame.html": pageNames, "payframe.html": payPageNames} {
		for _, name := range names {
			t, err := template.New(frame).Funcs(d.functions()).ParseFS(files, "page/"+frame, "page/"+name+".html")
			if err != nil {
				return nil, fmt.Errorf("page %s: %w", name, err)
			}
			d.pages[name] = t
		}
	}
	return http.NewCrossOriginProtection().Handler(d.legible(d.routes())), nil
}

// route is a route of the pages with the role that it needs, 0 for none. Paths are below [Prefix], those of buyers below [PayPrefix].
type route struct {
	pattern string
	need    payment.Role
	serve   func(http.ResponseWriter, *http.Request, *session) error
}

// open adapts a function without a session.
func open(fn func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request, *session) error {
	return func(w http.ResponseWriter, r *http.Request, _ *session) error { return fn(w, r) }
}

// table lists all routes. It is the only place that decides who may do what.
func (d *dashboard) table() []route {
	const viewer, developer, owner = payment.RoleViewer, payment.RoleDeveloper, payment.RoleOwner
	return []route{
		{"GET /style.css", 0, open(d.asset("style.css"))},
		{"GET /live.js", 0, open(d.asset("live.js"))},
		{"GET /signin", 0, open(d.showSignin)},
		{"POST /signin", 0, open(small(d.signin))},
		{"POST /signin/code", 0, open(small(d.enterCode))},
		{"GET /link", 0, open(d.showLink)},
		{"POST /link", 0, open(small(d.takeLink))},
		{"GET /{rest...}", 0, open(func(http.ResponseWriter, *http.Request) error { return chain.NotFoundf("page not found") })},

		{"POST /signout", viewer, d.signout},
		{"GET /{$}", viewer, d.overview},
		{"GET /payments", viewer, d.payments},
		{"GET /payments.csv", viewer, d.paymentsCSV},
		{"GET /payments/{reference}", viewer, d.payment},
		{"GET /links", viewer, d.links},
		{"GET /webhooks", viewer, d.webhooks},
		{"GET /webhooks/{id}", viewer, d.endpoint},
		{"GET /deliveries", viewer, d.deliveries},
		{"GET /deliveries/{id}", viewer, d.delivery},
		{"GET /account", viewer, d.account},
		{"POST /account/password", viewer, d.setPassword},
		{"POST /account/prove", viewer, d.prove},
		{"POST /account/totp", viewer, d.addTOTP},
		{"POST /account/totp/confirm", viewer, d.confirmTOTP},
		{"POST /account/totp/remove", viewer, d.removeTOTP},
		{"POST /account/codes", viewer, d.newCodes},

		{"GET /guide", developer, d.guide},
		{"POST /guide/endpoint", developer, d.guideEndpoint},
		{"POST /guide/sample", developer, d.guideSample},
		{"POST /guide/payment", developer, d.guidePayment},
		{"POST /guide/faucet", developer, d.guideFaucet},
		{"POST /links", developer, d.addLink},
		{"POST /links/{id}/close", developer, d.closeLink},
		{"POST /webhooks", developer, d.addEndpoint},
		{"POST /webhooks/{id}", developer, d.saveEndpoint},
		{"POST /webhooks/{id}/remove", developer, d.removeEndpoint},
		{"POST /webhooks/{id}/reveal", developer, d.reveal},
		{"GET /webhooks/{id}/rotate", developer, d.confirmRotation},
		{"POST /webhooks/{id}/rotate", developer, d.rotate},
		{"POST /webhooks/{id}/prepare", developer, d.prepare},
		{"POST /webhooks/{id}/activate", developer, d.activate},
		{"POST /webhooks/{id}/test", developer, d.test},
		{"POST /webhooks/{id}/replay", developer, d.replay},
		{"POST /deliveries/resend", developer, d.resendFailed},
		{"POST /deliveries/{id}/resend", developer, d.resend},
		{"GET /alerts", developer, d.alerts},
		{"POST /alerts", developer, d.setAlerts},
		{"POST /alerts/test", developer, d.testAlert},
		{"GET /keys", developer, d.keys},
		{"POST /keys", developer, d.createKey},
		{"POST /keys/revoke", developer, d.revokeKey},

		{"GET /members", owner, d.members},
		{"POST /members", owner, d.addMember},
		{"POST /members/{id}/role", owner, d.setRole},
		{"POST /members/{id}/link", owner, d.linkMember},
		{"POST /members/{id}/totp", owner, d.resetMember},
		{"POST /members/{id}/remove", owner, d.removeMember},
		{"POST /account/receiving", owner, d.setReceiving},
	}
}

// payTable lists the routes of buyers, who have no session.
func (d *dashboard) payTable() []route {
	return []route{
		{"GET /pay/style.css", 0, open(d.asset("style.css"))},
		{"GET /pay/live.js", 0, open(d.asset("live.js"))},
		{"GET /pay/connect.js", 0, open(d.script.serve)},
		{"GET /pay/icon.png", 0, open(d.icon)},
		{"GET " + ManifestPath, 0, open(d.manifest)},
		{"GET /pay/{page}", 0, open(d.showPay)},
		{"GET /pay/{page}/message", 0, open(d.payMessage)},
		{"POST /pay/{page}", 0, open(small(d.startPay))},
		{"GET /pay/{rest...}", 0, open(func(http.ResponseWriter, *http.Request) error { return errNoPage })},
	}
}

func (d *dashboard) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range d.table() {
		method, path, _ := strings.Cut(r.pattern, " ")
		fn := func(w http.ResponseWriter, q *http.Request) error { return r.serve(w, q, nil) }
		if r.need > 0 {
			fn = d.signedIn(r.need, r.serve)
		}
		mux.Handle(method+" "+Prefix+path, d.serve(Prefix+path, fn, d.fail))
	}
	for _, r := range d.payTable() {
		_, path, _ := strings.Cut(r.pattern, " ")
		mux.Handle(r.pattern, d.serve(path, func(w http.ResponseWriter, q *http.Request) error { return r.serve(w, q, nil) }, d.failPay))
	}
	mux.HandleFunc(Prefix, func(w http.ResponseWriter, r *http.Request) { _ = redirect(w, r, "/") })
	return mux
}

// origin returns the URL of the service for links that users pass on.
func (d *dashboard) origin(r *http.Request) string {
	if d.Origin != "" {
		return strings.TrimSuffix(d.Origin, "/")
	}
	scheme := "https"
	if d.Local && !handler.Secure(r, d.Proxies, "") {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

func redirect(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, Prefix+path, http.StatusSeeOther) //nolint:gosec // the target is below Prefix
	return nil
}

const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// serve bounds the time of a request, sets the headers of every page and renders errors.
func (d *dashboard) serve(route string, fn func(http.ResponseWriter, *http.Request) error, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		handler.RecordOf(ctx).Route = route
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if err := fn(w, r.WithContext(ctx)); err != nil {
			fail(w, r, err)
		}
	})
}

// readForm parses the form of a request of at most limit bytes.
func readForm(w http.ResponseWriter, r *http.Request, limit int64) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	r.Body = handler.LimitBody(w, r, limit)
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
	d.failOn(w, r, err, "failed")
}

// failOn renders an error on a page.
func (d *dashboard) failOn(w http.ResponseWriter, r *http.Request, err error, page string) {
	if refused, ok := errors.AsType[*limited](err); ok {
		setRetryAfter(w, refused.wait)
		d.show(w, r, http.StatusTooManyRequests, page, nil, view{Title: "Error", Error: refused.Error()})
		return
	}
	handler.RecordOf(r.Context()).Err = err
	d.show(w, r, handler.TextStatus(err, statusOf(err)), page, nil, view{Title: "Error", Error: chain.PublicMessage(err)})
}

// statusOf returns the HTTP status of an error.
func statusOf(err error) int {
	switch chain.KindOf(err) {
	case chain.Invalid:
		return http.StatusBadRequest
	case chain.TooLarge:
		return http.StatusRequestEntityTooLarge
	case chain.NotFound, chain.RangeDropped:
		return http.StatusNotFound
	case chain.Behind, chain.Unavailable:
		return http.StatusServiceUnavailable
	case chain.Internal:
	}
	return http.StatusInternalServerError
}

// view has the data of a page.
type view struct {
	Title    string
	Section  string // of the navigation
	Message  string
	Error    string
	Warnings []string // about endpoints
	Merchant *payment.Merchant
	Member   payment.Member
	CSRF     string
	Network  string
	TestOnly bool // the coins of the network have no value
	Live     bool // the page updates itself
	Connects bool // the page has the script of TON Connect
	// What the role of the user permits.
	Developer, Owner bool
	Data             any
}

func (d *dashboard) show(w http.ResponseWriter, r *http.Request, status int, page string, s *session, v view) {
	v.Network, v.TestOnly = handler.NetworkTitle(d.Network), d.TestOnly
	if s != nil {
		v.Merchant, v.Member, v.CSRF = s.merchant, s.member, s.csrf()
		v.Developer, v.Owner = s.member.Role >= payment.RoleDeveloper, s.member.Role >= payment.RoleOwner
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
		"moment":  moment,
		"amounts": func(r *payment.Record) payment.Amounts { return r.Amounts() },
		"units":   func(n *big.Int, r *payment.Record) string { return payment.FormatAmount(n, r.Asset.Decimals) },
		"status": func(r *payment.Record) string {
			if r.Expired(d.Now()) {
				return expired
			}
			return string(r.Status)
		},
		"trace":       func(h *chain.Hash) string { return pageOf(d.TraceLink, h) },
		"transaction": func(h *chain.Hash) string { return pageOf(d.TransactionLink, h) },
		"hash":        func(h chain.Hash) *chain.Hash { return &h },
		"friendly":    func(a chain.Address) string { return a.Friendly(false, d.TestOnly) },
		"pretty":      pretty,
		"refunded":    func(reference string, sums map[string]*big.Int) *big.Int { return sums[reference] },
		// The scheme ton is none that html/template lets pass; the links are those of payment.WalletLinks.
		"wallet": func(url string) template.URL { return template.URL(url) }, //nolint:gosec // made from an address, a number and a reference
		"date":   func(unix uint32) string { return time.Unix(int64(unix), 0).UTC().Format("2006-01-02 15:04:05") },
		"text":   func(b []byte) string { return string(b) },
		"split":  strings.Fields,
		"here":   func(r payment.Record) *payment.Record { return &r },
		"lastof": func(list []payment.Attempt) int { return len(list) - 1 },
	}
}

// pageOf returns the URL of a page about a hash, "" for none.
func pageOf(pattern string, h *chain.Hash) string {
	if h == nil {
		return ""
	}
	return strings.ReplaceAll(pattern, "{}", h.Hex())
}

// pretty formats a JSON text with white space; another text stays as it is.
func pretty(body []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return string(body)
	}
	return b.String()
}
