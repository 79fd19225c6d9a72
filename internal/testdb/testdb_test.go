package testdb_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

func TestNew_DatabasesAreSeparate(t *testing.T) {
	t.Parallel()
	a, b := testdb.New(t), testdb.New(t)
	block := testdb.Block(t, a, func(b *chain.Block) { b.GlobalID = 7 })
	info, err := a.Reader().MasterchainInfo(t.Context())
	require.NoError(t, err)
	require.Equal(t, block, info.Last)
	_, err = b.Reader().MasterchainInfo(t.Context())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}

func TestCopies_AreFilledOnceAndSeparate(t *testing.T) {
	t.Parallel()
	var copies testdb.Copies
	filled := 0
	fill := func(db *store.DB) {
		filled++
		testdb.Block(t, db, nil)
	}
	a, b := copies.New(t, fill), copies.New(t, fill)
	require.Equal(t, 1, filled)
	testdb.Block(t, a, nil)
	for db, last := range map[*store.DB]uint32{a: 2, b: 1, copies.New(t, fill): 1} {
		ranges, err := db.Reader().Ranges(t.Context())
		require.NoError(t, err)
		require.Equal(t, []chain.SeqnoRange{{First: 1, Last: last}}, ranges)
	}
}

func TestFactories_WriteTheRowsTheyReturn(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	r := db.Reader()
	tx := testdb.Transaction(t, db, func(tx *chain.Transaction) { tx.TotalFees = 5 })
	txs, err := r.TransactionsByHash(t.Context(), []chain.Hash{tx.Hash})
	require.NoError(t, err)
	require.Equal(t, []chain.Transaction{tx}, txs)
	m := testdb.Message(t, db, nil)
	messages, err := r.MessagesByKey(t.Context(), []chain.MessageKey{m.Key})
	require.NoError(t, err)
	require.Equal(t, []chain.Message{m}, messages)
	s := testdb.Account(t, db, nil)
	states, err := r.AccountStates(t.Context(), chain.AccountFilter{Addresses: []chain.Address{s.Account}}, chain.Page{})
	require.NoError(t, err)
	require.Equal(t, []chain.AccountState{s}, states)
	ranges, err := r.Ranges(t.Context())
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: 1, Last: 3}}, ranges)
}
