package dashboard

import (
	"cmp"
	"errors"
	"html/template"
	"math/big"
	"net/http"
	"time"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/rest/handler"
	"tonql/rest/qr"
)

const (
	// payLives is the time until a payment that a visitor started expires.
	payLives = time.Hour
	// maxStarts is the number of payments that one address starts at one link before it has to wait.
	maxStarts = 10
	// maxSiteStarts is that of all networks of an IPv6 site of siteBits: below what fills a link within the life of a payment.
	maxSiteStarts = 50
	siteBits      = 48
	// fullPause is the Retry-After of a link with the maximum of open payments.
	fullPause = time.Minute
	// payPoll is the interval in which the page of an open payment updates itself, in milliseconds.
	payPoll = 2000
)

var errNoPage = chain.NotFoundf("this page does not exist; check the link that you received")

// price formats an amount with its ticker.
func price(amount *big.Int, a payment.Asset) string {
	text := payment.FormatAmount(amount, a.Decimals)
	if a.Ticker != "" {
		text += " " + a.Ticker
	}
	return text
}

// offer is what a buyer sees of a payment, and nothing else of the merchant: no sender, no other payment, no settings.
type offer struct {
	Merchant, Title, Price string
	Page                   string // to start a payment at; empty for none
	Master                 string // of a Jetton
	State                  string // open, paid or closed for a link; pending, expired, success or failed for a payment
	// Of a payment.
	Recipient, Amount, Ticker, Reference string
	QR                                   template.HTML
	Links                                []payment.WalletLink
	ExpiresAt                            time.Time
	Received, Missing, Surplus           string
	Message                              string // reason of a failure
	Transaction                          *chain.Hash
	PaidAt                               time.Time
	Poll                                 int         // milliseconds; 0: the page does not change
	Connection                           *connection // nil: without TON Connect
}

func (d *dashboard) failPay(w http.ResponseWriter, r *http.Request, err error) {
	if full, ok := errors.AsType[*payment.FullError](err); ok {
		handler.RecordOf(r.Context()).Err = full
		setRetryAfter(w, fullPause)
		d.show(w, r, http.StatusTooManyRequests, "payfailed", nil, view{Title: "Error", Error: "Too many payments are open at this moment. Try again in a few minutes."})
		return
	}
	d.failOn(w, r, err, "payfailed")
}

// admitPay limits the requests for pages by their client address, before the lookup.
func (d *dashboard) admitPay(r *http.Request) error {
	if d.Limiter != nil {
		if decision := d.Limiter.AdmitDashboard(r.Context(), handler.Client(r, d.Proxies)); decision.Outcome == access.Limited {
			return &limited{decision.Wait}
		}
	}
	if !payment.IsPage(r.PathValue("page")) {
		return errNoPage
	}
	return nil
}

// showPay shows a payment, or the link that starts payments.
func (d *dashboard) showPay(w http.ResponseWriter, r *http.Request) error {
	if err := d.admitPay(r); err != nil {
		return err
	}
	record, err := d.Payments.PaymentOfPage(r.Context(), r.PathValue("page"))
	if err == nil {
		return d.showPayment(w, r, record)
	}
	if chain.KindOf(err) != chain.NotFound {
		return err
	}
	l, m, err := d.linkOf(r)
	if err != nil {
		return err
	}
	o := offer{Merchant: m.Name, Title: l.Title, Price: price(l.Amount, l.Asset), Page: l.Page, State: "open"}
	switch {
	case l.ClosedAt != nil:
		o.State = "closed"
	case l.Ended():
		o.State = "paid"
	}
	if l.Asset.Master != nil {
		o.Master = l.Asset.Master.Friendly(true, d.TestOnly)
	}
	d.show(w, r, http.StatusOK, "paylink", nil, view{Title: l.Title, Data: o})
	return nil
}

