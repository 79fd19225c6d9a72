package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
)

// BenchmarkTransfers mines full blocks of plain transfers: each wallet sends four
// messages, five transactions in all. Signing and accept checks are not counted.
func BenchmarkTransfers(b *testing.B) {
	wallets := testWallets(b, 400, 0)
	c := openChain(b, Options{Genesis: accountsOf(wallets...), MaxBlockTxs: 4000})
	txs := 0
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		for i, w := range wallets {
			var msgs []*tlb.InternalMessage
			for k := range 4 {
				msgs = append(msgs, pay(wallets[(i*5+k*31+n)%len(wallets)].address, 1e6))
			}
			require.NoError(b, c.SendExternal(context.Background(), w.transfer(b, uint32(n), msgs...)))
		}
		b.StartTimer()
		mine(b, c, 1)
		b.StopTimer()
		blocks, err := c.Committed(c.Head().ID.SeqNo)
		require.NoError(b, err)
		txs += len(blockTxs(b, blocks[0]))
		b.StartTimer()
	}
	b.ReportMetric(float64(txs)/b.Elapsed().Seconds(), "tx/s")
}

// BenchmarkEmptyRound measures a round without traffic.
func BenchmarkEmptyRound(b *testing.B) {
	c := openChain(b, Options{})
	for b.Loop() {
		mine(b, c, 1)
	}
}

// BenchmarkAccept measures the check of an external message before it is queued.
func BenchmarkAccept(b *testing.B) {
	w := newTestWallet(b, 1, 0, 1000e9)
	c := openChain(b, Options{Genesis: accountsOf(w)})
	for b.Loop() {
		b.StopTimer()
		msg := w.transfer(b, 0, pay(w.address, uint64(b.N)))
		c.pool.remove(c.pool.list())
		b.StartTimer()
		require.NoError(b, c.SendExternal(context.Background(), msg))
	}
}
