package dashboard_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"image/png"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
	"tonql/internal/payment"
	"tonql/internal/testdb"
	"tonql/rest/dashboard"
)

// ownedJettons knows one Jetton; each owner has a wallet of it.
type ownedJettons struct{ master chain.Address }

func (j ownedJettons) Asset(_ context.Context, master chain.Address) (payment.Asset, error) {
	return payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, nil
}

func (j ownedJettons) Wallet(_ context.Context, master, owner chain.Address) (chain.Address, error) {
	if master != j.master {
		return chain.Address{}, chain.NotFoundf("not an indexed Jetton master")
	}
	return walletOf(owner), nil
}

func walletOf(owner chain.Address) chain.Address {
	return chain.Address{ID: sha256.Sum256(owner.ID[:])}
}

// withWallets offers TON Connect on a network whose id has no name.
func withWallets(t *testing.T, change ...func(*dashboard.Options)) func(*dashboard.Options) {
	t.Helper()
	wallets, err := dashboard.ReadWallets(walletFile(t, listOfWallets), false)
	require.NoError(t, err)
	return func(o *dashboard.Options) {
		o.Wallets, o.GlobalID = wallets, -777
		for _, c := range change {
			c(o)
		}
	}
}

// link creates a payment link of an amount.
func (v *visit) link(asset payment.Asset, amount int64) *payment.Link {
	v.t.Helper()
	l := &payment.Link{
		Merchant: v.merchant.ID, Page: payment.NewPage(), Title: "Coffee", Asset: asset, AssetText: "TON", Amount: big.NewInt(amount), Recipient: testdb.Address(), RecipientText: "x",
	}
	if asset.Master != nil {
		w := walletOf(l.Recipient)
		l.RecipientWallet = &w
	}
	v.createLink(l)
	return l
}

// createLink stores a payment link, whose recipient becomes the merchant's wallet.
func (v *visit) createLink(l *payment.Link) {
	v.t.Helper()
	v.merchant.Wallet = l.RecipientText
	require.NoError(v.t, v.payments.UpdateMerchant(v.t.Context(), v.merchant))
	require.NoError(v.t, v.payments.CreateLink(v.t.Context(), l))
}

// open starts a payment of a link and returns the path of its page.
func (v *visit) open(l *payment.Link) (path, page string, record *payment.Record) {
	v.t.Helper()
	status, page, path := v.pay(http.MethodPost, "/pay/"+l.Page)
	require.Equal(v.t, 200, status, page)
	record, err := v.payments.PaymentOfPage(v.t.Context(), strings.TrimPrefix(path, "/pay/"))
	require.NoError(v.t, err)
	return path, page, record
}

// fetch requests a path of the service and returns the response with its body.
func (v *visit) fetch(path string, headers ...string) (*http.Response, []byte) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, strings.TrimSuffix(v.base, dashboard.Prefix)+path, nil)
	require.NoError(v.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Client{Transport: v.client.Transport}).Do(r)
	require.NoError(v.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(v.t, err)
	return resp, body
}

// requested is a response of the endpoint of messages.
type requested struct {
	Error, Payer string
	Request      struct {
		ValidUntil    int64 `json:"valid_until"`
		Network, From string
		Messages      []struct{ Address, Amount, Payload string }
	}
}

func (v *visit) message(page, address string) (status int, m requested) {
	v.t.Helper()
	resp, body := v.fetch(page + "/message?address=" + address)
	require.Equal(v.t, "application/json", resp.Header.Get("Content-Type"))
	require.Equal(v.t, "no-store", resp.Header.Get("Cache-Control"))
	require.Empty(v.t, resp.Header.Get("Access-Control-Allow-Origin"))
	require.NoError(v.t, json.Unmarshal(body, &m), string(body))
	return resp.StatusCode, m
}

func payload(t *testing.T, boc string) *cell.Cell {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(boc)
	require.NoError(t, err)
	c, err := cell.FromBOC(raw)
	require.NoError(t, err)
	return c
}

func readComment(t *testing.T, c *cell.Cell) string {
	t.Helper()
	s, err := c.BeginParse()
	require.NoError(t, err)
	require.Zero(t, s.MustLoadUInt(32))
	text, err := s.LoadStringSnake()
	require.NoError(t, err)
	return text
}

