package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/devnet/ledger"
)

// paymentNetwork is a devnet in this process, a tonql in another one, and a shop with a webhook receiver.
type paymentNetwork struct {
	net      *devnettest.Network
	base     string
	key      string
	link     string // token that signs in to the dashboard once
	payers   []*contracts.Wallet
	sent     int // orders so far; the payers send in rotation
	receiver *timedReceiver
	commits  *commitClock
}

// newPaymentNetwork starts a devnet whose blocks are an interval apart, a tonql and a shop.
func newPaymentNetwork(t testing.TB, interval time.Duration, payers int) *paymentNetwork {
	t.Helper()
	net := devnettest.Start(t.Context(), t, devnettest.Options{Devnet: devnet.Options{Interval: interval}})
	w := &paymentNetwork{net: net, commits: &commitClock{at: map[uint32]time.Time{}}, receiver: &timedReceiver{first: map[string]arrival{}}}
	var following sync.WaitGroup
	following.Go(func() { w.commits.follow(t.Context(), net.Chain) })
	t.Cleanup(following.Wait)

	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--global-config", net.GlobalConfigPath(), "--from", "1",
		"--limit-merchant-key", "none", "--limit-merchant-address", "none")
	t.Cleanup(func() { p.interrupt(20 * time.Second) })
	w.base = "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	made := runCommand(t, "merchants", "create", "shop", "--data", data)
	w.key, w.link = submatch(t, `(tqpay_\S+)`, made), submatch(t, `link\?token=(\S+)`, made)
	server := httptest.NewUnstartedServer(w.receiver)
	server.Config.ConnContext, server.Config.ConnState = firstBytes()
	server.Start()
	t.Cleanup(server.Close)
	runCommand(t, "merchants", "endpoint", "shop", "--data", data, "--url", server.URL)
	if payers > 0 {
		w.fund(t, payers)
	}
	return w
}

// fund makes the payers: wallets with coins that are not deployed yet.
func (w *paymentNetwork) fund(t testing.TB, n int) {
	t.Helper()
	const each, batch = 100_000_000_000, 250
	bank := w.wallet(t, contracts.V5R1, -1)
	require.NoError(t, w.net.Faucet.Send(t.Context(), bank.Address, uint64(n+1)*each, ""))
	w.wait(t, 3)
	var orders []contracts.Order
	for i := range n {
		payer := w.wallet(t, contracts.V3R2, i)
		w.payers = append(w.payers, payer)
		orders = append(orders, contracts.Order{Message: contracts.Transfer(payer.Address, each, "")})
	}
	seqno := uint32(0)
	for part := range slices.Chunk(orders, batch) {
		message, err := bank.External(contracts.Ticket{Seqno: seqno, ValidUntil: w.net.Chain.Now() + 60, Deploy: seqno == 0}, part...)
		require.NoError(t, err)
		require.NoError(t, w.net.Chain.SendExternal(t.Context(), message))
		w.wait(t, 3)
		seqno++
	}
}

func (w *paymentNetwork) wallet(t testing.TB, version contracts.WalletVersion, i int) *contracts.Wallet {
	t.Helper()
	seed := sha256.Sum256(fmt.Appendf(nil, "payer %d", i))
	wallet, err := contracts.NewWallet(version, contracts.Basechain, ed25519.NewKeyFromSeed(seed[:]), ledger.DefaultGlobalID)
	require.NoError(t, err)
	return wallet
}

// order is a registered payment that waits to be signed.
type order struct {
	Reference string
	Message   struct{ Address, Amount, Payload string }
}

// register registers a payment as the shop: nanotons from the payer to one of fifty recipients, the n-th order of all.
func (w *paymentNetwork) register(t testing.TB, payer *contracts.Wallet, nano uint64, n int) (o order) {
	t.Helper()
	body := fmt.Sprintf(`{"amount":%d.%09d,"asset":"TON","recipientAddr":"0:%064x","senderAddr":"0:%x","commentToRecipient":"order %d"}`,
		nano/1e9, nano%1e9, 0xabc0+n%50, payer.Address.Data(), n)
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

// signed returns the message that a wallet sends for an order.
func (o *order) signed(t testing.TB) contracts.Order {
	t.Helper()
	boc, err := base64.StdEncoding.DecodeString(o.Message.Payload)
	require.NoError(t, err)
	body, err := cell.FromBOC(boc)
	require.NoError(t, err)
	to, err := address.ParseAddr(o.Message.Address)
	require.NoError(t, err)
	nano, err := strconv.ParseUint(o.Message.Amount, 10, 64)
	require.NoError(t, err)
	message := contracts.Call(to, nano, body)
	message.Bounce = false
	return contracts.Order{Message: message}
}

// send sends an external message that the wallet signs.
func (w *paymentNetwork) send(t testing.TB, wallet *contracts.Wallet, ticket contracts.Ticket, orders ...contracts.Order) {
	t.Helper()
	external, err := wallet.External(ticket, orders...)
	require.NoError(t, err)
	require.NoError(t, w.net.Chain.SendExternal(t.Context(), external))
}

// wait waits for a number of blocks.
func (w *paymentNetwork) wait(t testing.TB, blocks uint32) {
	t.Helper()
	require.NoError(t, w.net.Chain.WaitSeqno(t.Context(), w.net.Chain.Head().ID.SeqNo+blocks))
}
