package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// newTraceBlocks makes a trace of n transactions, in which each sends up to children messages, spread over blocks in
// the order of creation.
func newTraceBlocks(n, children, perBlock int) []*chain.MasterBlock {
	type sent struct {
		message chain.Message
		block   int
	}
	var blocks []*chain.MasterBlock
	var flying []sent
	made, pending := 0, 0
	for made < n {
		mb := testdb.Master(uint32(len(blocks) + 1))
		blocks = append(blocks, mb)
		at := len(blocks) - 1
		for i := range perBlock {
			if made == n || made > 0 && (len(flying) == 0 || flying[0].block == at) {
				break
			}
			account := testdb.Address()
			tx := testdb.NewTransaction(mb, account)
			tx.LT = mb.Block.StartLT + uint64(i+1)*500
			made++
			if made > 1 {
				in := flying[0]
				flying = flying[1:]
				in.message.SentBy = nil
				tx.Account = *in.message.Destination
				in.message.ReceivedBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
				tx.InMsg = new(in.message.Key)
				mb.Messages = append(mb.Messages, in.message)
				pending--
			}
			for c := range min(children, n-made-pending) {
				m := testdb.NewMessage(mb, tx.Account, testdb.Address())
				m.Key.LT = tx.LT + uint64(c) + 1
				m.CreatedLT = new(m.Key.LT)
				m.SentBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
				tx.OutMsgCount++
				pending++
				mb.Messages = append(mb.Messages, m)
				flying = append(flying, sent{m, at})
			}
			mb.Transactions = append(mb.Transactions, tx)
		}
		mb.ShardBlocks[0].TxCount = int32(len(mb.Transactions))
	}
	return blocks
}

// Deep and wide traces, at the limit of returned transactions and above it, are equal in every order of blocks; those
// above it are returned without their tree, with a warning.
func TestApply_GiantTracesAreEqualInAnyOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, c := range []struct {
		name                  string
		n, children, perBlock int
		orders                []string
	}{
		{"deep", 700, 1, 1, []string{"forward", "backwards", "shuffled"}},
		{"at the limit", chain.MaxTraceTransactions, 200, 100, []string{"forward", "backwards", "shuffled"}},
		{"beyond it", chain.MaxTraceTransactions + 1, 200, 100, []string{"forward", "backwards"}},
		{"far beyond it", chain.MaxTraceTransactions * 5 / 4, 3, 200, []string{"forward", "backwards"}},
	} {
		blocks := newTraceBlocks(c.n, c.children, c.perBlock)
		root := blocks[0].Transactions[0]
		single := slices.Collect(slices.Chunk(blocks, 1))
		backwards, shuffled := slices.Clone(single), slices.Clone(single)
		slices.Reverse(backwards)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		var want store.Digest
		batches := map[string][][]*chain.MasterBlock{"forward": single, "backwards": backwards, "shuffled": shuffled}
		for _, name := range c.orders {
			order := batches[name]
			db := testdb.New(t)
			db.Writer().SetClassifier(testClassifier{})
			began := time.Now()
			for _, batch := range order {
				storetest.Apply(t, db.Writer(), batch)
			}
			t.Logf("%s, %s: %d transactions in %d blocks, %v", c.name, name, c.n, len(blocks), time.Since(began).Round(time.Millisecond))
			got, err := db.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			if want.Tables == nil {
				want = got
			}
			require.Equal(t, want.String(), got.String(), "%s, %s", c.name, name)

			last := blocks[len(blocks)-1].Transactions[0]
			traces, err := db.Reader().Traces(t.Context(), chain.TraceFilter{TxHashes: []chain.Hash{last.Hash}}, chain.Page{Limit: 1})
			require.NoError(t, err)
			require.Len(t, traces, 1)
			require.Equal(t, root.Hash, traces[0].ID)
			require.Equal(t, c.n, traces[0].Transactions)
			require.Equal(t, chain.TraceComplete, traces[0].State)
			of, err := db.Reader().Traces(t.Context(), chain.TraceFilter{Account: &last.Account}, chain.Page{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, traces, of)
			full, err := db.Reader().FullTraces(t.Context(), traces, chain.TraceInclude{Actions: true, Supported: []string{}})
			require.NoError(t, err)
			large := c.n > chain.MaxTraceTransactions
			require.Equal(t, large, full[0].TooLarge)
			require.Equal(t, large, full[0].Tree == nil)
			if large {
				require.Empty(t, full[0].Transactions)
				require.Equal(t, "trace is too large", full[0].Warning())
				require.Equal(t, chain.Unclassified, traces[0].Classification)
				continue
			}
			require.Len(t, full[0].Transactions, c.n)
			require.Empty(t, full[0].Warning())
		}
	}
}
