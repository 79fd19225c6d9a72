package store_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Of a trace whose first transactions are not indexed, the first one that is gives it its id, and its in-message the external hash: in the rows of
// transactions as in lists of traces, until the blocks before are indexed.
func TestBrokenTraces_AreNamedByTheirFirstIndexedTransaction(t *testing.T) {
	t.Parallel()
	blocks := storetest.GiantTrace(40, 1, 1)
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks[10:])
	first := &blocks[10].Transactions[0]
	all := func() []chain.Transaction {
		txs, err := db.Reader().Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 100})
		require.NoError(t, err)
		for i := range txs {
			require.Nil(t, txs[i].TraceID)
		}
		require.NoError(t, db.Reader().NameBroken(t.Context(), txs))
		return txs
	}
	txs := all()
	require.Len(t, txs, 30)
	in, err := db.Reader().Messages(t.Context(), chain.MessageFilter{Destination: &first.Account}, chain.Page{Limit: 1})
	require.NoError(t, err)
	for i := range txs {
		require.Equal(t, &first.Hash, txs[i].TraceID)
		require.Equal(t, &in[0].Hash, txs[i].TraceExternalHash)
	}
	hashes := []chain.Hash{txs[0].Hash, txs[20].Hash}
	traces, err := db.Reader().Traces(t.Context(), chain.TraceFilter{TxHashes: hashes}, chain.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, traces, 1)
	require.Equal(t, first.Hash, traces[0].ID)
	full, err := db.Reader().FullTraces(t.Context(), traces, chain.TraceInclude{})
	require.NoError(t, err)
	require.Len(t, full[0].Transactions, 30)
	for i := range full[0].Transactions {
		require.Equal(t, &first.Hash, full[0].Transactions[i].TraceID)
		require.Equal(t, &in[0].Hash, full[0].Transactions[i].TraceExternalHash)
	}

	storetest.Apply(t, db.Writer(), blocks[5:10])
	require.Equal(t, &blocks[5].Transactions[0].Hash, all()[0].TraceID)
	storetest.Apply(t, db.Writer(), blocks[:5])
	txs, err = db.Reader().Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 100})
	require.NoError(t, err)
	require.NoError(t, db.Reader().NameBroken(t.Context(), txs))
	for i := range txs {
		require.Equal(t, &blocks[0].Transactions[0].Hash, txs[i].TraceID)
	}
}

// A trace that began before the index can be continued for ever. A list climbs a bounded number of steps for its transactions, however deep they lie; what
// lies deeper has no trace, as a wrong one would name transactions of one trace differently.
func TestBrokenTraces_OfListsAreClimbedInFewSteps(t *testing.T) {
	t.Parallel()
	blocks := storetest.GiantTrace(600, 1, 1)
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks[1:])
	first := &blocks[1].Transactions[0]
	all, err := db.Reader().Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 1000, Sort: chain.Ascending})
	require.NoError(t, err)
	require.Len(t, all, 599)
	for _, c := range []struct{ from, to, steps int }{{0, 599, 16}, {100, 140, 51}, {120, 136, 128}, {127, 128, 128}, {128, 129, 128}} {
		txs := slices.Clone(all[c.from:c.to])
		require.NoError(t, db.Reader().NameBroken(t.Context(), txs))
		for i := range txs {
			if c.from+i < c.steps {
				require.Equal(t, &first.Hash, txs[i].TraceID, "%d of %v", i, c)
			} else {
				require.Nil(t, txs[i].TraceID, "%d of %v", i, c)
				require.Nil(t, txs[i].TraceExternalHash, "%d of %v", i, c)
			}
		}
	}
	hashes := make([]chain.Hash, 0, 100)
	for i := range 100 {
		hashes = append(hashes, all[6*i].Hash)
	}
	traces, err := db.Reader().Traces(t.Context(), chain.TraceFilter{TxHashes: hashes}, chain.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, traces, 1)
	require.Equal(t, first.Hash, traces[0].ID)
	require.Equal(t, 599, traces[0].Transactions)
}