func TestConnect_PageNamesBridgesOnlyWhereTheyAreUsed(t *testing.T) {
	t.Parallel()
	v := newVisit(t, withWallets(t, func(o *dashboard.Options) { o.Origin = "https://pay.example/" }))
	l := v.link(payment.NativeAsset(), 1000)
	path, page, _ := v.open(l)
	sources := func(path string) string {
		resp, _ := v.fetch(path)
		return regexp.MustCompile(`connect-src ([^;]*);`).FindStringSubmatch(resp.Header.Get("Content-Security-Policy"))[1]
	}
	require.Equal(t, "'self' https://bridge.alpha.example https://b.names.example:8443", sources(path), "origins, each once")
	for _, other := range []string{"/pay/" + l.Page, "/pay/" + payment.NewPage(), "/dashboard/signin"} {
		require.Equal(t, "'self'", sources(other), other)
	}
	require.Contains(t, page, `<script src="/pay/connect.js" defer></script>`)
	attribute := func(name string) string {
		return html.UnescapeString(regexp.MustCompile(`data-` + name + `="([^"]*)"`).FindStringSubmatch(page)[1])
	}
	require.Equal(t, "-777", attribute("network"))
	require.Equal(t, "https://pay.example/tonconnect-manifest.json", attribute("manifest"))
	require.Equal(t, path+"/message", attribute("message"))
	var wallets []dashboard.Wallet
	require.NoError(t, json.Unmarshal([]byte(attribute("wallets")), &wallets))
	require.Len(t, wallets, 3)
	// A page that can be paid no more offers no connection.
	v.later.Store(int64(2 * time.Hour))
	_, page, _ = v.pay(http.MethodGet, path)
	require.NotContains(t, page, "connect")
	require.Equal(t, "'self'", sources(path))
}

func TestConnect_WithoutWalletsNothingIsOffered(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	path, page, _ := v.open(v.link(payment.NativeAsset(), 1000))
	require.NotContains(t, page, "connect")
	resp, _ := v.fetch(path)
	require.Contains(t, resp.Header.Get("Content-Security-Policy"), "connect-src 'self';")
	resp, _ = v.fetch(dashboard.ManifestPath)
	require.Equal(t, 404, resp.StatusCode)
	status, m := v.message(path, testdb.Address().String())
	require.Equal(t, 404, status)
	require.NotEmpty(t, m.Error)
}

func TestConnect_ManifestIsForEveryOrigin(t *testing.T) {
	t.Parallel()
	v := newVisit(t, withWallets(t))
	resp, body := v.fetch(dashboard.ManifestPath, "Origin", "https://wallet.example")
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	require.Equal(t, "*", resp.Header.Get("Access-Control-Allow-Origin"))
	base := strings.TrimSuffix(v.base, dashboard.Prefix)
	require.JSONEq(t, `{"url": "`+base+`", "name": "tonql payments", "iconUrl": "`+base+`/pay/icon.png"}`, string(body), "without a public URL, that of the request")
	resp, body = v.fetch("/pay/icon.png")
	require.Equal(t, "image/png", resp.Header.Get("Content-Type"))
	require.Equal(t, "*", resp.Header.Get("Access-Control-Allow-Origin"))
	icon, err := png.DecodeConfig(strings.NewReader(string(body)))
	require.NoError(t, err)
	require.Equal(t, [2]int{180, 180}, [2]int{icon.Width, icon.Height})
}

func TestConnect_MessageOfCoinsHasTheReference(t *testing.T) {
	t.Parallel()
	v := newVisit(t, withWallets(t))
	l := v.link(payment.NativeAsset(), 1_500_000_000)
	path, _, record := v.open(l)
	payer := testdb.Address()
	status, m := v.message(path, payer.String())
	require.Equal(t, 200, status, m.Error)
	require.Equal(t, payer.Friendly(false, true), m.Payer)
	require.Equal(t, payer.String(), m.Request.From)
	require.Equal(t, "-777", m.Request.Network)
	require.InDelta(t, time.Now().Add(5*time.Minute).Unix(), m.Request.ValidUntil, 5)
	require.Len(t, m.Request.Messages, 1)
	require.Equal(t, l.Recipient.Friendly(false, true), m.Request.Messages[0].Address, "does not bounce: the recipient may be a new wallet")
	require.Equal(t, "1500000000", m.Request.Messages[0].Amount)
	body := payload(t, m.Request.Messages[0].Payload)
	require.Equal(t, record.Reference, readComment(t, body))
	require.Equal(t, record.BodyHash, chain.Hash(body.HashKey()), "the payment is found by its body")
}

func TestConnect_MessageOfJettonsIsForTheWalletOfThePayer(t *testing.T) {
	t.Parallel()
	master := testdb.Address()
	v := newVisit(t, withWallets(t, func(o *dashboard.Options) { o.Jettons = ownedJettons{master} }))
	l := v.link(payment.Asset{Master: &master, Ticker: "TST", Decimals: 6}, 1_250_000)
	path, _, record := v.open(l)
	payer := testdb.Address()
	status, m := v.message(path, payer.Friendly(false, true))
	require.Equal(t, 200, status, m.Error)
	sent := m.Request.Messages[0]
	require.Equal(t, walletOf(payer).Friendly(true, true), sent.Address, "bounces: it is a contract")
	require.Equal(t, "100000000", sent.Amount)
	order, err := jetton.ParseTransfer(payload(t, sent.Payload))
	require.NoError(t, err)
	require.Equal(t, big.NewInt(1_250_000), order.Amount)
	require.Equal(t, l.Recipient, *order.Destination)
	require.Equal(t, payer, *order.Response, "the excess returns to the payer")
	require.Equal(t, int64(1), order.ForwardAmount.Int64(), "so that the recipient is notified")
	require.Equal(t, record.Reference, readComment(t, order.ForwardPayload))

	// A payer of a Jetton that is gone gets a reason.
	other := testdb.Address()
	path, _, _ = v.open(v.link(payment.Asset{Master: &other, Decimals: 6}, 1))
	status, m = v.message(path, payer.String())
	require.Equal(t, 404, status)
	require.Contains(t, m.Error, "not an indexed Jetton master")
}

