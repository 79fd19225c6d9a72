package contracts_test

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
)

// pagesOf reads the same page of the list of each parent.
type pagesOf[T any] func([]chain.Address, chain.Page) (map[chain.Address][]T, error)

// requirePagesOf compares the lists of parents with a search in memory: the first rows of all parents at once, and the complete list of each,
// page by page.
func requirePagesOf[T any](t *testing.T, name string, parents []chain.Address, sort chain.Sort, of func(chain.Address) []T, cursor func(*T) chain.Cursor, read pagesOf[T]) {
	t.Helper()
	const limit = 2
	seen := 0
	pages, err := read(parents, chain.Page{Limit: limit, Sort: sort})
	require.NoError(t, err, name)
	for _, parent := range parents {
		want := of(parent)
		if len(want) == 0 {
			require.Empty(t, pages[parent], name)
			continue
		}
		seen = max(seen, len(want))
		require.Equal(t, want[:min(limit, len(want))], pages[parent], name)
		storetest.RequireList(t, name, want, sort, cursor, func(p chain.Page) ([]T, error) {
			pages, err := read([]chain.Address{parent}, p)
			if page := pages[parent]; page != nil {
				return page, err
			}
			return []T{}, err
		})
	}
	require.Greater(t, seen, limit, "%s: no parent has two pages", name)
	pages, err = read(nil, chain.Page{Limit: limit})
	require.NoError(t, err, name)
	require.Empty(t, pages, name)
}

func TestJettonWalletsOf_PagesEqualASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	all := storetest.Records(m, func(k *chain.Contract) *chain.JettonWallet { return k.JettonWallet })
	for _, c := range []chain.JettonWalletChoice{{}, {ExcludeZero: true}, {ByBalance: true}, {ByBalance: true, ExcludeZero: true}} {
		filled := func(v *chain.JettonWallet) bool {
			return !c.ExcludeZero || v.Balance.Sign() > 0 || v.Mintless != nil && v.Mintless.Amount.Sign() > 0 && (v.Claimed == nil || !*v.Claimed)
		}
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			byBalance := func(a, b *chain.JettonWallet) int {
				if !c.ByBalance {
					return 0
				}
				return storetest.Directed(sort, cmp.Or(a.Balance.Cmp(b.Balance), a.Address.Compare(b.Address)))
			}
			requirePagesOf(t, "of owners", m.People[:8], sort, func(owner chain.Address) []chain.JettonWallet {
				return storetest.Select(all, func(v *chain.JettonWallet) bool { return v.Owner == owner && filled(v) }, func(a, b *chain.JettonWallet) int {
					return cmp.Or(byBalance(a, b), a.Jetton.Compare(b.Jetton), a.Address.Compare(b.Address))
				})
			}, (*chain.JettonWallet).Cursor, func(owners []chain.Address, p chain.Page) (map[chain.Address][]chain.JettonWallet, error) {
				return m.Reader.JettonWalletsOfOwners(t.Context(), owners, c, p)
			})
			requirePagesOf(t, "of masters", m.Masters[:min(5, len(m.Masters))], sort, func(master chain.Address) []chain.JettonWallet {
				return storetest.Select(all, func(v *chain.JettonWallet) bool { return v.Jetton == master && filled(v) }, func(a, b *chain.JettonWallet) int {
					return cmp.Or(byBalance(a, b), a.Address.Compare(b.Address))
				})
			}, (*chain.JettonWallet).Cursor, func(masters []chain.Address, p chain.Page) (map[chain.Address][]chain.JettonWallet, error) {
				return m.Reader.JettonWalletsOfMasters(t.Context(), masters, c, p)
			})
		}
	}
}

// optional compares what may be absent, which comes first.
func optional[T any](a, b *T, compare func(a, b *T) int) int {
	switch {
	case a != nil && b != nil:
		return compare(a, b)
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	default:
		return 1
	}
}

