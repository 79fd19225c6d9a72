package indexer

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// BenchmarkIndexFatBlock decodes a full block of the main network, replays its 269 transactions from account states
// prepared anew, and writes it, as fast as two workers and the writer can. So that the same block can be written many
// times, each copy has higher LTs and seqnos; the number and size of its rows stay the same.
func BenchmarkIndexFatBlock(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	x := New(fat, testdb.New(b), Options{})
	ready := make(chan *chain.MasterBlock, 8)
	work := make(chan int)
	b.ReportAllocs()
	b.ResetTimer()
	group, ctx := errgroup.WithContext(b.Context())
	makers, mctx := errgroup.WithContext(ctx)
	for range 2 {
		makers.Go(func() error {
			for i := range work {
				m, err := decode.MasterBlock(mctx, fat.Raw)
				if err != nil {
					return err
				}
				if _, err := replay.New(x.net, replay.Options{Workers: 1}).Run(mctx, m); err != nil {
					return err
				}
				shift(m.MasterBlock, uint64(i))
				ready <- m.MasterBlock
			}
			return nil
		})
	}
	group.Go(func() error { return x.apply(ctx, ready) })
	for i := range b.N {
		work <- i
	}
	close(work)
	require.NoError(b, makers.Wait())
	close(ready)
	require.NoError(b, group.Wait())
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}

// shift moves a block's rows by n blocks: other keys, hashes and times, the same content.
func shift(m *chain.MasterBlock, n uint64) {
	lt, seconds := n*10_000_000, uint32(n)
	at := func(h chain.Hash) chain.Hash {
		binary.LittleEndian.PutUint64(h[:], binary.LittleEndian.Uint64(h[:])+n*0x9e3779b97f4a7c15)
		return h
	}
	ref := func(r *chain.TransactionRef) *chain.TransactionRef {
		if r == nil {
			return nil
		}
		return &chain.TransactionRef{LT: r.LT + lt, Hash: at(r.Hash)}
	}
	block := func(b *chain.Block) {
		b.Seqno += uint32(n)
		b.McSeqno += uint32(n)
		b.RootHash, b.FileHash = at(b.RootHash), at(b.FileHash)
		b.StartLT, b.EndLT = b.StartLT+lt, b.EndLT+lt
		b.GenUtime += seconds
	}
	block(&m.Block)
	for i := range m.ShardBlocks {
		block(&m.ShardBlocks[i])
	}
	for i := range m.Transactions {
		t := &m.Transactions[i]
		t.LT, t.Hash, t.PrevLT = t.LT+lt, at(t.Hash), t.PrevLT+lt
		t.McSeqno, t.Block.Seqno, t.Now = t.McSeqno+uint32(n), t.Block.Seqno+uint32(n), t.Now+seconds
		if t.InMsg != nil {
			t.InMsg.LT += lt
		}
	}
	for i := range m.Messages {
		msg := &m.Messages[i]
		msg.Key.LT, msg.Hash = msg.Key.LT+lt, at(msg.Hash)
		msg.SentBy, msg.ReceivedBy = ref(msg.SentBy), ref(msg.ReceivedBy)
		if msg.CreatedLT != nil {
			msg.CreatedLT = new(*msg.CreatedLT + lt)
		}
		if msg.CreatedAt != nil {
			msg.CreatedAt = new(*msg.CreatedAt + seconds)
		}
	}
	cells := make(map[chain.Hash]chain.BOC, len(m.Cells))
	data := map[chain.Hash]bool{}
	for i := range m.States {
		s := &m.States[i]
		s.LT, s.TxHash, s.Hash = s.LT+lt, at(s.TxHash), at(s.Hash)
		if s.DataHash != nil {
			data[*s.DataHash] = true
			moved := at(*s.DataHash)
			s.DataHash = &moved
		}
	}
	for h, boc := range m.Cells {
		if data[h] {
			h = at(h)
		}
		cells[h] = boc
	}
	m.Cells = cells
	shiftContracts(m, lt, uint32(n), at)
}

// shiftContracts moves the detected contracts and their transfers.
func shiftContracts(m *chain.MasterBlock, lt uint64, n uint32, at func(chain.Hash) chain.Hash) {
	for i := range m.Contracts {
		k := &m.Contracts[i]
		k.LT, k.McSeqno = k.LT+lt, k.McSeqno+n
		switch {
		case k.JettonMaster != nil:
			k.JettonMaster.LastTxLT += lt
		case k.JettonWallet != nil:
			k.JettonWallet.LastTxLT += lt
		case k.NFTCollection != nil:
			k.NFTCollection.LastTxLT += lt
		case k.NFTItem != nil:
			k.NFTItem.LastTxLT += lt
		case k.NFTSale != nil:
			k.NFTSale.LastTxLT += lt
		}
	}
	for i := range m.JettonTransfers {
		t := &m.JettonTransfers[i]
		t.TxLT, t.TxHash, t.TxNow = t.TxLT+lt, at(t.TxHash), t.TxNow+n
	}
	for i := range m.JettonBurns {
		t := &m.JettonBurns[i]
		t.TxLT, t.TxHash, t.TxNow = t.TxLT+lt, at(t.TxHash), t.TxNow+n
	}
	for i := range m.NFTTransfers {
		t := &m.NFTTransfers[i]
		t.TxLT, t.TxHash, t.TxNow = t.TxLT+lt, at(t.TxHash), t.TxNow+n
	}
}
