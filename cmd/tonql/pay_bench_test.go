package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
)

// BenchmarkPayments measures the time from the masterchain block that commits a payment to the first byte of its
// webhook at the shop: a devnet with a block per second, payments of a hundred wallets in each, tonql as a separate
// process.
//
//	go test ./cmd/tonql -run - -bench Payments
//
// TONQL_BENCH_PAYMENTS (payments, 2500) and TONQL_BENCH_RATE (a second, 100) change the load.
func BenchmarkPayments(b *testing.B) {
	rate, payments := fromEnvironment(b, "TONQL_BENCH_RATE", 100), fromEnvironment(b, "TONQL_BENCH_PAYMENTS", 2500)
	pb := newPaymentNetwork(b, devnet.DefaultInterval, 4*rate)
	for b.Loop() {
		pb.pay(b, rate, payments)
	}
}

// pay registers payments, sends them from the payers at an even rate, and reports the delay of the webhooks.
func (w *paymentNetwork) pay(b *testing.B, rate, payments int) {
	b.Helper()
	orders := make([]order, payments)
	for i := range orders {
		orders[i] = w.register(b, w.payers[(w.sent+i)%len(w.payers)], 10_000_000, w.sent+i)
	}
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	began := time.Now()
	for i := range orders {
		<-tick.C
		payer, seqno := w.payers[w.sent%len(w.payers)], uint32(w.sent/len(w.payers))
		w.send(b, payer, contracts.Ticket{Seqno: seqno, ValidUntil: w.net.Chain.Now() + 60, Deploy: seqno == 0}, orders[i].signed(b))
		w.sent++
	}
	paced := float64(payments) / time.Since(began).Seconds()
	eventually(b, time.Minute, "all webhooks arrive", func() bool { return w.receiver.count(orders) == payments })

	blocks := w.blocks(b)
	delivered, written := make([]time.Duration, 0, payments), make([]time.Duration, 0, payments)
	for _, o := range orders {
		a := w.receiver.of(o.Reference)
		committed, ok := w.commits.of(blocks[a.txHash])
		require.True(b, ok, "block of %s", a.txHash)
		delivered, written = append(delivered, a.at.Sub(committed)), append(written, a.event.Sub(committed))
	}
	slices.Sort(delivered)
	slices.Sort(written)
	report := func(list []time.Duration, name string) {
		for label, at := range map[string]int{"p50": len(list) / 2, "p99": len(list) * 99 / 100, "max": len(list) - 1} {
			b.ReportMetric(float64(list[at].Microseconds())/1000, name+"-"+label+"-ms")
		}
	}
	report(delivered, "webhook")
	report(written, "event")
	b.ReportMetric(paced, "payments/s")
	b.ReportMetric(0, "ns/op")
}

// blocks returns the masterchain block of each transaction, by its hash in hex.
func (w *paymentNetwork) blocks(b *testing.B) map[string]uint32 {
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