func TestNFTItemsOf_PagesEqualASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	items := joinedItems(m)
	byIndex := func(a, b *chain.NFTItem) int {
		return cmp.Or(optional(a.Index, b.Index, (*big.Int).Cmp), a.Address.Compare(b.Address))
	}
	addresses := func(a, b *chain.Address) int { return a.Compare(*b) }
	is := func(a *chain.Address, want chain.Address) bool { return a != nil && *a == want }
	requirePagesOf(t, "of owners", m.People, chain.Ascending, func(owner chain.Address) []chain.NFTItem {
		return storetest.Select(items, func(v *chain.NFTItem) bool { return is(v.Owner, owner) }, func(a, b *chain.NFTItem) int {
			return cmp.Or(optional(a.Collection, b.Collection, addresses), byIndex(a, b))
		})
	}, (*chain.NFTItem).Cursor, func(owners []chain.Address, p chain.Page) (map[chain.Address][]chain.NFTItem, error) {
		return m.Reader.NFTItemsOfOwners(t.Context(), owners, p)
	})
	requirePagesOf(t, "of collections", m.Collections, chain.Ascending, func(collection chain.Address) []chain.NFTItem {
		return storetest.Select(items, func(v *chain.NFTItem) bool { return is(v.Collection, collection) }, byIndex)
	}, (*chain.NFTItem).Cursor, func(collections []chain.Address, p chain.Page) (map[chain.Address][]chain.NFTItem, error) {
		return m.Reader.NFTItemsOfCollections(t.Context(), collections, p)
	})
}

func TestMultisigsOf_PagesEqualASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	wallets := storetest.Records(m, func(k *chain.Contract) *chain.Multisig { return k.Multisig })
	for i := range wallets {
		wallets[i].Orders = nil
	}
	requirePagesOf(t, "of members", m.People, chain.Ascending, func(who chain.Address) []chain.Multisig {
		return storetest.Select(wallets, func(v *chain.Multisig) bool {
			return slices.Contains(v.Signers, who) || slices.Contains(v.Proposers, who)
		},
			func(a, b *chain.Multisig) int { return a.Address.Compare(b.Address) })
	}, (*chain.Multisig).Cursor, func(members []chain.Address, p chain.Page) (map[chain.Address][]chain.Multisig, error) {
		return m.Reader.MultisigsOfMembers(t.Context(), members, p)
	})
	orders := storetest.Records(m, func(k *chain.Contract) *chain.MultisigOrder { return k.MultisigOrder })
	for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
		requirePagesOf(t, "orders", m.Multisigs, sort, func(multisig chain.Address) []chain.MultisigOrder {
			return storetest.Select(orders, func(v *chain.MultisigOrder) bool { return v.Multisig == multisig },
				func(a, b *chain.MultisigOrder) int { return storetest.Directed(sort, compareOrders(a, b)) })
		}, (*chain.MultisigOrder).Cursor, func(multisigs []chain.Address, p chain.Page) (map[chain.Address][]chain.MultisigOrder, error) {
			return m.Reader.OrdersOfMultisigs(t.Context(), multisigs, p)
		})
	}
}

func TestVestingsAndDomainsOf_PagesEqualASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	vestings := storetest.Records(m, func(k *chain.Contract) *chain.Vesting { return k.Vesting })
	requirePagesOf(t, "vestings", m.People, chain.Ascending, func(who chain.Address) []chain.Vesting {
		return storetest.Select(vestings, func(v *chain.Vesting) bool { return v.Owner == who || v.Sender == who },
			func(a, b *chain.Vesting) int { return bytes.Compare(a.Address.Bytes(), b.Address.Bytes()) })
	}, (*chain.Vesting).Cursor, func(wallets []chain.Address, p chain.Page) (map[chain.Address][]chain.Vesting, error) {
		return m.Reader.VestingsOfWallets(t.Context(), wallets, p)
	})
	domains := storetest.Records(m, func(k *chain.Contract) *chain.DNSRecord { return k.DNS })
	requirePagesOf(t, "domains", m.People, chain.Ascending, func(wallet chain.Address) []chain.DNSRecord {
		return storetest.Select(domains, func(v *chain.DNSRecord) bool { return v.Wallet != nil && *v.Wallet == wallet }, func(a, b *chain.DNSRecord) int {
			return cmp.Or(cmp.Compare(len(a.Domain), len(b.Domain)), cmp.Compare(a.Domain, b.Domain), a.Item.Compare(b.Item))
		})
	}, (*chain.DNSRecord).Cursor, func(wallets []chain.Address, p chain.Page) (map[chain.Address][]chain.DNSRecord, error) {
		return m.Reader.DNSRecordsOfWallets(t.Context(), wallets, p)
	})
}

