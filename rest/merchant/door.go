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
	"tonql/internal/store"
	"tonql/rest/handler"
)

// Prefix is where the door is.
const Prefix = "/api/merchant/v1"

const (
	// maxRequest bounds the body of a registration.
	maxRequest = 32 << 10
	// timeout bounds the work on one request.
	timeout = 10 * time.Second
	// patience is how long somebody may wait for a registered transfer. Wallets sign for about five minutes.
	patience = time.Hour
	// fullPause is when to come back to a merchant that has as many open registrations as it may have.
	fullPause = time.Minute
)

// Default rates, in requests a second.
const (
	DefaultKeyRate     = 25
	DefaultAddressRate = 10
)

// Jettons says what is known of Jettons.
type Jettons interface {
	// Asset gives decimals and ticker. NotFound for what is no Jetton.
	Asset(ctx context.Context, master chain.Address) (payment.Asset, error)
	// Wallet asks the master for the Jetton wallet of an owner.
	Wallet(ctx context.Context, master, owner chain.Address) (chain.Address, error)
}

// Options are what the door needs.
type Options struct {
	Payments *store.Payments
	Jettons  Jettons
	Network  string
	TestOnly bool // the flag of addresses on networks other than mainnet
	// Limiter limits requests that bring a merchant's key: KeyRate a second for each key, AddressRate for each client address;
	// 0 is no limit. A nil Gate limits nothing.
	Limiter              *access.Limiter
	KeyRate, AddressRate float64
	Proxies              []netip.Prefix // whose X-Forwarded-For is believed
	Logger               *slog.Logger
	Now                  func() time.Time // time.Now when nil
}

type door struct {
	Options
}

// New makes the door. limit stands before requests without a valid key; nil lets everybody through.
func New(o Options, limit func(http.Handler) http.Handler) http.Handler {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d := &door{Options: o}
	mux := http.NewServeMux()
	mux.Handle("POST "+Prefix+"/create-transfer", d.admit(limit, "/create-transfer", d.create))
	mux.Handle("GET "+Prefix+"/transfer", d.admit(limit, "/transfer", d.transfer))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Route = Prefix + "/*"
		fail(w, http.StatusNotFound, "there is no "+chain.Quote(r.Method+" "+r.URL.Path)+" here")
	})
	return d.legible(mux)
}

// caller is who sends a request: a merchant by one of its keys. The zero value is somebody without a key.
type caller struct {
	merchant *payment.Merchant // nil without a key
	key      int64             // its number
}

// answer makes the body of a response.
type answer func(r *http.Request, c caller) ([]byte, error)

// admit limits requests and finds whose key they have. One with a key is limited by its address before the key is looked
// up, then by the key; one without goes through limit, as at the other APIs.
func (d *door) admit(limit func(http.Handler) http.Handler, route string, next answer) http.Handler {
	open := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.serve(w, r, caller{}, next) }))
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
		if !d.admitted(w, func() access.Decision {
			return d.Limiter.AdmitMerchantAddress(ctx, d.AddressRate, handler.Client(r, d.Proxies))
		}) {
			return
		}
		m, id, err := d.Payments.MerchantByKey(ctx, payment.HashOf(key))
		switch {
		case err != nil:
			d.refuse(w, r, err)
		case m == nil:
			// Guesses count against the guesser.
			r.Header.Del("X-Api-Key")
			unknown.ServeHTTP(w, r)
		case !d.admitted(w, func() access.Decision { return d.Limiter.AdmitMerchantKey(ctx, d.KeyRate, id) }):
		case m.Network != d.Network:
			fail(w, http.StatusForbidden, "this API key is for "+m.Network+"; here is "+d.Network)
		default:
			d.serve(w, r, caller{m, id}, next)
		}
	})
}

// admitted reports whether the gate admits a request, and responds to one that it does not.
func (d *door) admitted(w http.ResponseWriter, decide func() access.Decision) bool {
	if d.Limiter == nil {
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

// setRetryAfter tells when to come back, in seconds, rounded up.
func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}

func (d *door) serve(w http.ResponseWriter, r *http.Request, c caller, next answer) {
	body, err := next(r, c)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // a client that left needs none
}

func (d *door) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusInternalServerError
	if _, full := errors.AsType[*payment.FullError](err); full {
		setRetryAfter(w, fullPause)
		fail(w, http.StatusTooManyRequests, chain.PublicMessage(err))
		return
	}
	switch chain.KindOf(err) {
	case chain.Invalid:
		status = http.StatusBadRequest
	case chain.NotFound:
		status = http.StatusNotFound
	case chain.TooLarge:
		status = http.StatusRequestEntityTooLarge
	case chain.Behind, chain.Unavailable:
		status = http.StatusServiceUnavailable
	case chain.Internal:
		d.Logger.ErrorContext(r.Context(), "payments", "err", err, "request", handler.RequestID(r.Context()))
	}
	fail(w, handler.TextStatus(err, status), chain.PublicMessage(err))
}

func fail(w http.ResponseWriter, status int, text string) {
	b := handler.AppendString([]byte(`{"error":`), text)
	b = append(handler.AppendInt(append(b, `,"code":`...), status), '}')
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) //nolint:gosec // as above
}

// transfer returns the status of one transfer. A merchant's key sees the merchant's own. Without a key, reference or body
// hash suffice, both of which are on the chain: what is not on the chain is left out.
func (d *door) transfer(r *http.Request, c caller) ([]byte, error) {
	query := r.URL.Query()
	reference, hash := query.Get("reference"), query.Get("bodyHash")
	var record *payment.Record
	var err error
	switch {
	case reference != "" && hash == "":
		record, err = d.Payments.Payment(r.Context(), reference)
	case hash != "" && reference == "":
		var parsed chain.Hash
		if parsed, err = parseBodyHash(hash); err == nil {
			record, err = d.Payments.PaymentByBodyHash(r.Context(), parsed)
		}
	default:
		return nil, chain.Invalidf("give reference or bodyHash")
	}
	if err != nil {
		return nil, err
	}
	if c.merchant != nil && c.merchant.ID != record.Merchant {
		return nil, chain.NotFoundf("there is no such transfer")
	}
	info := record.Shown(d.TestOnly)
	if c.merchant == nil {
		info.CommentToSender = ""
	}
	return info.AppendJSON(nil), nil
}

// parseBodyHash reads a hash as clients send it: base64 whose plus signs were not escaped and became spaces, base64url
// with or without padding, or hex.
func parseBodyHash(text string) (chain.Hash, error) {
	text = strings.ReplaceAll(text, " ", "+")
	if raw, err := base64.RawURLEncoding.DecodeString(text); err == nil && len(raw) == len(chain.Hash{}) {
		return chain.HashFrom(raw), nil
	}
	return chain.ParseHash(text)
}
