package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// merchantBrowser is a browser that is signed in to the dashboard.
type merchantBrowser struct {
	t      *testing.T
	base   string
	client *http.Client
}

func (w *paymentNetwork) signIn(t *testing.T) *merchantBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	b := &merchantBrowser{t, w.base, &http.Client{Jar: jar, Timeout: 20 * time.Second}}
	b.post("/dashboard/link", url.Values{"token": {w.link}})
	return b
}

func (b *merchantBrowser) post(path string, form url.Values) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+path, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	b.visit(r)
}

func (b *merchantBrowser) page(path string) string {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.base+path, nil)
	require.NoError(b.t, err)
	return b.visit(r)
}

func (b *merchantBrowser) visit(r *http.Request) string {
	b.t.Helper()
	resp, err := b.client.Do(r)
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, resp.Body.Close()) }()
	page, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, 200, resp.StatusCode, string(page))
	return string(page)
}

// refunds lists the amounts of the refunds that the page of a payment shows.
func (b *merchantBrowser) refunds(reference string) (amounts []string) {
	b.t.Helper()
	_, list, _ := strings.Cut(b.page("/dashboard/payments/"+reference), "<h2>Refunds</h2>")
	list, _, _ = strings.Cut(list, "</ul>")
	for _, m := range regexp.MustCompile(`UTC: (\S+ \S+), transaction`).FindAllStringSubmatch(list, -1) {
		amounts = append(amounts, m[1])
	}
	return amounts
}

// actor is a wallet contract that signs one message after the other.
type actor struct {
	*contracts.Wallet

	t     *testing.T
	net   *paymentNetwork
	seqno uint32
}

func (w *paymentNetwork) actor(t *testing.T, i int) *actor {
	t.Helper()
	a := &actor{Wallet: w.wallet(t, contracts.V4R2, 100+i), t: t, net: w}
	require.NoError(t, w.net.Faucet.Send(t.Context(), a.Address, 20_000_000_000, ""))
	w.wait(t, 3)
	return a
}

// send sends messages and waits until they were processed.
func (a *actor) send(messages ...*tlb.InternalMessage) {
	a.t.Helper()
	orders := make([]contracts.Order, len(messages))
	for i, m := range messages {
		orders[i].Message = m
	}
	a.net.send(a.t, a.Wallet, contracts.Ticket{Seqno: a.seqno, ValidUntil: a.net.net.Chain.Now() + 60, Deploy: a.seqno == 0}, orders...)
	a.seqno++
	a.net.wait(a.t, 5)
}

// jettons returns the order to a Jetton wallet of the actor.
func (a *actor) jettons(master contracts.Contract, amount int64, to *address.Address, comment string) *tlb.InternalMessage {
	from := contracts.JettonWallet(a.Address, master.Address, contracts.JettonWalletCode())
	body := contracts.JettonTransfer{Amount: tlb.FromNanoTON(big.NewInt(amount)), Destination: to, Response: a.Address, ForwardValue: 1}
	if comment != "" {
		body.ForwardPayload = contracts.Comment(comment)
	}
	return contracts.Call(from.Address, 100_000_000, body.Body())
}

// registerJettons registers a payment of Jettons with 6 decimals.
func (w *paymentNetwork) registerJettons(t *testing.T, master contracts.Contract, amount string, from, to *address.Address) (o order) {
	t.Helper()
	body := fmt.Sprintf(`{"amount":%s,"asset":%q,"recipientAddr":%q,"senderAddr":%q}`, amount, master.Address.StringRaw(), to.StringRaw(), from.StringRaw())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.base+"/api/merchant/v1/create-transfer", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Api-Key", w.key)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	require.Equal(t, 200, resp.StatusCode)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&o))
	return o
}