// requireTransfersOf compares the transfers of owners in each direction, of contracts and of tokens with a search in memory.
func requireTransfersOf[T any](t *testing.T, m *storetest.Contracts, all []T, contracts, tokens []chain.Address, row func(*T) *transferRow, cursor func(*T) chain.Cursor,
	read func([]chain.Address, chain.TransferChoice, chain.Page) (map[chain.Address][]T, error),
) {
	t.Helper()
	var both chain.TransferDirection
	for name, c := range map[string]struct {
		choice  chain.TransferChoice
		parents []chain.Address
		filter  func(chain.Address) chain.JettonTransferFilter
	}{
		"of owners": {chain.TransferChoice{Direction: both}, m.People, func(a chain.Address) chain.JettonTransferFilter {
			return chain.JettonTransferFilter{Owners: []chain.Address{a}}
		}},
		"sent by owners": {chain.TransferChoice{Direction: chain.Outgoing}, m.People, func(a chain.Address) chain.JettonTransferFilter {
			return chain.JettonTransferFilter{Owners: []chain.Address{a}, Direction: chain.Outgoing}
		}},
		"received by owners": {
			chain.TransferChoice{Direction: chain.Incoming}, m.People,
			func(a chain.Address) chain.JettonTransferFilter {
				return chain.JettonTransferFilter{Owners: []chain.Address{a}, Direction: chain.Incoming}
			},
		},
		"of contracts": {chain.TransferChoice{Of: chain.TransfersOfContract}, contracts, func(a chain.Address) chain.JettonTransferFilter {
			return chain.JettonTransferFilter{JettonWallets: []chain.Address{a}}
		}},
		"of tokens": {chain.TransferChoice{Of: chain.TransfersOfToken}, tokens, func(a chain.Address) chain.JettonTransferFilter { return chain.JettonTransferFilter{Jetton: &a} }},
	} {
		for _, sort := range []chain.Sort{chain.Descending, chain.Ascending} {
			requirePagesOf(t, name, c.parents, sort, func(parent chain.Address) []T {
				f := c.filter(parent)
				return storetest.Select(all, func(v *T) bool { return row(v).matches(&f) }, func(a, b *T) int { return compareTransfers(&f, sort, row(a), row(b)) })
			}, cursor, func(parents []chain.Address, p chain.Page) (map[chain.Address][]T, error) {
				return read(parents, c.choice, p)
			})
		}
	}
}

func TestTransfersOf_PagesEqualASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	m := storetest.IndexContracts(t)
	completed := slices.DeleteFunc(slices.Clone(m.Transfers), func(v chain.JettonTransfer) bool { return v.TxAborted })
	requireTransfersOf(t, m, completed, m.Wallets, m.Masters, func(v *chain.JettonTransfer) *transferRow {
		return &transferRow{v.SourceWallet, v.Source, v.Destination, &v.Jetton, v.TxLT, v.TxNow}
	}, (*chain.JettonTransfer).Cursor, func(parents []chain.Address, c chain.TransferChoice, p chain.Page) (map[chain.Address][]chain.JettonTransfer, error) {
		return m.Reader.JettonTransfersOf(t.Context(), parents, c, p)
	})
	requireTransfersOf(t, m, m.Burns, m.Wallets, m.Masters, func(v *chain.JettonBurn) *transferRow { // an owner burns, whatever the direction
		return &transferRow{v.JettonWallet, v.Owner, &v.Owner, &v.Jetton, v.TxLT, v.TxNow}
	}, (*chain.JettonBurn).Cursor, func(parents []chain.Address, c chain.TransferChoice, p chain.Page) (map[chain.Address][]chain.JettonBurn, error) {
		return m.Reader.JettonBurnsOf(t.Context(), parents, c, p)
	})
	requireTransfersOf(t, m, m.Moves, m.Items, m.Collections, func(v *chain.NFTTransfer) *transferRow {
		return &transferRow{v.NFT, v.OldOwner, v.NewOwner, v.Collection, v.TxLT, v.TxNow}
	}, (*chain.NFTTransfer).Cursor, func(parents []chain.Address, c chain.TransferChoice, p chain.Page) (map[chain.Address][]chain.NFTTransfer, error) {
		return m.Reader.NFTTransfersOf(t.Context(), parents, c, p)
	})
}
