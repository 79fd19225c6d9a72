package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// The records, their history and the transfers are equal for every order of blocks.
func TestApply_ContractsAreEqualInAnyOrder(t *testing.T) {
	t.Parallel()
	blocks := storetest.NewContracts().Blocks
	backwards := slices.Collect(slices.Chunk(blocks, 1))
	slices.Reverse(backwards)
	shuffled := slices.Collect(slices.Chunk(blocks, 4))
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var want digests.Digest
	for name, batches := range map[string][][]*chain.MasterBlock{
		"one by one": slices.Collect(slices.Chunk(blocks, 1)), "backwards": backwards, "shuffled": shuffled, "at once": {blocks},
	} {
		db := testdb.New(t)
		for _, batch := range batches {
			storetest.Apply(t, db.Writer(), batch)
		}
		got, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		if want.Tables == nil {
			want = got
		}
		require.Equal(t, want, got, name)
		_, err = db.Reader().Digest(t.Context(), &chain.SeqnoRange{First: 5, Last: 9})
		require.NoError(t, err)
	}
}

// A detection replaces only an earlier detection of the same state.
func TestApplyDetections_ReplacesTheSameStateOnly(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	before, err := m.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	same := store.Detections{JettonTransfers: m.Transfers, JettonBurns: m.Burns, NFTTransfers: m.Moves}
	for _, k := range m.Latest {
		if k != nil {
			same.Contracts = append(same.Contracts, *k)
		}
	}
	require.NoError(t, m.DB.Writer().ApplyDetections(t.Context(), same))
	require.NoError(t, m.DB.Writer().ApplyDetections(t.Context(), store.Detections{}))
	after, err := m.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, before, after)

	wallet := storetest.Records(m, func(k *chain.Contract) *chain.JettonWallet { return k.JettonWallet })[0]
	was := m.Latest[wallet.Address]
	at := func() ([]chain.JettonWallet, error) {
		return m.Reader.JettonWallets(t.Context(), chain.JettonWalletFilter{Addresses: []chain.Address{wallet.Address}}, chain.Page{Limit: 1})
	}
	older, none := *was, *was
	older.LT--
	older.JettonWallet = nil
	require.NoError(t, m.DB.Writer().ApplyDetections(t.Context(), store.Detections{Contracts: []chain.Contract{older}}))
	rows, err := at()
	require.NoError(t, err)
	require.Equal(t, []chain.JettonWallet{wallet}, rows)
	none.JettonWallet, none.Interfaces, none.Methods = nil, []string{"else"}, []int32{5}
	require.NoError(t, m.DB.Writer().ApplyDetections(t.Context(), store.Detections{Contracts: []chain.Contract{none}}))
	rows, err = at()
	require.NoError(t, err)
	require.Empty(t, rows)
	_, err = m.Reader.JettonWalletAt(t.Context(), wallet.Address, 60)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
}

// All accounts with one code show the interfaces of that code; the domain is that of the account.
func TestInterfaces_AreSharedByAccountsOfOneCode(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	account, plain := testdb.Account(t, db, nil), testdb.Account(t, db, nil)
	detect := func(seqno uint32, methods []int32, names []string) {
		mb := testdb.Master(seqno)
		mb.Contracts = []chain.Contract{{Account: account.Account, LT: account.LT, McSeqno: seqno, CodeHash: *account.CodeHash, Interfaces: names, Methods: methods}}
		for i, name := range []string{"long.ton", "me.ton", "a.ton"} {
			d := &chain.DNSRecord{Item: testdb.Address(), Domain: name, Owner: &account.Account, Wallet: &account.Account}
			if i == 2 {
				d.Owner = &plain.Account // it resolves to the account, but has another owner
			}
			mb.Contracts = append(mb.Contracts, chain.Contract{Account: d.Item, LT: 1, McSeqno: seqno, DNS: d})
		}
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	read := func() (chain.AccountState, chain.AddressBookRow) {
		states, err := db.Reader().AccountStates(t.Context(), chain.AccountFilter{CodeHashes: []chain.Hash{*account.CodeHash}}, chain.Page{})
		require.NoError(t, err)
		rows, err := db.Reader().AddressBook(t.Context(), []chain.Address{account.Account})
		require.NoError(t, err)
		return states[0], rows[0]
	}
	detect(100, nil, nil)
	state, row := read()
	require.Nil(t, state.Methods)
	require.Empty(t, row.Interfaces)
	detect(101, []int32{}, []string{"wallet"})
	detect(102, nil, nil) // an empty detection removes nothing
	detect(103, []int32{1}, []string{"no"})
	state, row = read()
	require.Equal(t, []int32{}, state.Methods)
	require.Equal(t, []string{"wallet"}, state.Interfaces)
	require.Equal(t, chain.AddressBookRow{
		Address: account.Account, Known: true, CodeHash: account.CodeHash, Interfaces: []string{"wallet"}, Domain: new("me.ton"),
	}, row)
	rows, err := db.Reader().AddressBook(t.Context(), []chain.Address{plain.Account})
	require.NoError(t, err)
	require.Nil(t, rows[0].Domain)
	all, err := db.Reader().AccountsAfter(t.Context(), nil, 10)
	require.NoError(t, err)
	require.Equal(t, []chain.Address{account.Account, plain.Account}, all)
	all, err = db.Reader().AccountsAfter(t.Context(), &all[0], 10)
	require.NoError(t, err)
	require.Equal(t, []chain.Address{plain.Account}, all)
}

// A new detection of an account whose code cannot be read any more, because its library was withdrawn, removes no methods of the code, which other
// accounts share. A name that is found by the code itself replaces what was found by methods.
func TestApplyDetections_CodeThatCannotBeReadRetainsItsMethods(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	account := testdb.Account(t, db, nil)
	detect := func(methods []int32, names ...string) {
		t.Helper()
		k := chain.Contract{Account: account.Account, LT: account.LT, McSeqno: 100, CodeHash: *account.CodeHash, Interfaces: names, Methods: methods}
		require.NoError(t, db.Writer().ApplyDetections(t.Context(), store.Detections{Contracts: []chain.Contract{k}}))
	}
	requireCode := func(methods []int32, names ...string) {
		t.Helper()
		states, err := db.Reader().AccountStates(t.Context(), chain.AccountFilter{CodeHashes: []chain.Hash{*account.CodeHash}}, chain.Page{})
		require.NoError(t, err)
		require.Equal(t, methods, states[0].Methods)
		require.Equal(t, names, states[0].Interfaces)
	}
	detect(nil)
	detect([]int32{7}, "nft_item")
	requireCode([]int32{7}, "nft_item")
	detect(nil)
	requireCode([]int32{7}, "nft_item")
	detect(nil, "wallet_v5r1")
	requireCode([]int32{7}, "wallet_v5r1")
	detect([]int32{7, 8}, "jetton_wallet")
	requireCode([]int32{7, 8}, "jetton_wallet")
}
