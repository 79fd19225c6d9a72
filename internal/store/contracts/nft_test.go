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

func TestNFTCollections_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	seen := 0
	for name, f := range map[string]chain.NFTCollectionFilter{
		"all": {}, "by address": {Addresses: m.Collections[:2]}, "by owner": {Owners: m.People[:3]},
		"by both": {Addresses: m.Collections, Owners: m.People[:5]}, "unknown": {Addresses: m.People},
	} {
		want := storetest.Select(storetest.Records(m, func(k *chain.Contract) *chain.NFTCollection { return k.NFTCollection }), func(v *chain.NFTCollection) bool {
			return storetest.Among(f.Addresses, v.Address) && storetest.AmongOptional(f.Owners, v.Owner)
		}, func(a, b *chain.NFTCollection) int { return a.Address.Compare(b.Address) })
		storetest.RequireList(t, name, want, chain.Descending, (*chain.NFTCollection).Cursor, func(p chain.Page) ([]chain.NFTCollection, error) {
			return m.Reader.NFTCollections(t.Context(), f, p)
		})
		seen += len(want)
	}
	require.Greater(t, seen, 3)
}

// joinedItems returns the items with their collections and sales.
func joinedItems(m *storetest.Contracts) []chain.NFTItem {
	items := storetest.Records(m, func(k *chain.Contract) *chain.NFTItem { return k.NFTItem })
	for i := range items {
		item := &items[i]
		if item.Collection != nil && m.Latest[*item.Collection] != nil {
			item.CollectionInfo = m.Latest[*item.Collection].NFTCollection
		}
		if item.Owner == nil || m.Latest[*item.Owner] == nil {
			continue
		}
		s := m.Latest[*item.Owner].NFTSale
		if s != nil && s.Known && s.Kind != chain.TelemintSale && s.NFT != nil && *s.NFT == item.Address {
			item.Sale = s
		}
	}
	return items
}

func TestNFTItems_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	items := joinedItems(m)
	onSale := 0
	for i := range items {
		if items[i].Sale != nil {
			onSale++
		}
	}
	require.Greater(t, onSale, 2)
	numbers := []*big.Int{big.NewInt(0), big.NewInt(2000)}
	filters := map[string]chain.NFTItemFilter{
		"all": {}, "by address": {Addresses: m.Items[:30]}, "by owner": {Owners: m.People[:1]}, "by owners": {Owners: m.People[:6]},
		"by collection": {Collections: m.Collections[:1]}, "by owner and collection": {Owners: m.People[:1], Collections: m.Collections[:1]},
		"by owner and collections": {Owners: m.People[:1], Collections: m.Collections[:2]},
		"by owners and collection": {Owners: m.People[:5], Collections: m.Collections[1:2]},
		"by number":                {Collections: m.Collections[:1], Indexes: numbers},
		"by number and owner":      {Owners: m.People[:3], Collections: m.Collections[:1], Indexes: numbers},
		"by address and owner":     {Addresses: m.Items, Owners: m.People[:4]}, "by address and collection": {Addresses: m.Items, Collections: m.Collections[:1]},
		"of a sale": {Owners: m.Sales}, "of sales and people": {Owners: append(slices.Clone(m.Sales[:7]), m.People...)}, "unknown": {Addresses: m.People},
	}
	seen := 0
	for name, f := range filters {
		for _, f.OnSale = range []bool{false, true} {
			for _, f.ByLastTxLT = range []bool{false, true} {
				require.NoError(t, f.Validate())
				want := storetest.Select(items, func(v *chain.NFTItem) bool { return matchesItem(&f, v) }, func(a, b *chain.NFTItem) int { return compareItems(&f, a, b) })
				seen += len(want)
				storetest.RequireList(t, name, want, chain.Ascending, (*chain.NFTItem).Cursor, func(p chain.Page) ([]chain.NFTItem, error) {
					return m.Reader.NFTItems(t.Context(), f, p)
				})
			}
		}
	}
	require.Greater(t, seen, 500)
}

func matchesItem(f *chain.NFTItemFilter, v *chain.NFTItem) bool {
	numbered := len(f.Indexes) == 0
	for _, n := range f.Indexes {
		numbered = numbered || n.Cmp(v.Index) == 0
	}
	return storetest.Among(f.Addresses, v.Address) && storetest.AmongOptional(f.Collections, v.Collection) && numbered && (len(f.Owners) == 0 || holderOf(f, v) != nil)
}

// holderOf returns the requested owner that holds the item, nil for another owner.
func holderOf(f *chain.NFTItemFilter, v *chain.NFTItem) *chain.Address {
	switch {
	case v.Owner != nil && slices.Contains(f.Owners, *v.Owner):
		return v.Owner
	case f.OnSale && v.Sale != nil && v.Sale.NFTOwner != nil && slices.Contains(f.Owners, *v.Sale.NFTOwner):
		return v.Sale.NFTOwner
	default:
		return nil
	}
}

func compareItems(f *chain.NFTItemFilter, a, b *chain.NFTItem) int {
	key := func(a *chain.Address) []byte {
		if a == nil {
			return nil
		}
		return a.Bytes()
	}
	byAddress := a.Address.Compare(b.Address)
	byNumber := cmp.Or(bytes.Compare(key(a.Collection), key(b.Collection)), a.Index.Cmp(b.Index), byAddress)
	switch {
	case f.ByLastTxLT:
		return -cmp.Or(cmp.Compare(a.LastTxLT, b.LastTxLT), byAddress)
	case len(f.Addresses) > 0:
		return byAddress
	case len(f.Owners) > 0:
		return cmp.Or(holderOf(f, a).Compare(*holderOf(f, b)), byNumber)
	case len(f.Collections) > 0:
		return byNumber
	default:
		return byAddress
	}
}

func TestNFTTransfers_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	m := storetest.IndexContracts(t)
	requireTransfers(t, m, m.Moves, m.Items, m.Collections, func(v *chain.NFTTransfer) *transferRow {
		return &transferRow{v.NFT, v.OldOwner, v.NewOwner, v.Collection, v.TxLT, v.TxNow}
	}, (*chain.NFTTransfer).Cursor, func(f *chain.JettonTransferFilter, p chain.Page) ([]chain.NFTTransfer, error) {
		return m.Reader.NFTTransfers(t.Context(), chain.NFTTransferFilter{
			Owners: f.Owners, NFTs: f.JettonWallets, Collection: f.Jetton, Direction: f.Direction, TransferRange: f.TransferRange,
		}, p)
	})
}

func TestNFTSales_AreReadByAddress(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	want := storetest.Select(storetest.Records(m, func(k *chain.Contract) *chain.NFTSale { return k.NFTSale }), func(*chain.NFTSale) bool { return true },
		func(a, b *chain.NFTSale) int { return a.Address.Compare(b.Address) })
	require.Greater(t, len(want), 5)
	got, err := m.Reader.NFTSales(t.Context(), append(slices.Clone(m.Sales), m.People...))
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = m.Reader.NFTSales(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestNFTOwnerAt_IsTheOwnerAtTheBlock(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	found := 0
	for _, item := range m.Items {
		for seqno := uint32(1); seqno <= 60; seqno += 9 {
			want := detectionAt(m, item, seqno, func(k *chain.Contract) bool { return k.NFTItem != nil })
			got, err := m.Reader.NFTOwnerAt(t.Context(), item, seqno)
			if want == nil {
				require.Equal(t, chain.NotFound, chain.KindOf(err))
				continue
			}
			found++
			require.NoError(t, err)
			require.Equal(t, want.NFTItem.Owner, got)
		}
	}
	require.Greater(t, found, 50)
}
