package contracts_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
)

func TestDNSRecords_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.DNSRecord { return k.DNS })
	require.Greater(t, len(all), 5)
	filters := []chain.DNSFilter{{Domain: "ab.ton"}, {Domain: "abab.ton"}, {Domain: "AB.ton"}, {Domain: "nul\x00"}, {Wallet: &m.Items[0]}}
	for i := range m.People {
		filters = append(filters, chain.DNSFilter{Wallet: &m.People[i]})
	}
	for _, f := range filters {
		want := storetest.Select(all, func(v *chain.DNSRecord) bool {
			return f.Domain == v.Domain || f.Wallet != nil && v.Wallet != nil && *f.Wallet == *v.Wallet
		}, func(a, b *chain.DNSRecord) int {
			return cmp.Or(cmp.Compare(len(a.Domain), len(b.Domain)), cmp.Compare(a.Domain, b.Domain), a.Item.Compare(b.Item))
		})
		storetest.RequireList(t, f.Domain, want, chain.Descending, (*chain.DNSRecord).Cursor, func(p chain.Page) ([]chain.DNSRecord, error) {
			return m.Reader.DNSRecords(t.Context(), f, p)
		})
	}
	for _, f := range []chain.DNSFilter{{}, {Domain: "a", Wallet: &m.People[0]}} {
		_, err := m.Reader.DNSRecords(t.Context(), f, chain.Page{})
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

func compareOrders(a, b *chain.MultisigOrder) int {
	return cmp.Or(a.Seqno.Cmp(b.Seqno), a.Address.Compare(b.Address))
}

func TestMultisigs_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.Multisig { return k.Multisig })
	orders := storetest.Records(m, func(k *chain.Contract) *chain.MultisigOrder { return k.MultisigOrder })
	nested := 0
	for _, f := range []chain.MultisigFilter{
		{Addresses: m.Multisigs}, {Addresses: m.Multisigs[:1]}, {Members: m.People[:1]}, {Members: m.People[:8]}, {Addresses: m.People},
		{Addresses: m.Multisigs, Members: m.People[:1]}, {Addresses: m.Multisigs, Orders: true}, {Members: m.People[:3], Orders: true},
	} {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := storetest.Select(all, func(v *chain.Multisig) bool {
				member := len(f.Members) == 0
				for _, who := range f.Members {
					member = member || slices.Contains(v.Signers, who) || slices.Contains(v.Proposers, who)
				}
				return member && storetest.Among(f.Addresses, v.Address)
			}, func(a, b *chain.Multisig) int { return storetest.Directed(sort, a.Address.Compare(b.Address)) })
			for i := range want {
				if f.Orders {
					want[i].Orders = storetest.Select(orders, func(o *chain.MultisigOrder) bool { return o.Multisig == want[i].Address }, compareOrders)
					nested += len(want[i].Orders)
				}
				if len(want[i].Orders) == 0 {
					want[i].Orders = nil
				}
			}
			storetest.RequireList(t, "multisigs", want, sort, (*chain.Multisig).Cursor, func(p chain.Page) ([]chain.Multisig, error) {
				return m.Reader.Multisigs(t.Context(), f, p)
			})
		}
	}
	require.Positive(t, nested)
	_, err := m.Reader.Multisigs(t.Context(), chain.MultisigFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestMultisigOrders_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.MultisigOrder { return k.MultisigOrder })
	require.Greater(t, len(all), 5)
	for _, f := range []chain.OrderFilter{
		{Addresses: m.Orders}, {Addresses: m.Orders[:4]}, {Multisigs: m.Multisigs[:1]}, {Multisigs: m.Multisigs},
		{Addresses: m.Orders, Multisigs: m.Multisigs[:2]}, {Multisigs: m.People},
	} {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			want := storetest.Select(all, func(v *chain.MultisigOrder) bool {
				return storetest.Among(f.Addresses, v.Address) && storetest.Among(f.Multisigs, v.Multisig)
			},
				func(a, b *chain.MultisigOrder) int { return storetest.Directed(sort, compareOrders(a, b)) })
			storetest.RequireList(t, "orders", want, sort, (*chain.MultisigOrder).Cursor, func(p chain.Page) ([]chain.MultisigOrder, error) {
				return m.Reader.MultisigOrders(t.Context(), f, p)
			})
		}
	}
	_, err := m.Reader.MultisigOrders(t.Context(), chain.OrderFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestVestings_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.Vesting { return k.Vesting })
	require.Greater(t, len(all), 3)
	for _, f := range []chain.VestingFilter{
		{Contracts: m.Vestings}, {Contracts: m.Vestings[:2]}, {Wallets: m.People[:1]}, {Wallets: m.People[:1], CheckWhitelist: true},
		{Wallets: m.People[:4], CheckWhitelist: true}, {Wallets: m.Items},
	} {
		want := storetest.Select(all, func(v *chain.Vesting) bool {
			for _, who := range f.Wallets {
				if who == v.Owner || who == v.Sender || f.CheckWhitelist && slices.Contains(v.Whitelist, who) {
					return true
				}
			}
			return slices.Contains(f.Contracts, v.Address)
		}, func(a, b *chain.Vesting) int { return a.Address.Compare(b.Address) })
		storetest.RequireList(t, "vestings", want, chain.Descending, (*chain.Vesting).Cursor, func(p chain.Page) ([]chain.Vesting, error) {
			return m.Reader.Vestings(t.Context(), f, p)
		})
	}
	_, err := m.Reader.Vestings(t.Context(), chain.VestingFilter{}, chain.Page{})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func TestNominatorPositions_EqualASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.NominatorPool { return k.NominatorPool })
	require.Greater(t, len(all), 2)
	every := map[chain.Address][]chain.NominatorPosition{}
	for _, who := range m.People {
		want, pools := []chain.NominatorPosition{}, []chain.Address{}
		for _, p := range all {
			if p.Validator == who {
				pools = append(pools, p.Address)
			}
			for _, n := range p.Nominators {
				if n.Address == who {
					want = append(want, chain.NominatorPosition{
						Nominator: who, Pool: p.Address, Balance: n.Balance, PendingBalance: n.PendingBalance, WithdrawalRequested: n.WithdrawalRequested,
					})
				}
			}
		}
		slices.SortFunc(want, func(a, b chain.NominatorPosition) int { return a.Pool.Compare(b.Pool) })
		storetest.RequireList(t, "positions", want, chain.Ascending, (*chain.NominatorPosition).Cursor, func(p chain.Page) ([]chain.NominatorPosition, error) {
			return m.Reader.NominatorPositions(t.Context(), who, p)
		})
		if len(want) > 0 {
			every[who] = want[:min(2, len(want))]
		}
		slices.SortFunc(pools, chain.Address.Compare)
		got, err := m.Reader.PoolsOfValidator(t.Context(), who, 10)
		require.NoError(t, err)
		require.Equal(t, pools, got)
	}
	pages, err := m.Reader.NominatorPositionsOf(t.Context(), m.People, chain.Page{Limit: 2, Sort: chain.Ascending})
	require.NoError(t, err)
	require.Equal(t, every, pages)
}
