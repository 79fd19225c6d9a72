package dashboard_test

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// fixedJettons knows one Jetton.
type fixedJettons struct{ master, wallet chain.Address }

func (f fixedJettons) Asset(_ context.Context, master chain.Address) (payment.Asset, error) {
	if master != f.master {
		return payment.Asset{}, chain.NotFoundf("not an indexed Jetton master")
	}
	return payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, nil
}

func (f fixedJettons) Wallet(context.Context, chain.Address, chain.Address) (chain.Address, error) {
	return f.wallet, nil
}

// pay requests a page of buyers without cookies.
func (v *visit) pay(method, path string) (status int, page, at string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, strings.TrimSuffix(v.base, dashboard.Prefix)+path, nil)
	require.NoError(v.t, err)
	resp, err := (&http.Client{Transport: v.client.Transport}).Do(r)
	require.NoError(v.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(v.t, err)
	require.Empty(v.t, resp.Cookies(), "buyers get no cookie")
	require.Contains(v.t, resp.Header.Get("Content-Security-Policy"), "default-src 'none'")
	return resp.StatusCode, string(body), resp.Request.URL.Path
}

// Only buyers on networks whose coins have no value read that they have none.
func TestPayPages_SayWhereCoinsHaveNoValue(t *testing.T) {
	t.Parallel()
	for network, worthless := range map[string]bool{"mainnet": false, "testnet": true, "devnet": true} {
		v := newVisit(t, func(o *dashboard.Options) { o.Network, o.TestOnly = network, worthless })
		_, page, _ := v.pay(http.MethodGet, "/pay/"+payment.NewPage())
		require.Equal(t, worthless, strings.Contains(page, "have no value"), network)
	}
}

var payLink = regexp.MustCompile(`http://[^"<]+(/pay/[A-Za-z0-9_-]{24})"`)

