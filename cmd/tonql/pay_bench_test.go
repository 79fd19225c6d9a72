package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/ledger"
)

// BenchmarkPayments measures how long after the masterchain block that commits a payment the first byte of its notice is
// at the shop: a devnet of blocks a second apart, hundred wallets' payments in each, tonql as a process of its own.
//
//	go test ./cmd/tonql -run - -bench Payments
//
// TONQL_BENCH_PAYMENTS (payments, 2500) and TONQL_BENCH_RATE (a second, 100) change its measure.
func BenchmarkPayments(b *testing.B) {
	rate, payments := fromEnvironment(b, "TONQL_BENCH_RATE", 100), fromEnvironment(b, "TONQL_BENCH_PAYMENTS", 2500)
	world := newPayWorld(b, 4*rate)
	for b.Loop() {
		world.pay(b, rate, payments)
	}
}

// payWorld is a devnet in this process, a tonql beside it, and a shop with its receiver.
type payWorld struct {
	net      *devnet.Devnet
	base     string
	key      string
	payers   []*contracts.Wallet
	sent     int // orders so far; the payers take turns
	receiver *stopwatch
	commits  *commitClock
}

func newPayWorld(b *testing.B, payers int) *payWorld {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	net, err := devnet.Start(ctx, devnet.Options{Dir: b.TempDir()})
	require.NoError(b, err)
	w := &payWorld{net: net, commits: &commitClock{at: map[uint32]time.Time{}}, receiver: &stopwatch{first: map[string]arrival{}}}
	var running sync.WaitGroup
	running.Go(func() { _ = net.Run(ctx) }) //nolint:errcheck // it ends with ctx; a chain that stands still shows below
	running.Go(func() { w.commits.follow(ctx, net.Chain) })
	b.Cleanup(func() { cancel(); running.Wait(); require.NoError(b, net.Close()) })

	data := filepath.Join(b.TempDir(), "data")
	p := start(b, "up", "--data", data, "--listen", "127.0.0.1:0", "--global-config", net.GlobalConfigPath(), "--from", "1")
	b.Cleanup(func() { p.interrupt(20 * time.Second) })
	w.base = "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	w.key = found(b, `(tqpay_\S+)`, tonqlSays(b, "merchants", "create", "shop", "--data", data))
	server := httptest.NewUnstartedServer(w.receiver)
	server.Config.ConnContext, server.Config.ConnState = firstBytes()
	server.Start()
	b.Cleanup(server.Close)
	tonqlSays(b, "merchants", "endpoint", "shop", "--data", data, "--url", server.URL)
	w.fund(b, payers)
	return w
}

// fund makes the payers: wallets with coins that nobody has deployed yet.
func (w *payWorld) fund(b *testing.B, n int) {
	b.Helper()
	const each, most = 100_000_000_000, 250
	blocks := func(n uint32) { require.NoError(b, w.net.Chain.WaitSeqno(b.Context(), w.net.Chain.Head().ID.SeqNo+n)) }
	bank := w.wallet(b, contracts.V5R1, -1)
	require.NoError(b, w.net.Faucet.Send(b.Context(), bank.Address, uint64(n+1)*each, ""))
	blocks(3)
	var orders []contracts.Order
	for i := range n {
		payer := w.wallet(b, contracts.V3R2, i)
		w.payers = append(w.payers, payer)
		orders = append(orders, contracts.Order{Message: contracts.Transfer(payer.Address, each, "")})
	}
	seqno := uint32(0)
	for part := range slices.Chunk(orders, most) {
		message, err := bank.External(contracts.Ticket{Seqno: seqno, ValidUntil: w.net.Chain.Now() + 60, Deploy: seqno == 0}, part...)
		require.NoError(b, err)
		require.NoError(b, w.net.Chain.SendExternal(b.Context(), message))
		blocks(3)
		seqno++
	}
}

func (w *payWorld) wallet(b *testing.B, version contracts.WalletVersion, i int) *contracts.Wallet {
	b.Helper()
	seed := sha256.Sum256(fmt.Appendf(nil, "payer %d", i))
	wallet, err := contracts.NewWallet(version, contracts.Basechain, ed25519.NewKeyFromSeed(seed[:]), ledger.DefaultGlobalID)
	require.NoError(b, err)
	return wallet
}

// order is a registered payment that waits to be signed.
type order struct {
	Reference string
	Message   struct{ Address, Amount, Payload string }
}

// pay registers payments, lets the payers send them at an even rate, and reports how late the notices were.
func (w *payWorld) pay(b *testing.B, rate, payments int) {
	b.Helper()
	orders := make([]order, payments)
	for i := range orders {
		orders[i] = w.register(b, w.sent+i)
	}
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	began := time.Now()
	for i := range orders {
		<-tick.C
		w.send(b, &orders[i])
	}
	paced := float64(payments) / time.Since(began).Seconds()
	eventually(b, time.Minute, "all notices arrive", func() bool { return w.receiver.count(orders) == payments })

	blocks := w.blocks(b)
	notice, written := make([]time.Duration, 0, payments), make([]time.Duration, 0, payments)
	for _, o := range orders {
		a := w.receiver.of(o.Reference)
		committed, ok := w.commits.of(blocks[a.txHash])
		require.True(b, ok, "block of %s", a.txHash)
		notice, written = append(notice, a.at.Sub(committed)), append(written, a.event.Sub(committed))
	}
	slices.Sort(notice)
	slices.Sort(written)
	report := func(list []time.Duration, name string) {
		for label, at := range map[string]int{"p50": len(list) / 2, "p99": len(list) * 99 / 100, "max": len(list) - 1} {
			b.ReportMetric(float64(list[at].Microseconds())/1000, name+"-"+label+"-ms")
		}
	}
	report(notice, "notice")
	report(written, "event")
	b.ReportMetric(paced, "payments/s")
	b.ReportMetric(0, "ns/op")
}

