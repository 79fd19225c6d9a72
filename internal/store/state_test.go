package store_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// chainWithBases returns a chain whose blocks bring the states that their transactions begin with, as an indexer that has no state in
// memory does.
func chainWithBases() []*chain.MasterBlock {
	blocks := storetest.SmallChain()
	left := map[chain.TransactionKey]chain.AccountState{}
	for _, mb := range blocks {
		var bases []chain.AccountState
		for i := range mb.Transactions {
			t := &mb.Transactions[i]
			if base, ok := left[chain.TransactionKey{Account: t.Account, LT: t.PrevLT}]; ok {
				bases = append(bases, base)
			}
		}
		for _, s := range mb.States {
			left[chain.TransactionKey{Account: s.Account, LT: s.LT}] = s
		}
		mb.States = append(bases, mb.States...)
	}
	return blocks
}

func withoutRests(blocks []*chain.MasterBlock) []*chain.MasterBlock {
	for _, mb := range blocks {
		for i := range mb.States {
			mb.States[i].Rest = nil
		}
	}
	return blocks
}

// A state that a transaction left lies in the row of the transaction, and nowhere else, whatever the order of blocks and whether they
// bring the states to begin with.
func TestAccountStates_AreInOnePlaceInAnyOrderOfBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	type index func(*testing.T, *store.DB, []*chain.MasterBlock)
	one := func(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) {
		t.Helper()
		for _, mb := range blocks {
			storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
		}
	}
	backward := func(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) {
		t.Helper()
		blocks = slices.Clone(blocks)
		slices.Reverse(blocks)
		one(t, db, blocks)
	}
	var wantDigest digests.Digest
	var want []chain.FullTransaction
	for i, c := range []struct {
		name   string
		blocks func() []*chain.MasterBlock
		index  index
	}{
		{"at once", storetest.SmallChain, func(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) {
			t.Helper()
			storetest.Apply(t, db.Writer(), blocks)
		}},
		{"forward", storetest.SmallChain, one},
		{"forward with states to begin with", chainWithBases, one},
		{"backward with states to begin with", chainWithBases, backward},
	} {
		blocks := c.blocks()
		db := testdb.New(t)
		c.index(t, db, blocks)
		digest, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		full := storetest.FullOf(t, db, blocks)
		if i == 0 {
			wantDigest, want = digest, full
		}
		require.Equal(t, wantDigest, digest, c.name)
		require.Equal(t, want, full, c.name)
		handle := db.SQLDB()
		t.Cleanup(func() { require.NoError(t, handle.Close()) })
		require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM account_states`), c.name)
		require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE states IS NULL`), c.name)
	}
	before := 0
	for i := range want {
		if want[i].PrevLT == 0 {
			continue
		}
		require.NotZero(t, want[i].StateBefore.Balance)
		before++
	}
	require.NotZero(t, before)
}

// Versions without states in rows of transactions wrote them to account_states; a row whose state is not known yet still does.
func TestAccountStates_InBothFormsReadAlike(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	db, old, mixed := testdb.New(t), testdb.New(t), testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks)
	storetest.Apply(t, old.Writer(), withoutRests(storetest.SmallChain()))
	half := len(blocks) / 2
	storetest.Apply(t, mixed.Writer(), withoutRests(storetest.SmallChain()[:half]))
	storetest.Apply(t, mixed.Writer(), storetest.SmallChain()[half:])
	want := storetest.FullOf(t, db, blocks)
	require.Equal(t, want, storetest.FullOf(t, old, blocks))
	require.Equal(t, want, storetest.FullOf(t, mixed, blocks))
	handle := old.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	require.Equal(t, len(want), storetest.Count(t, handle, `SELECT count(*) FROM account_states`))

	digest, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	within := &chain.SeqnoRange{First: 3, Last: 40}
	digestWithin, err := db.Reader().Digest(t.Context(), within)
	require.NoError(t, err)
	storetest.MoveStatesOut(t, db)
	require.Equal(t, want, storetest.FullOf(t, db, blocks))
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, digest, got)
	got, err = db.Reader().Digest(t.Context(), within)
	require.NoError(t, err)
	require.Equal(t, digestWithin, got)
}

func TestAccountStates_DamagedColumnIsAnError(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	handle := w.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	tx := w.Transactions[len(w.Transactions)/2]
	_, err := handle.ExecContext(t.Context(), `UPDATE transactions SET states = substr(states, 1, 20) WHERE hash = $1`, tx.Hash[:])
	require.NoError(t, err)
	_, err = w.Reader.AccountStatesAt(t.Context(), []chain.TransactionKey{tx.Key()})
	require.ErrorIs(t, err, store.ErrDamaged)
	txs, err := w.Reader.TransactionsByKey(t.Context(), []chain.TransactionKey{tx.Key()})
	require.NoError(t, err)
	_, err = w.Reader.Full(t.Context(), txs)
	require.ErrorIs(t, err, store.ErrDamaged)
}
