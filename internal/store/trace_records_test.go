package store_test

import (
	"math/big"
	"slices"
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

// The records of a trace are the same whatever happened to the accounts later: an item is an item in the traces before it was destroyed, and in
// that one, whether the blocks come in one batch, each alone, or the later one first.
func TestTraceRecords_DestroyedItems(t *testing.T) {
	t.Parallel()
	a := storetest.Addresses(3)
	item := chain.NFTItem{Address: a[0], Init: true, Index: big.NewInt(7), Collection: &a[1], Owner: &a[2], Content: chain.Content{}}
	own := item
	own.Address, own.Collection = a[1], nil
	var blocks []*chain.MasterBlock
	for seqno := uint32(1); seqno <= 2; seqno++ {
		blocks = append(blocks, testdb.Master(seqno, func(mb *chain.MasterBlock) {
			for _, i := range []chain.NFTItem{item, own} {
				tx := testdb.NewTransaction(mb, i.Address)
				if i.LastTxLT = tx.LT; seqno == 1 {
					mb.Contracts = append(mb.Contracts, chain.Contract{Account: i.Address, LT: tx.LT, McSeqno: 1, NFTItem: &i})
				} else {
					tx.EndStatus = chain.Nonexist
				}
				mb.Transactions = append(mb.Transactions, tx)
			}
		}))
	}
	const upgraded = "a version before had the first one"
	for name, batches := range map[string][][]*chain.MasterBlock{
		"one batch": {blocks}, "each alone": {blocks[:1], blocks[1:]}, "the later one first": {blocks[1:], blocks[:1]}, upgraded: {blocks[:1], blocks[1:]},
	} {
		db := testdb.New(t)
		for i, batch := range batches {
			if name == upgraded && i == 1 {
				storetest.ExecSQL(t, db, `UPDATE nft_owners SET item_index = NULL, collection = NULL`)
			}
			storetest.Apply(t, db.Writer(), batch)
		}
		for seqno := uint32(1); seqno <= 2; seqno++ {
			found, err := db.Reader().TraceRecords(t.Context(), a[:2], seqno, false)
			require.NoError(t, err)
			for i, collection := range []*chain.Address{&a[1], nil} {
				got := found[a[i]].NFTItem
				require.NotNil(t, got, "%s, block %d", name, seqno)
				require.Equal(t, big.NewInt(7), got.Index)
				require.Equal(t, collection, got.Collection)
				require.Equal(t, &a[2], got.Owner)
			}
		}
		items, err := db.Reader().NFTItems(t.Context(), chain.NFTItemFilter{}, chain.Page{Limit: 10})
		require.NoError(t, err)
		require.Empty(t, items, "lists have no destroyed items")
	}
}

// The records of a trace are those that the blocks up to its last one left: neither an older one, nor one of a later masterchain block, although a
// shard block of that may have LTs before the end of the trace's last masterchain block. The order of blocks makes no difference.
func TestTraceRecords_AreThoseAfterTheLastBlockOfTheTrace(t *testing.T) {
	t.Parallel()
	a := storetest.Addresses(5)
	owners := storetest.Addresses(9)[5:]
	codes := []chain.Hash{testdb.Hash(), testdb.Hash(), testdb.Hash(), testdb.Hash()}
	kinds := []chain.NFTSaleKind{chain.FixedPriceSale, chain.AuctionSale, chain.TelemintSale, chain.FixedPriceSale}
	price := func(i int) *big.Int { return big.NewInt(int64(100 + i)) }
	var blocks []*chain.MasterBlock
	for i := range owners {
		seqno := uint32(i + 1)
		blocks = append(blocks, testdb.Master(seqno, func(mb *chain.MasterBlock) {
			shard := &mb.ShardBlocks[0]
			if i > 0 { // begins before the end of the masterchain block before
				shard.StartLT = mb.Block.StartLT - testdb.StepLT + 1
			}
			lt := shard.StartLT + 100
			sale := &chain.NFTSale{Address: a[2], Kind: kinds[i], NFT: &a[1], NFTOwner: &owners[i], Marketplace: &owners[i], LastTxLT: lt, CodeHash: codes[0]}
			switch sale.Kind {
			case chain.FixedPriceSale:
				sale.FixedPrice = &chain.NFTFixedPrice{FullPrice: price(i)}
			case chain.AuctionSale:
				sale.Auction = &chain.NFTAuction{LastBid: price(i)}
			case chain.TelemintSale:
				sale.Telemint = &chain.TelemintAuction{TokenName: "durov", Bid: price(i)}
			}
			for _, k := range []chain.Contract{
				{Account: a[0], JettonWallet: &chain.JettonWallet{Address: a[0], Balance: big.NewInt(1), Owner: owners[i], Jetton: a[4], LastTxLT: lt}},
				{Account: a[1], NFTItem: &chain.NFTItem{Address: a[1], Init: true, Index: big.NewInt(7), Owner: &owners[i], Content: chain.Content{}, LastTxLT: lt}},
				{Account: a[2], NFTSale: sale},
			} {
				k.LT, k.McSeqno = lt, seqno
				mb.Contracts = append(mb.Contracts, k)
			}
			tx := testdb.NewTransaction(mb, a[3])
			tx.LT = lt
			state := testdb.NewStateAfter(mb, &tx, 1)
			state.CodeHash, state.DataHash = &codes[i], &codes[i]
			mb.States, mb.Cells = append(mb.States, state), map[chain.Hash]chain.BOC{codes[i]: codes[i][:]}
			testdb.AddTransaction(mb, &tx)
		}))
	}
	reversed := slices.Clone(blocks)
	slices.Reverse(reversed)
	for name, c := range map[string]struct {
		batches [][]*chain.MasterBlock
		before  bool // states have rows of their own, as earlier versions wrote them
	}{
		"at once":                      {batches: [][]*chain.MasterBlock{blocks}},
		"one by one":                   {batches: slices.Collect(slices.Chunk(blocks, 1))},
		"the last ones first":          {batches: slices.Collect(slices.Chunk(reversed, 1))},
		"states of an earlier version": {batches: [][]*chain.MasterBlock{blocks}, before: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			for _, batch := range c.batches {
				storetest.Apply(t, db.Writer(), batch)
			}
			if c.before {
				storetest.MoveStatesOut(t, db)
			}
			for i := range owners {
				found, err := db.Reader().TraceRecords(t.Context(), a[:4], uint32(i+1), true)
				require.NoError(t, err)
				wallet, item, sale := found[a[0]].JettonWallet, found[a[1]].NFTItem, found[a[2]].NFTSale
				require.NotNil(t, wallet)
				require.Equal(t, owners[i], wallet.Owner, "block %d", i+1)
				require.NotNil(t, item)
				require.Equal(t, &owners[i], item.Owner, "block %d", i+1)
				require.NotNil(t, sale)
				require.Equal(t, &owners[i], sale.NFTOwner, "block %d", i+1)
				require.Equal(t, kinds[i], sale.Kind)
				prices := map[chain.NFTSaleKind]*big.Int{}
				if sale.FixedPrice != nil {
					prices[chain.FixedPriceSale] = sale.FixedPrice.FullPrice
				}
				if sale.Auction != nil {
					prices[chain.AuctionSale] = sale.Auction.LastBid
				}
				if sale.Telemint != nil {
					prices[chain.TelemintSale] = sale.Telemint.Bid
				}
				require.Equal(t, map[chain.NFTSaleKind]*big.Int{kinds[i]: price(i)}, prices)
				require.Equal(t, &codes[i], found[a[3]].CodeHash, "block %d", i+1)
				require.Equal(t, chain.BOC(codes[i][:]), found[a[3]].Data, "block %d", i+1)
			}
		})
	}
}