// linkOf returns the payment link of the path and its merchant.
func (d *dashboard) linkOf(r *http.Request) (*payment.Link, *payment.Merchant, error) {
	l, err := d.Payments.LinkByPage(r.Context(), r.PathValue("page"))
	if chain.KindOf(err) == chain.NotFound && err != nil {
		return nil, nil, errNoPage
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := d.merchantOf(r, l.Merchant)
	return l, m, err
}

// merchantOf returns a merchant of this network.
func (d *dashboard) merchantOf(r *http.Request, id int64) (*payment.Merchant, error) {
	m, err := d.Payments.Merchant(r.Context(), id)
	if err == nil && m.Network != d.Network {
		return nil, errNoPage
	}
	return m, err
}

// startPay registers a payment of a link and shows its page.
func (d *dashboard) startPay(w http.ResponseWriter, r *http.Request) error {
	if err := d.admitPay(r); err != nil {
		return err
	}
	l, m, err := d.linkOf(r)
	if err != nil {
		return err
	}
	page := l.Page
	if !l.Ended() {
		if err := d.admitStart(r, l); err != nil {
			return err
		}
		if err := d.followWallet(r, l, m); err != nil {
			return err
		}
		done, err := d.buyers.Acquire(r.Context(), l.Merchant)
		if err != nil {
			setRetryAfter(w, busyPause)
			return err
		}
		defer done()
		t := l.Transfer(d.Now(), payLives)
		if err := payment.PrepareOpen(t); err != nil {
			return err
		}
		if page, err = d.Payments.StartPayment(r.Context(), l.Merchant, l, t, payment.NewPage()); err != nil {
			return err
		}
	}
	http.Redirect(w, r, PayPrefix+"/"+page, http.StatusSeeOther)
	return nil
}

// admitStart limits the payments that one client, or in IPv6 one site with many networks, starts at a link. It counts for links that
// exist, so that random pages leave no counters.
func (d *dashboard) admitStart(r *http.Request, l *payment.Link) error {
	site := d.site(r)
	if _, wait := d.starts.begin(maxStarts, "pay", site.String()+" "+l.Page); wait > 0 {
		return &limited{wait}
	}
	if !site.Is6() {
		return nil
	}
	wide, err := site.Prefix(siteBits)
	if err != nil {
		return err
	}
	if _, wait := d.starts.begin(maxSiteStarts, "pay site", wide.String()+" "+l.Page); wait > 0 {
		return &limited{wait}
	}
	return nil
}

// errNotTaken is the error of a link whose payments the merchant does not take any more.
var errNotTaken = chain.Invalidf("the shop does not take payments by this link at the moment")

// followWallet lets a link pay to the merchant's present wallet, which an owner may have replaced since the link was made, because the
// earlier one is lost or not safe any more.
func (d *dashboard) followWallet(r *http.Request, l *payment.Link, m *payment.Merchant) error {
	if m.Wallet == "" || !m.Accepts(l.Asset) {
		return errNotTaken
	}
	if m.Wallet == l.RecipientText {
		return nil
	}
	to, err := payment.ParseWallet(m.Wallet)
	if err != nil {
		return err
	}
	l.RecipientText, l.Recipient = m.Wallet, to
	if l.Asset.Master == nil {
		return nil
	}
	if d.Jettons == nil {
		return errNotTaken
	}
	wallet, err := d.Jettons.Wallet(r.Context(), *l.Asset.Master, to)
	l.RecipientWallet = &wallet
	return err
}

func (d *dashboard) showPayment(w http.ResponseWriter, r *http.Request, p *payment.Record) error {
	m, err := d.merchantOf(r, p.Merchant)
	if err != nil {
		return err
	}
	_, link, err := d.Payments.PageOf(r.Context(), p.Reference)
	if err != nil {
		return err
	}
	a := p.Amounts()
	o := offer{
		Merchant: m.Name, Title: p.CommentToRecipient, Price: price(p.Amount, p.Asset), State: string(p.Status), Recipient: p.Recipient.Friendly(false, d.TestOnly),
		Amount: a.Requested, Ticker: p.Asset.Ticker, Reference: p.Reference, ExpiresAt: p.ExpiresAt, Received: a.Received, Missing: a.Missing, Surplus: a.Surplus,
		Transaction: p.TxHash,
	}
	if p.Asset.Master != nil {
		o.Master = p.Asset.Master.Friendly(true, d.TestOnly)
	}
	if p.TxHash != nil {
		o.PaidAt = time.Unix(int64(p.TxNow), 0)
	}
	switch {
	case p.Expired(d.Now()):
		o.State, o.Page, o.Poll = expired, link, payPoll // a late payment counts
	case p.Status == payment.Pending:
		o.Poll = payPoll
	case p.Status == payment.Failed:
		o.Page, o.Message, o.Poll = link, p.Message, payPoll
	}
	if o.State == string(payment.Pending) || o.State == string(payment.Failed) {
		o.Links = payment.WalletLinks(p.Asset, p.Amount, p.Recipient, p.Reference, d.TestOnly)
		if o.QR, err = qr.SVG(o.Links[0].URL, "QR code of the payment, for a wallet"); err != nil {
			return err
		}
		if o.Connection, err = d.connection(r); err != nil {
			return err
		}
	}
	if o.Connection != nil {
		w.Header().Set("Content-Security-Policy", connectPolicy(d.Wallets))
	}
	d.show(w, r, http.StatusOK, "pay", nil, view{Title: cmp.Or(o.Title, "Payment"), Live: o.Poll > 0, Connects: o.Connection != nil, Data: o})
	return nil
}
