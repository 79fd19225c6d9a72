package merchant

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/rest/docs"
	"tonql/rest/handler"
)

// Prefix is the path of the API.
const Prefix = "/api/merchant/v1"

const (
	// maxRequest bounds the body of create-transfer, in bytes.
	maxRequest = 32 << 10
	// timeout bounds the processing of one request.
	timeout = 10 * time.Second
	// lifetime is the time until a registered transfer expires. Wallets sign for about five minutes.
	lifetime = time.Hour
	// slotPause is the Retry-After of a merchant whose requests all wait.
	slotPause = time.Second
	// fullPause is the Retry-After of a merchant with the maximum of open registrations.
	fullPause = time.Minute
)

// Default rates, in requests per second.
const (
	DefaultKeyRate     = 25
	DefaultAddressRate = 10
)

// Jettons looks up Jettons.
type Jettons interface {
	// Asset returns decimals and ticker of a Jetton; NotFound when master is not a Jetton master.
	Asset(ctx context.Context, master chain.Address) (payment.Asset, error)
	// Wallet returns the Jetton wallet that the master computes for an owner.
	Wallet(ctx context.Context, master, owner chain.Address) (chain.Address, error)
}

// Options configure the API.
type Options struct {
	Payments *payments.Store
	Jettons  Jettons
	Network  string
	TestOnly bool // print addresses with the test-only flag, as every network but mainnet does
	// Limiter limits requests with a merchant's key: KeyRate per second for each key, AddressRate for each client address; a
	// rate of 0 is no limit. Nil: no limits.
	Limiter              *access.Limiter
	KeyRate, AddressRate float64
	Proxies              []netip.Prefix // proxies whose X-Forwarded-For is trusted
	// Examples returns objects of the index for the documentation; nil: its examples have none.
	Examples func(context.Context) (map[string]string, error)
	Logger   *slog.Logger
	Now      func() time.Time // time.Now when nil
}

type api struct {
	Options

	slots *handler.Slots[int64] // of the use of the store with the keys of one merchant
}

// The requests of one merchant that are processed at once, and with those that wait. The store has eight connections for all merchants
// and their deliveries.
const (
	maxAtOnce  = 2
	maxPresent = 100
)

// New returns the handler of the API. limit wraps the handlers of requests without a valid key; nil: no limits.
func New(o Options, limit func(http.Handler) http.Handler) http.Handler {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &api{Options: o, slots: handler.NewSlots[int64](maxAtOnce, maxPresent)}
	site := docs.NewSite(docs.Options{Prefix: Prefix, Network: handler.NetworkTitle(o.Network), Document: openAPI, Examples: o.Examples})
	mux := http.NewServeMux()
	for _, e := range a.routes() {
		mux.Handle(e.method+" "+Prefix+e.path, a.admit(limit, e.path, e.serve))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if site.Serve(w, r) {
			return
		}
		handler.RecordOf(r.Context()).Route = Prefix + "/*"
		fail(w, http.StatusNotFound, "no route "+chain.Quote(r.Method+" "+r.URL.Path))
	})
	return a.legible(mux)
}

type route struct {
	method, path string
	serve        endpoint
}

// routes lists the routes of the API.
func (a *api) routes() []route {
	return []route{
		{http.MethodPost, "/create-transfer", a.create},
		{http.MethodGet, "/transfer", a.transfer},
	}
}

// caller identifies the merchant and the key of a request. The zero value is a request without a key.
type caller struct {
	merchant *payment.Merchant // nil without a key
	key      int64             // id of the key
}

// endpoint returns the body of a response.
type endpoint func(r *http.Request, c caller) ([]byte, error)

// admit limits requests and looks up their keys. A request with a key is limited by its client address before the lookup,
// then by the key; a request without one passes limit, as at the other APIs.
func (a *api) admit(limit func(http.Handler) http.Handler, route string, next endpoint) http.Handler {
	open := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, caller{}, next) }))
	unknown := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusUnauthorized, "this API key does not exist, or was revoked")
	}))
	if limit != nil {
		open, unknown = limit(open), limit(unknown)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		r = r.WithContext(ctx)
		handler.RecordOf(ctx).Route = Prefix + route
		key := r.Header.Get("X-Api-Key")
		if key == "" {
			open.ServeHTTP(w, r)
			return
		}
		if !a.admitted(w, func() access.Decision {
			return a.Limiter.AdmitMerchantAddress(ctx, a.AddressRate, handler.Client(r, a.Proxies))
		}) {
			return
		}
		m, id, err := a.Payments.MerchantByKey(ctx, payment.HashOf(key))
		switch {
		case err != nil:
			a.refuse(w, r, err)
		case m == nil:
			// A wrong key counts against the limit of its client.
			r.Header.Del("X-Api-Key")
			unknown.ServeHTTP(w, r)
		case !a.admitted(w, func() access.Decision { return a.Limiter.AdmitMerchantKey(ctx, a.KeyRate, id) }):
		case m.Network != a.Network:
			fail(w, http.StatusForbidden, "this API key is for "+m.Network+"; this service serves "+a.Network)
		default:
			a.serve(w, r, caller{m, id}, next)
		}
	})
}