func TestConnect_MessageIsOfOpenPaymentsOnly(t *testing.T) {
	t.Parallel()
	v := newVisit(t, withWallets(t))
	l := v.link(payment.NativeAsset(), 1000)
	path, _, record := v.open(l)
	payer := testdb.Address().String()
	for _, address := range []string{"", "x", "0:12", "5:" + strings.Repeat("ab", 32), strings.Repeat("a", 5000), "0:" + strings.Repeat("zz", 32)} {
		status, m := v.message(path, address)
		require.Equal(t, 400, status, address)
		require.NotEmpty(t, m.Error)
	}
	for _, page := range []string{"/pay/" + l.Page, "/pay/" + payment.NewPage(), "/pay/" + record.Reference, "/pay/x"} {
		status, m := v.message(page, payer)
		require.Equal(t, 404, status, page)
		require.NotEmpty(t, m.Error)
	}
	// Nothing of the merchant is in a response.
	resp, body := v.fetch(path + "/message?address=" + payer)
	require.Equal(t, 200, resp.StatusCode)
	for _, private := range []string{v.merchant.Name, "Coffee", record.Reference} {
		require.NotContains(t, string(body), private)
	}
	handle := v.db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	set := func(status int) {
		_, err := handle.ExecContext(t.Context(), `UPDATE payments SET status = $2, paid = 1, received = 1, tx_hash = sha256('a'), trace_id = sha256('b'), tx_lt = 1, tx_now = 1, paid_by = recipient
			WHERE reference = $1`, record.Reference, status)
		require.NoError(t, err)
	}
	set(2)
	status, _ := v.message(path, payer)
	require.Equal(t, 200, status, "the complete amount can still be paid")
	set(1)
	status, m := v.message(path, payer)
	require.Equal(t, 400, status)
	require.Contains(t, m.Error, "is paid")
	path, _, _ = v.open(l)
	v.later.Store(int64(2 * time.Hour))
	status, m = v.message(path, payer)
	require.Equal(t, 400, status)
	require.Contains(t, m.Error, "is over")
}

func TestConnect_MessagesOfOnePageAreLimited(t *testing.T) {
	t.Parallel()
	v := newVisit(t, withWallets(t))
	l := v.link(payment.NativeAsset(), 1000)
	path, _, _ := v.open(l)
	payer := testdb.Address().String()
	statuses := map[int]int{}
	for range 32 {
		status, _ := v.message(path, payer)
		statuses[status]++
	}
	require.Equal(t, map[int]int{200: 30, 429: 2}, statuses)
	resp, _ := v.fetch(path + "/message?address=" + payer)
	wait, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	require.NoError(t, err)
	require.Positive(t, wait)
	other, _, _ := v.open(l)
	status, _ := v.message(other, payer)
	require.Equal(t, 200, status, "another payment")
}

func TestConnect_ScriptIsBuiltFromTheSources(t *testing.T) {
	t.Parallel()
	names := []string{"package-lock.json", "package.json", "tsconfig.json"}
	entries, err := os.ReadDir("app/src")
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, "src/"+e.Name())
	}
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("app", name))
		require.NoError(t, err)
		sum.Write([]byte(name + "\n"))
		sum.Write(data)
	}
	built, err := os.ReadFile("dist/connect.js")
	require.NoError(t, err)
	hash := sha256.Sum256(built)
	stored, err := os.ReadFile("dist/source.sha256")
	require.NoError(t, err)
	require.Equal(t, []string{hex.EncodeToString(sum.Sum(nil)), hex.EncodeToString(hash[:])}, strings.Fields(string(stored)), "run make connect")

	v := newVisit(t, withWallets(t))
	resp, plain := v.fetch("/pay/connect.js", "Accept-Encoding", "identity")
	require.Equal(t, "text/javascript; charset=utf-8", resp.Header.Get("Content-Type"))
	require.Equal(t, built, plain)
	resp, packed := v.fetch("/pay/connect.js", "Accept-Encoding", "gzip, br")
	require.Equal(t, "gzip", resp.Header.Get("Content-Encoding"))
	require.Less(t, len(packed), 24<<10, "bytes of the script over the network")
	reader, err := gzip.NewReader(strings.NewReader(string(packed)))
	require.NoError(t, err)
	unpacked, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, built, unpacked)
}
