package dashboard

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
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