// admitted reports whether the limiter admits a request; it writes the response to a request that is refused.
func (a *api) admitted(w http.ResponseWriter, decide func() access.Decision) bool {
	if a.Limiter == nil {
		return true
	}
	decision := decide()
	h := w.Header()
	if decision.Rate > 0 {
		h.Set("RateLimit-Policy", decision.Policy())
		h.Set("RateLimit", decision.State())
	}
	if decision.Outcome == access.Limited {
		setRetryAfter(w, decision.Wait)
		fail(w, http.StatusTooManyRequests, "too many requests: at most "+strconv.FormatFloat(decision.Rate, 'g', 4, 64)+
			" a second by one "+strings.TrimPrefix(decision.Plan, "merchant-"))
		return false
	}
	return true
}

// setRetryAfter sets Retry-After in seconds, rounded up.
func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, c caller, next endpoint) {
	body, err := next(r, c)
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // a client that has disconnected needs no response
}

func (a *api) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, handler.ErrSlots) {
		setRetryAfter(w, slotPause)
	}
	if _, full := errors.AsType[*payment.FullError](err); full {
		setRetryAfter(w, fullPause)
		fail(w, http.StatusTooManyRequests, chain.PublicMessage(err))
		return
	}
	switch chain.KindOf(err) {
	case chain.Invalid:
		status = http.StatusBadRequest
	case chain.NotFound, chain.RangeDropped:
		status = http.StatusNotFound
	case chain.TooLarge:
		status = http.StatusRequestEntityTooLarge
	case chain.Behind, chain.Unavailable:
		status = http.StatusServiceUnavailable
	case chain.Internal:
	}
	handler.RecordOf(r.Context()).Err = err
	fail(w, handler.TextStatus(err, status), chain.PublicMessage(err))
}

func fail(w http.ResponseWriter, status int, text string) {
	b := handler.AppendString([]byte(`{"error":`), text)
	b = append(handler.AppendInt(append(b, `,"code":`...), status), '}')
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) //nolint:gosec // as above
}

// inSlot calls fn, which uses the store, when the merchant of the caller has a slot. Requests without a key have no slots.
func (a *api) inSlot(ctx context.Context, c caller, fn func() error) error {
	if c.merchant == nil {
		return fn()
	}
	done, err := a.slots.Acquire(ctx, c.merchant.ID)
	if err != nil {
		return err
	}
	defer done()
	return fn()
}

// transfer returns the status of one transfer. With a merchant's key it returns transfers of that merchant only. Without a
// key it omits the fields that are not on the chain.
func (a *api) transfer(r *http.Request, c caller) ([]byte, error) {
	query := r.URL.Query()
	reference, hash := query.Get("reference"), query.Get("bodyHash")
	var parsed chain.Hash
	var record *payment.Record
	var err error
	switch {
	case (reference == "") == (hash == ""):
		return nil, chain.Invalidf("either reference or bodyHash is required")
	case hash != "":
		if parsed, err = parseBodyHash(hash); err != nil {
			return nil, err
		}
	}
	err = a.inSlot(r.Context(), c, func() (err error) {
		if reference != "" {
			record, err = a.Payments.Payment(r.Context(), reference)
		} else {
			record, err = a.Payments.PaymentByBodyHash(r.Context(), parsed)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.merchant != nil && c.merchant.ID != record.Merchant {
		return nil, chain.NotFoundf("transfer not found")
	}
	info := record.Shown(a.TestOnly)
	if c.merchant == nil {
		info.CommentToSender = ""
	}
	return info.AppendJSON(nil), nil
}

// parseBodyHash parses a hash in the forms that clients send: base64 whose unescaped plus signs became spaces, base64url
// with or without padding, or hex.
func parseBodyHash(text string) (chain.Hash, error) {
	text = strings.ReplaceAll(text, " ", "+")
	if raw, err := base64.RawURLEncoding.DecodeString(text); err == nil && len(raw) == len(chain.Hash{}) {
		return chain.HashFrom(raw), nil
	}
	return chain.ParseHash(text)
}