func TestPaymentLinks_StartPaymentsForAnyBuyer(t *testing.T) {
	t.Parallel()
	jettons := fixedJettons{master: testdb.Address(), wallet: testdb.Address()}
	v := newVisit(t, func(o *dashboard.Options) { o.Jettons = jettons })
	v.signIn()
	status, page := v.form("/links", "title", "A coffee", "amount", "2.5", "asset", "TON")
	require.Equal(t, 400, status)
	require.Contains(t, page, `default wallet on the <a href="/dashboard/account">page of the account</a>`)
	wallet := testdb.Address()
	status, _ = v.form("/account/receiving", "wallet", wallet.String())
	require.Equal(t, 200, status)
	for _, form := range [][]string{
		{"title", "", "amount", "1", "asset", "TON"}, {"title", "x", "amount", "0", "asset", "TON"}, {"title", "x", "amount", "-1", "asset", "TON"},
		{"title", "x", "amount", "1e30", "asset", "TON"}, {"title", "x", "amount", "1", "asset", "nothing"}, {"title", "x", "amount", "1", "asset", testdb.Address().String()},
		{"title", "x", "amount", "0.0000001", "asset", jettons.master.String()},
	} {
		status, _ = v.form("/links", form...)
		require.Equal(t, 400, status, form)
	}
	status, page = v.form("/links", "title", "A <coffee>", "amount", "2.50", "asset", "TON")
	require.Equal(t, 200, status)
	link := payLink.FindStringSubmatch(page)[1]

	status, page, _ = v.pay(http.MethodGet, link)
	require.Equal(t, 200, status)
	require.Contains(t, page, "A &lt;coffee&gt;")
	require.Contains(t, page, "2.5 TON")
	require.NotContains(t, page, "csrf")
	list, err := v.payments.Links(t.Context(), v.merchant.ID, 0, 10)
	require.NoError(t, err)
	require.Equal(t, link, "/pay/"+list[0].Page)
	days, err := v.payments.PaymentDays(t.Context(), v.merchant.ID, 1)
	require.NoError(t, err)
	require.Zero(t, days[0].Pending, "reading a link starts nothing")

	status, page, at := v.pay(http.MethodPost, link)
	require.Equal(t, 200, status)
	require.NotEqual(t, link, at)
	require.Contains(t, page, `<svg class="qr"`)
	deep := html.UnescapeString(regexp.MustCompile(`href="(ton://[^"]+)"`).FindStringSubmatch(page)[1])
	u, err := url.Parse(deep)
	require.NoError(t, err)
	require.Equal(t, "transfer", u.Host)
	require.Equal(t, "/"+wallet.Friendly(false, true), u.Path)
	require.Equal(t, "2500000000", u.Query().Get("amount"))
	reference := u.Query().Get("text")
	record, err := v.payments.Payment(t.Context(), reference)
	require.NoError(t, err)
	require.True(t, record.IsOpen())
	require.Equal(t, "A <coffee>", record.CommentToRecipient)
	require.Contains(t, page, `https://app.tonkeeper.com/transfer/`)
	for _, private := range []string{"/dashboard", v.merchant.Wallet + "x", "whsec_", record.BodyHash.String(), "bodyHash"} {
		if private != "x" {
			require.NotContains(t, page, private)
		}
	}
	// The reference is on the chain: it opens no page.
	status, _, _ = v.pay(http.MethodGet, "/pay/"+reference)
	require.Equal(t, 404, status)
	status, _, _ = v.pay(http.MethodGet, "/pay/"+payment.NewPage())
	require.Equal(t, 404, status)
	_, page = v.get("/payments/" + reference)
	require.Contains(t, page, at, "the merchant has the page, too")
	require.Contains(t, page, "whoever pays")

	// States of the payment, as the buyer sees them.
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	set := func(status, received int64) {
		_, err := handle.ExecContext(t.Context(), `UPDATE payments SET status = $2::int, matched = 3, paid = $3::numeric, received = $3::numeric, error_code = 37 * ($2::int - 1),
			error_message = CASE WHEN $2::int = 2 THEN 'Not enough TON' ELSE '' END, tx_hash = sha256('a'), trace_id = sha256('b'), tx_lt = 1, tx_now = extract(epoch FROM now()),
			paid_by = recipient WHERE reference = $1`, reference, status, received)
		require.NoError(t, err)
	}
	set(2, 1_000_000_000)
	_, page, _ = v.pay(http.MethodGet, at)
	require.Contains(t, page, "Received 1 TON; 1.5 TON is missing.")
	require.Contains(t, page, "ton://", "the complete amount can still be paid")
	set(1, 2_500_000_000)
	_, page, _ = v.pay(http.MethodGet, at)
	require.Contains(t, page, "Paid. Thank you.")
	require.NotContains(t, page, "ton://")
	_, page = v.get("/")
	require.Contains(t, page, "<strong>2.5 TON</strong>", "the volume of today")
	require.Contains(t, page, "100.0 %")

	// Another buyer gets another payment; when it has expired, it can be started again.
	_, _, second := v.pay(http.MethodPost, link)
	require.NotEqual(t, at, second)
	v.later.Store(int64(2 * time.Hour))
	_, page, _ = v.pay(http.MethodGet, second)
	require.Contains(t, page, "The time for this payment is over.")
	require.Contains(t, page, `action="`+link+`"`)
	v.later.Store(0)
	status, _ = v.form("/links/1/close")
	require.Equal(t, 200, status)
	_, page, _ = v.pay(http.MethodGet, link)
	require.Contains(t, page, "This link is closed.")
	_, page, _ = v.pay(http.MethodPost, link)
	require.Contains(t, page, "This link is closed.")

	// Jettons.
	status, page = v.form("/links", "title", "Tea", "amount", "1.25", "asset", jettons.master.String())
	require.Equal(t, 200, status)
	_, page, _ = v.pay(http.MethodPost, payLink.FindStringSubmatch(page)[1])
	u, err = url.Parse(html.UnescapeString(regexp.MustCompile(`href="(ton://[^"]+)"`).FindStringSubmatch(page)[1]))
	require.NoError(t, err)
	require.Equal(t, "1250000", u.Query().Get("amount"))
	require.Equal(t, jettons.master.Friendly(true, true), u.Query().Get("jetton"))
	record, err = v.payments.Payment(t.Context(), u.Query().Get("text"))
	require.NoError(t, err)
	require.Equal(t, jettons.wallet, record.Wallets.Recipient)
}

// A link for one payment has one open payment, however many visitors press the button at once, and ends when it is paid.
func TestPaymentLinks_OnceIsPaidOnce(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	l := &payment.Link{
		Merchant: v.merchant.ID, Page: payment.NewPage(), Title: "Invoice 5", Asset: payment.NativeAsset(), AssetText: "TON", Recipient: testdb.Address(),
		RecipientText: "x", Once: true,
	}
	var err error
	l.Amount, err = payment.ParseAmount("5", 9)
	require.NoError(t, err)
	v.createLink(l)
	pages := make([]string, 20)
	attack(t, len(pages), func(i int) (int, error) {
		tr := l.Transfer(time.Now(), time.Hour)
		if err := payment.PrepareOpen(tr); err != nil {
			return 0, err
		}
		var err error
		pages[i], err = v.payments.StartPayment(t.Context(), l.Merchant, l, tr, payment.NewPage())
		return 200, err
	})
	for _, page := range pages {
		require.Equal(t, pages[0], page)
	}
	record, err := v.payments.PaymentOfPage(t.Context(), pages[0])
	require.NoError(t, err)
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `UPDATE payments SET status = 1, paid = amount, received = amount, tx_hash = sha256('a'), trace_id = sha256('b'), tx_lt = 1, tx_now = 1, paid_by = recipient
		WHERE reference = $1`, record.Reference)
	require.NoError(t, err)
	_, page, at := v.pay(http.MethodPost, "/pay/"+l.Page)
	require.Equal(t, "/pay/"+l.Page, at)
	require.Contains(t, page, "This has been paid.")
}

