package resolvers_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// Contract queries reject too many values and too large pages, with the name of the parameter. A range that contains no
// LT returns no rows.
func TestContractQueries_ExcessiveParametersAreRefused(t *testing.T) {
	t.Parallel()
	svc := resolvers.New(testdb.New(t).Reader(), nil, resolvers.Options{Limits: resolvers.Limits{Rows: 5, Addresses: 2}})
	ctx, three := t.Context(), []chain.Address{testdb.Address(), testdb.Address(), testdb.Address()}
	page := chain.Page{Limit: 5}
	refused := func(err error, parameter string) {
		t.Helper()
		require.Equal(t, chain.Invalid, chain.KindOf(err))
		require.ErrorContains(t, err, "3 values of "+parameter+" are too many: at most 2")
	}
	_, err := svc.JettonMasters(ctx, chain.JettonMasterFilter{Admins: three}, page)
	refused(err, "admin_address")
	_, err = svc.JettonWallets(ctx, chain.JettonWalletFilter{Jettons: three}, page)
	refused(err, "jetton_address")
	_, err = svc.JettonTransfers(ctx, chain.JettonTransferFilter{JettonWallets: three}, page)
	refused(err, "jetton_wallet")
	_, err = svc.JettonBurns(ctx, chain.JettonBurnFilter{Owners: three}, page)
	refused(err, "owner_address")
	_, err = svc.NFTCollections(ctx, chain.NFTCollectionFilter{Addresses: three}, page)
	refused(err, "collection_address")
	_, err = svc.NFTItems(ctx, chain.NFTItemFilter{Addresses: three}, page)
	refused(err, "address")
	_, err = svc.NFTTransfers(ctx, chain.NFTTransferFilter{NFTs: three}, page)
	refused(err, "item_address")
	_, err = svc.Multisigs(ctx, chain.MultisigFilter{Members: three}, page)
	refused(err, "wallet_address")
	_, err = svc.MultisigOrders(ctx, chain.OrderFilter{Multisigs: three}, page)
	refused(err, "multisig_address")
	_, err = svc.Vestings(ctx, chain.VestingFilter{Contracts: three}, page)
	refused(err, "contract_address")

	_, err = svc.JettonMasters(ctx, chain.JettonMasterFilter{}, chain.Page{Limit: 6})
	require.EqualError(t, err, "limit is not allowed: 6 > 5")
	_, err = svc.Multisigs(ctx, chain.MultisigFilter{Addresses: three[:1]}, chain.Page{Limit: 1025})
	require.EqualError(t, err, "limit is not allowed: 1025 > 1024")

	late := chain.TransferRange{StartLT: new(uint64(math.MaxUint64))}
	transfers, err := svc.JettonTransfers(ctx, chain.JettonTransferFilter{TransferRange: late}, page)
	require.NoError(t, err)
	require.Empty(t, transfers)
}

// Indexes that no item can have match nothing, alone or among others, and are no error.
func TestNFTItems_ImpossibleIndexesMatchNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	collection, item := testdb.Address(), testdb.Address()
	last := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	mb := testdb.Master(1)
	testdb.AddContract(mb, item, func(c *chain.Contract) {
		c.NFTItem = &chain.NFTItem{Address: item, Init: true, Index: last, Collection: &collection, Content: chain.Content{}, LastTxLT: c.LT}
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	svc := resolvers.New(db.Reader(), nil, resolvers.Options{})
	find := func(indexes ...*big.Int) []chain.NFTItem {
		t.Helper()
		f := chain.NFTItemFilter{Collections: []chain.Address{collection}, Indexes: indexes}
		items, err := svc.NFTItems(t.Context(), f, chain.Page{Limit: 10})
		require.NoError(t, err)
		return items
	}
	tooLarge := new(big.Int).Add(last, big.NewInt(1))
	require.Empty(t, find(tooLarge))
	require.Empty(t, find(big.NewInt(-1)))
	require.Len(t, find(last), 1)
	require.Len(t, find(tooLarge, last), 1)
}