// Real Jetton contracts on a local chain: a refund is a transfer of the same Jetton from the shop to the payer, after the payment, with the
// reference or of exactly the amount. All others look similar and are none.
func TestPayments_RefundsOfJettonsAreRecognised(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := newPaymentNetwork(t, 400*time.Millisecond, 0)
	issuer, buyer, shop := w.actor(t, 0), w.actor(t, 1), w.actor(t, 2)
	master := func(symbol string) contracts.Contract {
		return contracts.JettonMaster(issuer.Address, contracts.OnchainContent(map[string]string{"name": symbol, "symbol": symbol, "decimals": "6"}), contracts.JettonWalletCode())
	}
	mint := func(master contracts.Contract, to *address.Address) *tlb.InternalMessage {
		return master.Deploy(500_000_000, contracts.JettonMint{Recipient: to, Amount: tlb.FromNanoTON(big.NewInt(100_000_000)), Value: 200_000_000, Response: issuer.Address}.Body())
	}
	// The forged Jetton has the code and the symbol of the genuine one.
	genuine, forged := master("TST"), master("TST ")
	issuer.send(mint(genuine, buyer.Address), mint(genuine, shop.Address), mint(genuine, issuer.Address), mint(forged, shop.Address))
	eventually(t, time.Minute, "the Jetton is indexed", func() bool {
		_, body := get(t, w.base+"/api/v3/jetton/wallets?jetton_address="+url.QueryEscape(genuine.Address.StringRaw()))
		var list struct {
			Wallets []struct{ Balance string } `json:"jetton_wallets"`
		}
		require.NoError(t, json.Unmarshal(body, &list))
		return len(list.Wallets) == 3
	})
	browser := w.signIn(t)
	endpoint := browser.page("/dashboard/webhooks/1")
	browser.post("/dashboard/webhooks/1", url.Values{
		"csrf":    {html.UnescapeString(submatch(t, `name="csrf" value="([^"]+)"`, endpoint))},
		"url":     {html.UnescapeString(submatch(t, `name="url" type="url" required value="([^"]+)"`, endpoint))},
		"enabled": {"1"}, "event": {"success", "refunded"},
	})
	first, second := w.registerJettons(t, genuine, "1", buyer.Address, shop.Address), w.registerJettons(t, genuine, "2.5", buyer.Address, shop.Address)

	shop.send(shop.jettons(genuine, 1_000_000, buyer.Address, first.Reference)) // before the payment
	buyer.send(first.signed(t).Message, second.signed(t).Message)
	eventually(t, time.Minute, "both payments are recognised", func() bool { return w.receiver.count([]order{first, second}) == 2 })

	shop.send(shop.jettons(forged, 1_000_000, buyer.Address, first.Reference), shop.jettons(forged, 2_500_000, buyer.Address, ""))     // of another Jetton
	shop.send(shop.jettons(genuine, 1_000_000, issuer.Address, first.Reference), shop.jettons(genuine, 2_500_000, issuer.Address, "")) // to another account
	issuer.send(issuer.jettons(genuine, 1_000_000, buyer.Address, first.Reference))                                                    // of somebody else
	shop.send(contracts.Transfer(buyer.Address, 1_000_000, first.Reference))                                                           // coins
	shop.send(shop.jettons(genuine, 999_999, buyer.Address, "sorry"))                                                                  // another amount
	shop.send(shop.jettons(genuine, 1_000_000_000, buyer.Address, first.Reference))                                                    // more than the shop has
	marker := w.register(t, buyer.Wallet, 1_000_000_000, 0)
	buyer.send(marker.signed(t).Message)
	eventually(t, time.Minute, "the index has all of them", func() bool { return w.receiver.count([]order{marker}) == 1 })
	require.Empty(t, browser.refunds(first.Reference))
	require.Empty(t, browser.refunds(second.Reference))

	shop.send(shop.jettons(genuine, 300_000, buyer.Address, "for "+first.Reference)) // in part
	shop.send(shop.jettons(genuine, 700_000, buyer.Address, first.Reference))        // the rest
	shop.send(shop.jettons(genuine, 2_500_000, buyer.Address, ""))                   // complete, by its amount
	shop.send(shop.jettons(genuine, 2_500_000, buyer.Address, ""))                   // once more, which is no second refund
	marker = w.register(t, buyer.Wallet, 1_000_000_000, 1)
	buyer.send(marker.signed(t).Message)
	eventually(t, time.Minute, "the index has these, too", func() bool { return w.receiver.count([]order{marker}) == 1 })
	require.ElementsMatch(t, []string{"0.3 TST", "0.7 TST"}, browser.refunds(first.Reference))
	require.Equal(t, []string{"2.5 TST"}, browser.refunds(second.Reference))

	// Each refund is an event with its own amount.
	list := browser.page("/dashboard/payments/" + first.Reference)
	var events []string
	for _, m := range regexp.MustCompile(`href="(/dashboard/deliveries/\d+)"`).FindAllStringSubmatch(list, -1) {
		body := html.UnescapeString(submatch(t, `sent</summary><pre tabindex="0">([^<]+)</pre>`, browser.page(m[1])))
		var event struct {
			Event string
			Data  struct{ Amount, RawAmount, AssetTicker, Reference string }
		}
		require.NoError(t, json.Unmarshal([]byte(body), &event), body)
		require.Equal(t, first.Reference, event.Data.Reference)
		events = append(events, event.Event+" "+event.Data.Amount+" "+event.Data.RawAmount+" "+event.Data.AssetTicker)
	}
	require.ElementsMatch(t, []string{"transfer.completed 1 1000000 TST", "transfer.refunded 0.3 300000 TST", "transfer.refunded 0.7 700000 TST"}, events)
}
