package indexer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/store"
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
				if err := shift(m.MasterBlock, uint64(i)); err != nil {
					return err
				}
				ready <- m.MasterBlock
			}
			return nil
		})
	}
	group.Go(func() error { return x.apply(ctx, ready, x.db.Writer().Apply) })
	for i := range b.N {
		work <- i
	}
	close(work)
	require.NoError(b, makers.Wait())
	close(ready)
	require.NoError(b, group.Wait())
	requireNarrow(b, x.db)
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}

// stepLT is the distance of the LTs of two copies of a block.
const stepLT = 10_000_000

// moved is a hash as it is in the copy n.
func moved(h chain.Hash, n uint64) chain.Hash {
	binary.LittleEndian.PutUint64(h[:], binary.LittleEndian.Uint64(h[:])+n*0x9e3779b97f4a7c15)
	return h
}

// shift moves a block's rows by n blocks: other keys, hashes and times, the same content. The transactions of an account follow those in
// the copy before.
func shift(m *chain.MasterBlock, n uint64) error {
	lt, seconds := n*stepLT, uint32(n)
	at := func(h chain.Hash) chain.Hash { return moved(h, n) }
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
	if err := shiftChains(m, n); err != nil {
		return err
	}
	for i := range m.Transactions {
		t := &m.Transactions[i]
		t.McSeqno, t.Block.Seqno = t.McSeqno+uint32(n), t.Block.Seqno+uint32(n)
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
	return nil
}

// shiftChains moves what transactions, and their raw forms, say of themselves, of the transaction before and of the states around.
func shiftChains(m *chain.MasterBlock, n uint64) error {
	last, first := map[chain.Address]*chain.Transaction{}, map[chain.Address]bool{}
	for i := range m.Transactions {
		t := m.Transactions[i]
		if l := last[t.Account]; l == nil || l.LT < t.LT {
			last[t.Account] = &t
		}
	}
	for i := range m.Transactions {
		t := &m.Transactions[i]
		was := *t
		t.LT, t.Hash, t.Now = t.LT+n*stepLT, moved(t.Hash, n), t.Now+uint32(n)
		t.PrevLT, t.PrevHash = t.PrevLT+n*stepLT, moved(t.PrevHash, n)
		t.StateHashBefore, t.StateHashAfter = moved(t.StateHashBefore, n), moved(t.StateHashAfter, n)
		if l := last[t.Account]; n > 0 && !first[t.Account] {
			t.PrevLT, t.PrevHash, t.StateHashBefore = l.LT+(n-1)*stepLT, moved(l.Hash, n-1), moved(l.StateHashAfter, n-1)
		}
		first[t.Account] = true
		var err error
		if m.BOCs[i], err = shiftRaw(m.BOCs[i], &was, t); err != nil {
			return err
		}
	}
	return nil
}

// shiftRaw changes a raw transaction that says what was says to one that says what t says.
func shiftRaw(boc chain.BOC, was, t *chain.Transaction) (chain.BOC, error) {
	boc = slices.Clone(boc)
	size, offset := int(boc[4]&7), int(boc[5])
	root := 6 + 3*size + offset + size // one root, which is the first cell
	if boc[4]&0x80 != 0 {
		cells := 0
		for _, b := range boc[6 : 6+size] {
			cells = cells<<8 | int(b)
		}
		root += cells * offset
	}
	hashes := slices.Concat([]byte{0x72}, was.StateHashBefore[:], was.StateHashAfter[:])
	update := bytes.Index(boc, hashes)
	if update < 0 {
		return nil, errors.New("the raw transaction has no hashes of states")
	}
	copy(boc[update+1:], t.StateHashBefore[:])
	copy(boc[update+1+32:], t.StateHashAfter[:])
	// transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
	fields := binary.BigEndian.AppendUint64(nil, t.LT)
	fields = binary.BigEndian.AppendUint64(append(fields, t.PrevHash[:]...), t.PrevLT)
	fields = binary.BigEndian.AppendUint32(fields, t.Now)
	data := boc[root+2+32:] // after the descriptors and the account; the fields begin at the second half of the byte
	for i, b := range fields {
		data[i], data[i+1] = data[i]&0xf0|b>>4, b<<4|data[i+1]&0x0f
	}
	if boc[4]&0x40 != 0 {
		end := len(boc) - 4
		binary.LittleEndian.PutUint32(boc[end:], crc32.Checksum(boc[:end], crc32.MakeTable(crc32.Castagnoli)))
	}
	return boc, nil
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

// requireNarrow requires that the fields and the states of transactions are where an indexer writes them.
func requireNarrow(b *testing.B, db *store.DB) {
	b.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	wide := 0
	require.NoError(b, handle.QueryRowContext(b.Context(),
		`SELECT count(*) FROM transactions WHERE prev_hash IS NOT NULL OR states IS NULL`).Scan(&wide))
	require.Zero(b, wide, "transactions whose raw form or states do not fit")
}
