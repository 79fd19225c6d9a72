package store_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// A batch of traces has the records of thousands of accounts, so contents and orders are not read for the classifier.
func TestTraceRecords_HaveOnlyWhatTheClassifierUses(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	a := storetest.Addresses(6)
	uri := strings.Repeat("é", 3000)
	items := []chain.NFTItem{
		{Address: a[0], LastTxLT: 1, Index: big.NewInt(7), Collection: &a[4], Owner: &a[5], Domain: "a.ton", CodeHash: testdb.Hash(), Content: chain.Content{"uri": uri, "image_data": uri}},
		{Address: a[1], LastTxLT: 1, Index: big.NewInt(8), Content: chain.Content{"uri": "https://a.b/c?d=\"<>&\\u0000", "name": "nul\x00"}},
		{Address: a[2], LastTxLT: 1, Index: big.NewInt(9), Content: chain.Content{"name": "no uri"}},
	}
	order := chain.MultisigOrder{Address: a[3], LastTxLT: 1, Multisig: a[4], Seqno: big.NewInt(1), Order: make([]byte, 100_000), Signers: a[:3]}
	mb := testdb.Master(1, func(mb *chain.MasterBlock) {
		for i := range items {
			mb.Contracts = append(mb.Contracts, chain.Contract{Account: items[i].Address, LT: 1, McSeqno: 1, NFTItem: &items[i]})
		}
		mb.Contracts = append(mb.Contracts, chain.Contract{Account: order.Address, LT: 1, McSeqno: 1, MultisigOrder: &order})
	})
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	found, err := db.Reader().TraceRecords(t.Context(), a[:4], 1, false)
	require.NoError(t, err)
	for i, content := range []chain.Content{{"uri": strings.Repeat("é", 1000)}, {"uri": items[1].Content["uri"]}, {}} {
		want := items[i]
		got := found[want.Address].NFTItem
		require.NotNil(t, got)
		require.Equal(t, content, got.Content)
		require.Equal(t, want.Index, got.Index)
		require.Equal(t, want.Collection, got.Collection)
		require.Equal(t, want.Owner, got.Owner)
		require.Equal(t, want.Domain, got.Domain)
		require.Equal(t, want.CodeHash, got.CodeHash)
	}
	got := found[order.Address].MultisigOrder
	require.NotNil(t, got)
	require.Empty(t, got.Order)
	require.Equal(t, order.Signers, got.Signers)
}