func (w *payWorld) register(b *testing.B, n int) (o order) {
	b.Helper()
	payer := w.payers[n%len(w.payers)]
	body := fmt.Sprintf(`{"amount":0.01,"asset":"TON","recipientAddr":"0:%064x","senderAddr":"0:%x","commentToRecipient":"order %d"}`, 0xabc0+n%50, payer.Address.Data(), n)
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, w.base+"/api/merchant/v1/create-transfer", bytes.NewBufferString(body))
	require.NoError(b, err)
	r.Header.Set("X-Api-Key", w.key)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(b, err)
	defer func() { require.NoError(b, answer.Body.Close()) }()
	require.Equal(b, 200, answer.StatusCode)
	require.NoError(b, json.NewDecoder(answer.Body).Decode(&o))
	return o
}

// send lets the next payer sign what the shop was given.
func (w *payWorld) send(b *testing.B, o *order) {
	b.Helper()
	payer, seqno := w.payers[w.sent%len(w.payers)], uint32(w.sent/len(w.payers))
	w.sent++
	boc, err := base64.StdEncoding.DecodeString(o.Message.Payload)
	require.NoError(b, err)
	body, err := cell.FromBOC(boc)
	require.NoError(b, err)
	to, err := address.ParseAddr(o.Message.Address)
	require.NoError(b, err)
	message := contracts.Call(to, 10_000_000, body)
	message.Bounce = false
	external, err := payer.External(contracts.Ticket{Seqno: seqno, ValidUntil: w.net.Chain.Now() + 60, Deploy: seqno == 0}, contracts.Order{Message: message})
	require.NoError(b, err)
	require.NoError(b, w.net.Chain.SendExternal(b.Context(), external))
}

// blocks tells the masterchain block of each transaction, by its hash in hex.
func (w *payWorld) blocks(b *testing.B) map[string]uint32 {
	b.Helper()
	found := map[string]uint32{}
	for seqno := range w.commits.last.Load() + 1 {
		for offset := 0; ; offset += 1000 {
			status, body := get(b, fmt.Sprintf("%s/api/v3/transactionsByMasterchainBlock?seqno=%d&limit=1000&offset=%d", w.base, seqno, offset))
			var page struct{ Transactions []struct{ Hash []byte } }
			if status != http.StatusOK {
				break // it is before the first or not indexed yet
			}
			require.NoError(b, json.Unmarshal(body, &page))
			for _, t := range page.Transactions {
				found[hex.EncodeToString(t.Hash)] = seqno
			}
			if len(page.Transactions) < 1000 {
				break
			}
		}
	}
	return found
}

// commitClock notes when the chain commits masterchain blocks.
type commitClock struct {
	mu   sync.Mutex
	at   map[uint32]time.Time
	last atomic.Uint32
}

func (c *commitClock) follow(ctx context.Context, chain *ledger.Chain) {
	for seqno := chain.Head().ID.SeqNo + 1; chain.WaitSeqno(ctx, seqno) == nil; seqno++ {
		c.mu.Lock()
		c.at[seqno] = time.Now()
		c.mu.Unlock()
		c.last.Store(seqno)
	}
}

func (c *commitClock) of(seqno uint32) (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.at[seqno]
	return at, ok
}

// arrival is the first notice of a payment.
type arrival struct {
	at     time.Time // its first byte
	event  time.Time // when the event was written, to the millisecond
	txHash string
}

// stopwatch is a receiver that notes when notices arrive.
type stopwatch struct {
	mu    sync.Mutex
	first map[string]arrival // by reference
}

type connKey struct{}

// firstBytes lets a server note when the first byte of a connection's present request came.
func firstBytes() (func(context.Context, net.Conn) context.Context, func(net.Conn, http.ConnState)) {
	var clocks sync.Map // *atomic.Int64 by connection, in nanoseconds
	clock := func(c net.Conn) *atomic.Int64 {
		v, _ := clocks.LoadOrStore(c, new(atomic.Int64))
		return v.(*atomic.Int64) //nolint:errcheck,forcetypeassert // nothing else is stored
	}
	begin := func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, clock(c))
	}
	return begin, func(c net.Conn, s http.ConnState) {
		if s == http.StateActive {
			clock(c).Store(time.Now().UnixNano())
		}
	}
}

func (s *stopwatch) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	at := time.Unix(0, r.Context().Value(connKey{}).(*atomic.Int64).Load()) //nolint:errcheck,forcetypeassert // the server puts it there
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it comes again
	}
	var notice struct {
		Timestamp time.Time
		Data      struct{ Reference, TxHash string }
	}
	if err := json.Unmarshal(body, &notice); err != nil {
		return // then it never counts, and the benchmark fails
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.first[notice.Data.Reference]; !known {
		s.first[notice.Data.Reference] = arrival{at: at, event: notice.Timestamp, txHash: notice.Data.TxHash}
	}
}

func (s *stopwatch) of(reference string) arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first[reference]
}

func (s *stopwatch) count(orders []order) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range orders {
		if _, ok := s.first[o.Reference]; ok {
			n++
		}
	}
	return n
}
