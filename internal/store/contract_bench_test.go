package store_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// BenchmarkReadContracts is BenchmarkRead for queries of contracts: rows, metadata and address book.
func BenchmarkReadContracts(b *testing.B) {
	db := testdb.New(b)
	o := benchOptions(b)
	o.Contracts = true
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), o, nil))
	vacuum(b, db)
	b.Run("size", func(b *testing.B) { reportSizes(b, db, o) })
	measure(b, db, contractReadQueries(b, db, o))
}

func contractReadQueries(b *testing.B, db *store.DB, o synthetic.Options) []readQuery {
	b.Helper()
	r := db.Reader()
	sample, err := r.Transactions(b.Context(), chain.TransactionFilter{}, chain.Page{Limit: 1000})
	require.NoError(b, err)
	account := func(i int) []chain.Address { return []chain.Address{sample[i%len(sample)].Account} }
	transfers, err := r.JettonTransfers(b.Context(), chain.JettonTransferFilter{}, chain.Page{Limit: 1000})
	require.NoError(b, err)
	var deep []chain.JettonTransfer
	for offset := 100_000; len(deep) == 0; offset /= 2 { // a small index has fewer
		deep, err = r.JettonTransfers(b.Context(), chain.JettonTransferFilter{}, chain.Page{Limit: 1, Offset: offset})
		require.NoError(b, err)
		require.NotEmpty(b, transfers)
	}
	stored, err := r.JettonWallets(b.Context(), chain.JettonWalletFilter{}, chain.Page{Limit: 1000})
	require.NoError(b, err)
	owners := map[chain.Address]bool{} // each once, busy or not
	for i := range stored {
		owners[stored[i].Owner] = true
	}
	list := slices.SortedFunc(maps.Keys(owners), chain.Address.Compare)
	owner := func(i int) []chain.Address { return []chain.Address{list[i%len(list)]} }
	hot := []chain.Address{synthetic.Address(0)}
	page := chain.Page{Limit: 10}
	wallets := func(name string, f func(i int) chain.JettonWalletFilter) readQuery {
		return readQuery{"Jetton wallets " + name, func(ctx context.Context, i int) error {
			rows, err := r.JettonWallets(ctx, f(i), page)
			return withNames(ctx, r, rows, err, func(w *chain.JettonWallet) []chain.Address { return []chain.Address{w.Address, w.Owner, w.Jetton} })
		}}
	}
	moves := func(name string, f func(i int) chain.JettonTransferFilter, p chain.Page) readQuery {
		return readQuery{"Jetton transfers " + name, func(ctx context.Context, i int) error {
			rows, err := r.JettonTransfers(ctx, f(i), p)
			return withNames(ctx, r, rows, err, func(t *chain.JettonTransfer) []chain.Address {
				return []chain.Address{t.Source, *t.Destination, t.SourceWallet, t.Jetton}
			})
		}}
	}
	nfts := func(name string, f func(i int) chain.NFTItemFilter) readQuery {
		return readQuery{"NFT items " + name, func(ctx context.Context, i int) error {
			rows, err := r.NFTItems(ctx, f(i), page)
			return withNames(ctx, r, rows, err, func(n *chain.NFTItem) []chain.Address { return []chain.Address{n.Address, *n.Collection, *n.Owner} })
		}}
	}
	return []readQuery{
		{"baseline", baseline(r, account)},
		{"address book of a page of transfers", func(ctx context.Context, i int) error {
			_, err := r.AddressBook(ctx, transferAddresses(transfers, i))
			return err
		}},
		{"metadata of a page of transfers", func(ctx context.Context, i int) error {
			_, err := r.Metadata(ctx, transferAddresses(transfers, i))
			return err
		}},
		wallets("by owner", func(i int) chain.JettonWalletFilter { return chain.JettonWalletFilter{Owners: owner(i)} }),
		wallets("of hot owner", func(int) chain.JettonWalletFilter { return chain.JettonWalletFilter{Owners: hot} }),
		wallets("of hot Jetton by balance", func(int) chain.JettonWalletFilter {
			return chain.JettonWalletFilter{Jettons: []chain.Address{synthetic.JettonMaster(0)}, ByBalance: true}
		}),
		moves("by owner", func(i int) chain.JettonTransferFilter { return chain.JettonTransferFilter{Owners: owner(i)} }, page),
		moves("by Jetton", func(i int) chain.JettonTransferFilter {
			return chain.JettonTransferFilter{Jetton: &transfers[i%len(transfers)].Jetton}
		}, page),
		moves("page 1", func(int) chain.JettonTransferFilter { return chain.JettonTransferFilter{} }, page),
		moves("deep page by cursor", func(int) chain.JettonTransferFilter { return chain.JettonTransferFilter{} },
			chain.Page{Limit: 10, After: new(deep[0].Cursor())}),
		nfts("by owner", func(i int) chain.NFTItemFilter { return chain.NFTItemFilter{Owners: owner(i)} }),
		nfts("of hot owner, on sale, too", func(int) chain.NFTItemFilter { return chain.NFTItemFilter{Owners: hot, OnSale: true} }),
	}
}

// transferAddresses are the addresses in a page of ten transfers.
func transferAddresses(transfers []chain.JettonTransfer, i int) []chain.Address {
	var addresses []chain.Address
	for n := range 10 {
		t := &transfers[(i+n)%len(transfers)]
		addresses = append(addresses, t.Source, *t.Destination, t.SourceWallet, t.Jetton)
	}
	return addresses
}

// withNames reads the address book and the metadata of the addresses of rows, as every response about contracts does.
func withNames[T any](ctx context.Context, r *store.Reader, rows []T, err error, of func(*T) []chain.Address) error {
	if err != nil {
		return err
	}
	var addresses []chain.Address
	for i := range rows {
		addresses = append(addresses, of(&rows[i])...)
	}
	if _, err := r.Metadata(ctx, addresses); err != nil {
		return err
	}
	_, err = r.AddressBook(ctx, addresses)
	return err
}
