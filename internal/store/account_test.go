package store_test

import (
	"cmp"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// latest is the newest state of each account.
func latestStates(w *storetest.Chain) []chain.AccountState {
	newest := map[chain.Address]chain.AccountState{}
	for _, mb := range w.Masters {
		for _, s := range mb.States {
			newest[s.Account] = s
		}
	}
	rows := []chain.AccountState{}
	for _, s := range newest {
		rows = append(rows, s)
	}
	return storetest.Select(rows, func(*chain.AccountState) bool { return true }, func(a, b *chain.AccountState) int { return a.Account.Compare(b.Account) })
}

func TestAccountStates_AreSelectedByAddressAndCode(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	latest := latestStates(w)
	addresses := []chain.Address{{ID: chain.Hash{9}}}
	for _, s := range latest {
		addresses = append(addresses, s.Account, s.Account)
	}
	code := *latest[0].CodeHash
	withCode := storetest.Select(latest, func(s *chain.AccountState) bool { return *s.CodeHash == code }, func(a, b *chain.AccountState) int { return a.Account.Compare(b.Account) })
	for name, c := range map[string]struct {
		filter chain.AccountFilter
		want   []chain.AccountState
	}{
		"by address": {chain.AccountFilter{Addresses: addresses}, latest},
		"by code":    {chain.AccountFilter{CodeHashes: []chain.Hash{code, {7}}}, withCode},
		"by both":    {chain.AccountFilter{Addresses: addresses, CodeHashes: []chain.Hash{code}}, withCode},
		"unknown":    {chain.AccountFilter{Addresses: addresses[:1]}, []chain.AccountState{}},
	} {
		got, err := w.Reader.AccountStates(t.Context(), c.filter, chain.Page{Limit: 100})
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
		got, err = w.Reader.AccountStates(t.Context(), c.filter, chain.Page{Limit: 2, Offset: 1})
		require.NoError(t, err, name)
		require.Equal(t, storetest.CutOffset(c.want, chain.Page{Limit: 2, Offset: 1}), got, name)
	}
	_, err := w.Reader.AccountStates(t.Context(), chain.AccountFilter{}, chain.Page{Limit: 1})
	require.Equal(t, chain.Invalid, chain.KindOf(err))

	got, err := w.Reader.AccountStates(t.Context(), chain.AccountFilter{Addresses: addresses, WithBOC: true}, chain.Page{Limit: 100})
	require.NoError(t, err)
	cells := map[chain.Hash]chain.BOC{}
	for _, mb := range w.Masters {
		maps.Copy(cells, mb.Cells)
	}
	for _, s := range got {
		require.Equal(t, cells[*s.CodeHash], s.CodeBOC)
		require.Equal(t, cells[*s.DataHash], s.DataBOC)
	}
}

func TestAccountStatesAt_EveryTransactionHasItsState(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	states, err := w.Reader.AccountStatesAt(t.Context(), append(storetest.KeysOf(w.Transactions), chain.TransactionKey{LT: 5}))
	require.NoError(t, err)
	at := map[chain.TransactionKey]chain.AccountState{}
	for _, s := range states {
		at[chain.TransactionKey{Account: s.Account, LT: s.LT}] = s
	}
	require.Len(t, at, len(w.Transactions))
	for _, mb := range w.Masters {
		for _, s := range mb.States {
			require.Equal(t, s, at[chain.TransactionKey{Account: s.Account, LT: s.LT}])
		}
	}
}

func TestTopAccounts_AreOrderedByBalance(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
		want := []chain.AccountBalance{}
		for _, s := range storetest.Select(latestStates(w), func(*chain.AccountState) bool { return true }, func(a, b *chain.AccountState) int {
			return cmp.Or(storetest.Directed(sort, cmp.Compare(a.Balance, b.Balance)), -storetest.Directed(sort, a.Account.Compare(b.Account)))
		}) {
			want = append(want, chain.AccountBalance{Account: s.Account, Balance: s.Balance})
		}
		cursor := func(b *chain.AccountBalance) chain.Cursor {
			return (&chain.AccountState{Account: b.Account, Balance: b.Balance}).Cursor()
		}
		storetest.RequirePages(t, want, 7, sort, cursor, func(p chain.Page) ([]chain.AccountBalance, error) { return w.Reader.TopAccounts(t.Context(), p) })
		got, err := w.Reader.TopAccounts(t.Context(), chain.Page{Limit: 5, Offset: 3, Sort: sort})
		require.NoError(t, err)
		require.Equal(t, want[3:8], got)
	}
}

func TestAddressBook_ReturnsARowForEachAddress(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	code, err := chain.ParseHash("thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=")
	require.NoError(t, err)
	wallet := testdb.Account(t, db, func(s *chain.AccountState) { s.CodeHash = &code })
	contract := testdb.Account(t, db, nil)
	plain := testdb.Account(t, db, func(s *chain.AccountState) { s.Status, s.CodeHash, s.DataHash = chain.Uninit, nil, nil })
	gone := testdb.Account(t, db, func(s *chain.AccountState) { s.Status, s.CodeHash, s.DataHash = chain.Nonexist, nil, nil })
	unknown := testdb.Address()
	rows, err := db.Reader().AddressBook(t.Context(), []chain.Address{
		unknown, contract.Account, wallet.Account, plain.Account, wallet.Account, gone.Account,
	})
	require.NoError(t, err)
	require.Equal(t, []chain.AddressBookRow{
		{Address: unknown},
		{Address: contract.Account, Known: true, CodeHash: contract.CodeHash},
		{Address: wallet.Account, Known: true, CodeHash: &code, Wallet: true},
		{Address: plain.Account, Known: true},
		{Address: wallet.Account, Known: true, CodeHash: &code, Wallet: true},
		{Address: gone.Account},
	}, rows)
}

// The state before the deletion stays in the history; the latest state has status nonexist.
func TestAccountStates_DeletedAccountKeepsItsHistory(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	alive := testdb.Account(t, db, nil)
	tx := testdb.Transaction(t, db, func(tx *chain.Transaction) {
		tx.Account, tx.PrevLT, tx.StateHashBefore, tx.EndStatus = alive.Account, alive.LT, alive.Hash, chain.Nonexist
	})
	gone := chain.AccountState{Account: alive.Account, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Nonexist}
	got, err := db.Reader().AccountStates(t.Context(), chain.AccountFilter{Addresses: []chain.Address{alive.Account}}, chain.Page{})
	require.NoError(t, err)
	require.Equal(t, []chain.AccountState{gone}, got)
	full, err := db.Reader().Full(t.Context(), []chain.Transaction{tx})
	require.NoError(t, err)
	require.Equal(t, alive, full[0].StateBefore)
	require.Equal(t, gone, full[0].StateAfter)
	top, err := db.Reader().TopAccounts(t.Context(), chain.Page{})
	require.NoError(t, err)
	require.Empty(t, top)
}