// Visitors of links cannot use up what a merchant may have open: one address is slowed down, and all links have a limit.
func TestPaymentLinks_OpenPaymentsAreBounded(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	l := &payment.Link{
		Merchant: v.merchant.ID, Page: payment.NewPage(), Title: "Coffee", Asset: payment.NativeAsset(), AssetText: "TON", Recipient: testdb.Address(), RecipientText: "x",
	}
	var err error
	l.Amount, err = payment.ParseAmount("5", 9)
	require.NoError(t, err)
	v.createLink(l)
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err = handle.ExecContext(t.Context(), `UPDATE merchants SET max_open = 16`)
	require.NoError(t, err)
	start := func() error {
		tr := l.Transfer(time.Now(), time.Hour)
		require.NoError(t, payment.PrepareOpen(tr))
		_, err := v.payments.StartPayment(t.Context(), l.Merchant, l, tr, payment.NewPage())
		return err
	}
	for range 8 {
		require.NoError(t, start())
	}
	require.ErrorContains(t, start(), "8 open registrations")
	status, page, _ := v.pay(http.MethodPost, "/pay/"+l.Page)
	require.Equal(t, 429, status)
	require.Contains(t, page, "Too many payments are open")
	_, err = handle.ExecContext(t.Context(), `UPDATE merchants SET max_open = 1000`)
	require.NoError(t, err)
	statuses := map[int]int{}
	for range 15 {
		status, _, _ = v.pay(http.MethodPost, "/pay/"+l.Page)
		statuses[status]++
	}
	require.Equal(t, map[int]int{200: 9, 429: 6}, statuses, "ten attempts of one address")
}

// Requests for pages that do not exist count for nobody, and a site with many IPv6 networks does not fill a link.
func TestPaymentLinks_StartsAreLimitedWhereTheyCount(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	for range 15 {
		status, _, _ := v.pay(http.MethodPost, "/pay/"+payment.NewPage())
		require.Equal(t, 404, status)
	}
	l := v.link(payment.NativeAsset(), 5)
	got := attack(t, 200, func(i int) (int, error) {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, strings.TrimSuffix(v.base, dashboard.Prefix)+"/pay/"+l.Page, nil)
		if err != nil {
			return 0, err
		}
		r.Header.Set("X-Forwarded-For", "2001:db8:7:"+strconv.FormatInt(int64(i), 16)+"::1")
		w, err := v.withoutCookies().Do(r)
		if err != nil {
			return 0, err
		}
		return w.StatusCode, w.Body.Close()
	})
	require.Equal(t, map[int]int{303: 50, 429: 150}, got)
	days, err := v.payments.PaymentDays(t.Context(), v.merchant.ID, 1)
	require.NoError(t, err)
	require.Equal(t, 50, days[0].Pending)
}

// Payments of a link go to the merchant's present wallet, also when the link is older than the wallet.
func TestPaymentLinks_FollowTheWalletOfTheMerchant(t *testing.T) {
	t.Parallel()
	master := testdb.Address()
	v := newVisit(t, func(o *dashboard.Options) { o.Jettons = ownedJettons{master} })
	coins, jettons := v.link(payment.NativeAsset(), 5), v.link(payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, 7)
	to := testdb.Address()
	set := func(wallet string, assets ...string) {
		v.merchant.Wallet, v.merchant.Assets = wallet, assets
		require.NoError(t, v.payments.UpdateMerchant(t.Context(), v.merchant))
	}
	set(to.String())
	_, page, record := v.open(coins)
	require.Equal(t, to, record.Recipient)
	require.Equal(t, to.String(), record.RecipientText)
	require.Contains(t, page, to.Friendly(false, true))
	_, _, record = v.open(jettons)
	require.Equal(t, to, record.Recipient)
	require.Equal(t, walletOf(to), record.Wallets.Recipient)

	set("", "TON")
	status, page, _ := v.pay(http.MethodPost, "/pay/"+coins.Page)
	require.Equal(t, 400, status)
	require.Contains(t, page, "does not take payments", "no wallet")
	set(to.String(), "TON")
	v.open(coins)
	status, _, _ = v.pay(http.MethodPost, "/pay/"+jettons.Page)
	require.Equal(t, 400, status, "an asset that is not accepted any more")
}
