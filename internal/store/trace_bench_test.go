package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// BenchmarkApplyTraces writes decoded blocks of typical traces: an external message, six transactions over three
// masterchain blocks, an action for each transaction. One commit for each masterchain block of about 40.
func BenchmarkApplyTraces(b *testing.B) {
	for _, shape := range []struct {
		name       string
		classifier chain.TraceClassifier
		batch      int
	}{
		{"traces, commit per block", nil, 1},
		{"traces and actions, commit per block", storetest.Classifier{}, 1},
		{"traces and actions, batches of 50 blocks", storetest.Classifier{}, 50},
	} {
		b.Run(shape.name, func(b *testing.B) {
			db := testdb.New(b)
			db.Writer().SetClassifier(shape.classifier)
			m := &traceGenerator{}
			written := 0
			start := cpuTime(b, db)
			for b.Loop() {
				b.StopTimer()
				blocks := make([]*chain.MasterBlock, shape.batch)
				for i := range blocks {
					blocks[i] = m.next()
					written += len(blocks[i].Transactions)
				}
				b.StartTimer()
				storetest.Apply(b, db.Writer(), blocks)
			}
			b.ReportMetric(float64(written)/b.Elapsed().Seconds(), "tx/s")
			b.ReportMetric(float64(written)/(cpuTime(b, db)-start).Seconds(), "tx/cpu-s")
			traces, err := db.Reader().Traces(b.Context(), chain.TraceFilter{}, chain.Page{Limit: 1})
			require.NoError(b, err)
			require.NotEmpty(b, traces)
		})
	}
}

// traceGenerator makes blocks of small traces.
type traceGenerator struct {
	seqno  uint32
	lt     uint64
	flying []chain.Message // sent in earlier blocks
}

func (h *traceGenerator) next() *chain.MasterBlock {
	h.seqno++
	mb := testdb.Master(h.seqno)
	h.lt = mb.Block.StartLT
	arriving := h.flying
	h.flying = nil
	for i := range arriving { // the second and third block of earlier traces
		m := arriving[i]
		m.SentBy = nil
		hops := int(*m.CreatedAt)
		m.CreatedAt = new(mb.Block.GenUtime)
		tx := h.receive(mb, &m)
		if hops > 1 {
			h.flying = append(h.flying, h.send(mb, tx, hops-1))
		}
		h.add(mb, tx, &m)
	}
	for range 7 { // new ones: three transactions here, two in the next block, one in the one after
		account := synthetic.Address(int(h.lt) % 5000)
		in := testdb.NewMessage(mb, account, account)
		in.Kind, in.Source, in.Value, in.CreatedLT, in.CreatedAt = chain.ExternalIn, nil, nil, nil, nil
		in.Bounce, in.Bounced, in.IHRDisabled, in.FwdFee, in.IHRFee = nil, nil, nil, nil, nil
		in.HashNorm = new(testdb.Hash())
		tx := h.receive(mb, &in)
		in.Key = chain.MessageKey{Account: account, LT: tx.LT}
		tx.InMsg = new(in.Key)
		for hops := range 2 {
			m := h.send(mb, tx, 0)
			child := h.receive(mb, &m)
			h.flying = append(h.flying, h.send(mb, child, hops+1))
			h.add(mb, child, &m)
		}
		h.add(mb, tx, &in)
	}
	mb.ShardBlocks[0].TxCount = int32(len(mb.Transactions))
	return mb
}

func (h *traceGenerator) receive(mb *chain.MasterBlock, m *chain.Message) *chain.Transaction {
	h.lt += 10
	tx := testdb.NewTransaction(mb, *m.Destination)
	tx.LT = h.lt
	m.ReceivedBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
	tx.InMsg = new(m.Key)
	return &tx
}

func (h *traceGenerator) send(mb *chain.MasterBlock, tx *chain.Transaction, hops int) chain.Message {
	tx.OutMsgCount++
	m := testdb.NewMessage(mb, tx.Account, synthetic.Address(int(h.lt*7)%5000))
	m.Key.LT = tx.LT + uint64(tx.OutMsgCount)
	m.CreatedLT, m.CreatedAt = new(m.Key.LT), new(uint32(hops))
	m.SentBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
	return m
}

func (h *traceGenerator) add(mb *chain.MasterBlock, tx *chain.Transaction, in *chain.Message) {
	mb.States = append(mb.States, chain.AccountState{
		Account: tx.Account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active, CodeHash: new(synthetic.CodeHash(1)),
		DataHash: &tx.Hash, Rest: []byte{1},
	})
	mb.Transactions = append(mb.Transactions, *tx)
	mb.Messages = append(mb.Messages, *in)
	for i := range h.flying {
		if m := &h.flying[i]; m.SentBy.Hash == tx.Hash {
			mb.Messages = append(mb.Messages, *m)
		}
	}
}
