package store_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

func TestDNSRecords_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := newContractFixture(t)
	all := records(m, func(k *chain.Contract) *chain.DNSRecord { return k.DNS })
	require.Greater(t, len(all), 5)
	filters := []chain.DNSFilter{{Domain: "ab.ton"}, {Domain: "abab.ton"}, {Domain: "AB.ton"}, {Domain: "nul\x00"}, {Wallet: &m.items[0]}}
	for i := range m.people {
		filters = append(filters, chain.DNSFilter{Wallet: &m.people[i]})
	}
	for _, f := range filters {
		want := selected(all, func(v *chain.DNSRecord) bool {
			return f.Domain == v.Domain || f.Wallet != nil && v.Wallet != nil && *f.Wallet == *v.Wallet
		}, func(a, b *chain.DNSRecord) int {
			return cmp.Or(cmp.Compare(len(a.Domain), len(b.Domain)), cmp.Compare(a.Domain, b.Domain), a.Item.Compare(b.Item))
		})
		requireList(t, f.Domain, want, chain.Descending, (*chain.DNSRecord).Cursor, func(p chain.Page) ([]chain.DNSRecord, error) {
			return m.r.DNSRecords(t.Context(), f, p)
		})
	}
	for _, f := range []chain.DNSFilter{{}, {Domain: "a", Wallet: &m.people[0]}} {
		_, err := m.r.DNSRecords(t.Context(), f, chain.Page{})
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

func compareOrders(a, b *chain.MultisigOrder) int {
	return cmp.Or(a.Seqno.Cmp(b.Seqno), a.Address.Compare(b.Address))
}

func TestMultisigs_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := newContractFixture(t)
	all := records(m, func(k *chain.Contract) *chain.Multisig { return k.Multisig })
	orders := records(m, func(k *chain.Contract) *chain.MultisigOrder { return k.MultisigOrder })
	nested := 0
	for _, f := range []chain.MultisigFilter{
		{Addresses: m.multisigs}, {Addresses: m.multisigs[:1]}, {Members: m.people[:1]}, {Members: m.people[:8]}, {Addresses: m.people},
		{Addresses: m.multisigs, Members: m.people[:1]}, {Addresses: m.multisigs, Orders: true}, {Members: m.people[:3], Orders: true},
	} {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := selected(all, func(v *chain.Multisig) bool {
				member := len(f.Members) == 0
				for _, who := range f.Members {
					member = member || slices.Contains(v.Signers, who) || slices.Contains(v.Proposers, who)
				}
				return member && among(f.Addresses, v.Address)
			}, func(a, b *chain.Multisig) int { return directed(sort, a.Address.Compare(b.Address)) })
			for i := range want {
				if f.Orders {
					want[i].Orders = selected(orders, func(o *chain.MultisigOrder) bool { return o.Multisig == want[i].Address }, compareOrders)
					nested += len(want[i].Orders)
				}
				if len(want[i].Orders) == 0 {
					want[i].Orders = nil
				}
			}
			requireList(t, "multisigs", want, sort, (*chain.Multisig).Cursor, func(p chain.Page) ([]chain.Multisig, error) {
				return m.r.Multisigs(t.Context(), f, p)
			})
		}
	}
	require.Positive(t, nested)
	_, err := m.r.Multisigs(t.Context(), chain.MultisigFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestMultisigOrders_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := newContractFixture(t)
	all := records(m, func(k *chain.Contract) *chain.MultisigOrder { return k.MultisigOrder })
	require.Greater(t, len(all), 5)
	for _, f := range []chain.OrderFilter{
		{Addresses: m.orders}, {Addresses: m.orders[:4]}, {Multisigs: m.multisigs[:1]}, {Multisigs: m.multisigs},
		{Addresses: m.orders, Multisigs: m.multisigs[:2]}, {Multisigs: m.people},
	} {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := selected(all, func(v *chain.MultisigOrder) bool {
				return among(f.Addresses, v.Address) && among(f.Multisigs, v.Multisig)
			},
				func(a, b *chain.MultisigOrder) int { return directed(sort, compareOrders(a, b)) })
			requireList(t, "orders", want, sort, (*chain.MultisigOrder).Cursor, func(p chain.Page) ([]chain.MultisigOrder, error) {
				return m.r.MultisigOrders(t.Context(), f, p)
			})
		}
	}
	_, err := m.r.MultisigOrders(t.Context(), chain.OrderFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestVestings_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := newContractFixture(t)
	all := records(m, func(k *chain.Contract) *chain.Vesting { return k.Vesting })
	require.Greater(t, len(all), 3)
	for _, f := range []chain.VestingFilter{
		{Contracts: m.vestings}, {Contracts: m.vestings[:2]}, {Wallets: m.people[:1]}, {Wallets: m.people[:1], CheckWhitelist: true},
		{Wallets: m.people[:4], CheckWhitelist: true}, {Wallets: m.items},
	} {
		want := selected(all, func(v *chain.Vesting) bool {
			for _, who := range f.Wallets {
				if who == v.Owner || who == v.Sender || f.CheckWhitelist && slices.Contains(v.Whitelist, who) {
					return true
				}
			}
			return slices.Contains(f.Contracts, v.Address)
		}, func(a, b *chain.Vesting) int { return a.Address.Compare(b.Address) })
		requireList(t, "vestings", want, chain.Descending, (*chain.Vesting).Cursor, func(p chain.Page) ([]chain.Vesting, error) {
			return m.r.Vestings(t.Context(), f, p)
		})
	}
	_, err := m.r.Vestings(t.Context(), chain.VestingFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestClaimsOn_PagesReturnEveryClaim(t *testing.T) {
	t.Parallel()
	m := newContractFixture(t)
	found := 0
	for _, other := range append(slices.Clone(m.masters), m.collections...) {
		for _, refuted := range []bool{false, true} {
			want := []chain.Claimant{}
			for account, k := range m.latest {
				if k == nil {
					continue
				}
				for _, c := range k.Claims {
					if c.Other == other && (refuted || !c.Refuted) {
						want = append(want, chain.Claimant{Account: account, LT: k.LT, ContractClaim: c})
					}
				}
			}
			slices.SortFunc(want, func(a, b chain.Claimant) int {
				return cmp.Or(a.Account.Compare(b.Account), cmp.Compare(a.Interface, b.Interface))
			})
			found += len(want)
			got := []chain.Claimant{}
			var after *chain.Claimant
			for {
				page, err := m.r.ClaimsOn(t.Context(), other, refuted, after, 2)
				require.NoError(t, err)
				if len(page) == 0 {
					break
				}
				got = append(got, page...)
				after = &page[len(page)-1]
			}
			require.Equal(t, want, got)
		}
	}
	require.Greater(t, found, 5)
}

// The records, their history and the transfers are equal for every order of blocks.
func TestApply_ContractsAreEqualInAnyOrder(t *testing.T) {
	t.Parallel()
	blocks := newContracts().blocks
	backwards := slices.Collect(slices.Chunk(blocks, 1))
	slices.Reverse(backwards)
	shuffled := slices.Collect(slices.Chunk(blocks, 4))
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	var want store.Digest
	for name, batches := range map[string][][]*chain.MasterBlock{
		"one by one": slices.Collect(slices.Chunk(blocks, 1)), "backwards": backwards, "shuffled": shuffled, "at once": {blocks},
	} {
		db := testdb.New(t)
		for _, batch := range batches {
			apply(t, db.Writer(), batch)
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
	m := newContractFixture(t)
	before, err := m.r.Digest(t.Context(), nil)
	require.NoError(t, err)
	same := store.Detections{JettonTransfers: m.transfers, JettonBurns: m.burns, NFTTransfers: m.moves}
	for _, k := range m.latest {
		if k != nil {
			same.Contracts = append(same.Contracts, *k)
		}
	}
	require.NoError(t, m.db.Writer().ApplyDetections(t.Context(), same))
	require.NoError(t, m.db.Writer().ApplyDetections(t.Context(), store.Detections{}))
	after, err := m.r.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, before, after)

	wallet := records(m, func(k *chain.Contract) *chain.JettonWallet { return k.JettonWallet })[0]
	was := m.latest[wallet.Address]
	at := func() ([]chain.JettonWallet, error) {
		return m.r.JettonWallets(t.Context(), chain.JettonWalletFilter{Addresses: []chain.Address{wallet.Address}}, chain.Page{Limit: 1})
	}
	older, none := *was, *was
	older.LT--
	older.JettonWallet = nil
	require.NoError(t, m.db.Writer().ApplyDetections(t.Context(), store.Detections{Contracts: []chain.Contract{older}}))
	rows, err := at()
	require.NoError(t, err)
	require.Equal(t, []chain.JettonWallet{wallet}, rows)
	none.JettonWallet, none.Interfaces, none.Methods = nil, []string{"else"}, []int32{5}
	require.NoError(t, m.db.Writer().ApplyDetections(t.Context(), store.Detections{Contracts: []chain.Contract{none}}))
	rows, err = at()
	require.NoError(t, err)
	require.Empty(t, rows)
	_, err = m.r.JettonWalletAt(t.Context(), wallet.Address, 60)
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
		apply(t, db.Writer(), []*chain.MasterBlock{mb})
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
