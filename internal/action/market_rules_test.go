package action_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// topTypes returns the types of the actions without a parent, in the order of rows.
func topTypes(t *testing.T, b *builder, r action.Records) []string {
	t.Helper()
	actions, err := action.Classify(b.trace, r)
	require.NoError(t, err)
	var types []string
	for _, a := range actions {
		if a.ParentID == "" {
			types = append(types, a.Type)
		}
	}
	return types
}

// What a buyer pays the seller besides is no part of a purchase.
func TestSale_PayoutComesFromTheSale(t *testing.T) {
	t.Parallel()
	b, root := external(buyer)
	paid := b.send(root, sale, 1100, textBody(""))
	b.send(b.send(paid, item, 9, transferItem(buyer)), buyer, 1, assigned(sale))
	b.send(root, seller, 70, textBody("thanks"))
	requireRows(t, b, onSale(), []string{"nft_transfer", "ton_transfer"}, want{"nft_transfer_data": want{"is_purchase": true, "price": 1000}})
	b.send(paid, seller, 950, op(0x2167da4b).MustStoreUInt(5, 8).EndCell())
	requireRows(t, b, onSale(), []string{"nft_purchase", "ton_transfer"}, want{"nft_transfer_data": want{
		"payout_amount": 950, "payout_comment": "BQ==", "payout_comment_encrypted": true, "payout_comment_encoded": true,
	}})
}

// The creator of an item receives the royalty besides the price, from an auction first and from a sale last.
func TestPurchase_PayoutOfACreatorIsThePrice(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		records records
		body    *cell.Cell
		paid    []int64
		kinds   []string
	}{
		"a sale":                     {onSale(), textBody(""), []int64{850, 100}, []string{"nft_purchase", "ton_transfer"}},
		"the highest bid":            {onAuction(), textBody(""), []int64{100, 850}, []string{"nft_purchase", "ton_transfer"}},
		"the end of an auction":      {onAuction(), requestBody(2), []int64{100, 850}, []string{"nft_purchase", "nft_finish_auction", "ton_transfer"}},
		"a price below the royalty":  {onSale(), textBody(""), []int64{100, 850}, []string{"nft_purchase", "ton_transfer"}},
		"a payment without a second": {onAuction(), textBody(""), []int64{850}, []string{"nft_purchase"}},
	} {
		b, root := external(buyer)
		ended := b.send(root, sale, 1100, tc.body)
		for _, value := range tc.paid {
			b.send(ended, seller, value, cell.BeginCell().EndCell())
		}
		b.send(b.send(ended, item, 9, transferItem(buyer)), buyer, 1, assigned(sale))
		t.Log(name)
		requireRows(t, b, tc.records, tc.kinds, want{"nft_transfer_data": want{"payout_amount": 850}})
	}
}

// A marketplace can order a sale that was not started, or is over, to send an item somewhere: nobody bought it.
func TestSale_OrderOfTheMarketplaceIsNoPurchase(t *testing.T) {
	t.Parallel()
	b, root := external(place)
	ordered := b.send(root, sale, 100, op(555).MustStoreUInt(1, 64).MustStoreRef(cell.BeginCell().EndCell()).EndCell())
	b.send(ordered, item, 9, transferItem(loser))
	for _, owner := range []*chain.Address{new(account(seller)), nil} {
		r := onSale()
		r.sales[account(sale)].Owner = owner
		requireRows(t, b, r, []string{"nft_transfer", "call_contract"}, want{"nft_transfer_data": want{"is_purchase": false}})
	}
}

// Contracts of getgems take a purchase and the end of a sale as a call or as coins with a comment (nft-fixprice-sale-v2 to v4r1).
func TestSale_CallsAndCommentsAreTheSame(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]*cell.Cell{"coins": textBody(""), "a call": requestBody(2)} {
		b, root := external(buyer)
		paid := b.send(root, sale, 1100, body)
		b.send(paid, seller, 950, textBody("profit"))
		b.send(b.send(paid, item, 9, transferItem(buyer)), buyer, 1, assigned(sale))
		t.Log(name)
		requireRows(t, b, onSale(), []string{"nft_purchase"}, want{
			"source": raw(sale), "destination": raw(buyer), "asset_secondary": raw(item), "success": true,
			"nft_transfer_data": want{"is_purchase": true, "price": 1000, "payout_amount": 950},
		})
	}
	for name, body := range map[string]*cell.Cell{"a call": requestBody(3), "a comment": textBody("cancel")} {
		b, root := external(seller)
		request := b.send(root, sale, 10, body)
		b.send(request, item, 9, transferItem(seller))
		t.Log(name)
		requireRows(t, b, onSale(), []string{"nft_cancel_sale", "nft_transfer"}, want{
			"source": raw(seller), "destination": raw(sale), "asset_secondary": raw(item), "success": true,
		})
	}
}

// A contract can pay for the buyer, by any message that the sale takes for a purchase.
func TestSale_AnotherAccountPays(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]*cell.Cell{"coins": textBody(""), "a call": requestBody(2), "a call of another opcode": requestBody(0x12345678)} {
		b, root := external(loser)
		paid := b.send(root, sale, 1100, body)
		b.send(paid, item, 9, transferItem(buyer))
		t.Log(name)
		requireRows(t, b, onSale(), []string{"nft_transfer"}, want{
			"destination": raw(buyer), "accounts": []string{raw(buyer), raw(item), raw(sale), raw(loser)},
			"nft_transfer_data": want{"is_purchase": true, "price": 1000, "real_prev_owner": raw(seller)},
		})
		b.send(paid, seller, 950, textBody("profit"))
		requireRows(t, b, onSale(), []string{"nft_purchase"}, want{
			"source": raw(sale), "destination": raw(buyer), "nft_transfer_data": want{"price": 1000, "payout_amount": 950},
		})
	}
	// The item of another sale, and one that returns to the seller, are not sold.
	b, root := external(loser)
	paid := b.send(root, sale, 1100, textBody(""))
	b.send(paid, item, 9, transferItem(seller))
	requireRows(t, b, onSale(), []string{"nft_transfer", "ton_transfer"}, want{"nft_transfer_data": want{"is_purchase": false}})
	r := onSale()
	r.sales[account(sale)].Item = new(account(place))
	b, root = external(loser)
	b.send(b.send(root, sale, 1100, textBody("")), item, 9, transferItem(buyer))
	requireRows(t, b, r, []string{"nft_transfer", "ton_transfer"}, want{"nft_transfer_data": want{"is_purchase": false}})
}

// A seller changes the price of a sale of version 4 by a call with another layout: its fees are parts of the price.
func TestSale_PriceOfVersion4Changes(t *testing.T) {
	t.Parallel()
	b, root := external(seller)
	tx := b.send(root, sale, 10, op(0xfd135f7b).MustStoreUInt(1, 64).MustStoreCoins(77).MustStoreBoolBit(false).EndCell())
	requireRows(t, b, onSale(), []string{"nft_update_sale"}, want{
		"success": true, "nft_listing_data": want{"full_price": 77, "marketplace_fee": nil, "royalty_amount": nil},
	})
	tx.Aborted = true
	requireRows(t, b, onSale(), []string{"nft_update_sale"}, want{"success": false})
}

// A contract of another marketplace, or one that sells for somebody else, gets an item by transfers.
func TestListing_NeedsTheTermsAndTheSeller(t *testing.T) {
	t.Parallel()
	plain := []string{"nft_transfer", "call_contract", "contract_deploy", "nft_transfer"}
	for name, tc := range map[string]struct {
		data    *cell.Cell
		records func() records
	}{
		"a sale with other data": {cell.BeginCell().MustStoreUInt(5, 3).EndCell(), onSale},
		"a sale of another item": {saleV4(), func() records {
			r := onSale()
			r.sales[account(sale)].Item = new(account(place))
			return r
		}},
		"a sale for another account": {saleV4(), func() records {
			r := onSale()
			r.sales[account(sale)].Owner = new(account(deployer))
			return r
		}},
		"a sale for nobody": {saleV4(), func() records {
			r := onSale()
			r.sales[account(sale)].Owner = nil
			return r
		}},
		"an auction with other data": {cell.BeginCell().MustStoreUInt(5, 3).EndCell(), onAuction},
		"an auction for another account": {auctionV3(), func() records {
			r := onAuction()
			r.auctions[account(sale)].Owner = new(account(deployer))
			return r
		}},
	} {
		t.Log(name)
		requireRows(t, putUp(tc.data), tc.records(), plain, want{})
	}
	requireRows(t, putUp(saleV4()), onSale(), []string{"nft_put_on_sale", "contract_deploy"}, want{"source": raw(seller)})
}

// The requests of all versions of getgems' auctions end them. What happens to the item is an action beside the request.
func TestAuction_EveryVersionEnds(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]*cell.Cell{
		"comment": textBody("cancel"), "call": requestBody(0x5616c572), "version 3": requestBody(1), "version 4": requestBody(0xb820e9c2),
	} {
		b, root := external(seller)
		b.send(b.send(root, sale, 10, body), item, 9, transferItem(seller))
		t.Log(name)
		requireRows(t, b, onAuction(), []string{"nft_cancel_auction", "nft_transfer"}, want{"source": raw(seller), "destination": raw(sale)})
	}
	for name, body := range map[string]*cell.Cell{
		"comment": textBody("finish"), "call": requestBody(0x20c9eb18), "version 3": requestBody(2), "version 4": requestBody(0xf373ace5),
	} {
		b, root := external(seller)
		request := b.send(root, sale, 10, body)
		b.send(request, seller, 850, textBody("profit"))
		b.send(request, item, 9, transferItem(buyer))
		t.Log(name)
		requireRows(t, b, onAuction(), []string{"nft_purchase", "nft_finish_auction"}, want{
			"destination": raw(buyer), "nft_transfer_data": want{"is_purchase": true, "price": 900, "payout_amount": 850},
		})
		requireRows(t, b, onAuction(), []string{"nft_finish_auction", "nft_purchase"}, want{"source": raw(buyer), "destination": raw(sale)})
	}
}

// A listing, and the end of a sale or an auction, fail when the item rejects its transfer.
func TestMarkets_FailWithTheTransferOfTheItem(t *testing.T) {
	t.Parallel()
	ended := func(body *cell.Cell) func() *builder {
		return func() *builder {
			b, root := external(seller)
			b.send(b.send(root, sale, 10, body), item, 9, transferItem(seller))
			return b
		}
	}
	for kind, tc := range map[string]struct {
		contracts records
		trace     func() *builder
	}{
		"nft_put_on_sale":    {onSale(), func() *builder { return putUp(saleV4()) }},
		"nft_put_on_auction": {onAuction(), func() *builder { return putUp(auctionV3()) }},
		"nft_cancel_sale":    {onSale(), ended(requestBody(3))},
		"nft_cancel_auction": {onAuction(), ended(textBody("cancel"))},
		"nft_finish_auction": {onAuction(), ended(textBody("finish"))},
	} {
		for _, aborted := range []bool{false, true} {
			b := tc.trace()
			for _, tx := range b.trace.Transactions {
				if tx.Account == account(item) && tx.In.Source != nil && (*tx.In.Source == account(sale) || *tx.In.Source == account(deployer)) {
					tx.Aborted = aborted
				}
			}
			actions, err := action.Classify(b.trace, tc.contracts)
			require.NoError(t, err)
			at := slices.IndexFunc(actions, func(a *action.Action) bool { return a.Type == kind })
			require.GreaterOrEqual(t, at, 0, kind)
			require.Equal(t, !aborted, actions[at].Success, "%s, aborted: %t", kind, aborted)
		}
	}
}

// The transaction that a comment to an auction caused belongs to the end of the auction alone.
func TestAuction_PurchaseHasNotTheTransactionOfTheComment(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		body *cell.Cell
		with bool
	}{"finish": {textBody("finish"), false}, "stop": {textBody("stop"), false}, "a call": {requestBody(0x20c9eb18), true}} {
		b, root := external(seller)
		request := b.send(root, sale, 10, tc.body)
		b.send(request, seller, 850, textBody("profit"))
		b.send(request, item, 9, transferItem(buyer))
		actions, err := action.Classify(b.trace, onAuction())
		require.NoError(t, err)
		seen := 0
		for _, a := range actions {
			switch a.Type {
			case "nft_purchase":
				require.Equal(t, tc.with, slices.Contains(a.TxHashes, request.Hash), name)
				require.Contains(t, a.Accounts, account(sale), name)
				seen++
			case "nft_finish_auction", "nft_transfer", "ton_transfer":
				require.Contains(t, a.TxHashes, request.Hash, name)
				seen++
			}
		}
		require.GreaterOrEqual(t, seen, 4, name)
	}
}

// Anybody can end an auction that is over with an external message (nft-auction-v3r2, v3r3): it is a part of the purchase.
func TestAuction_ExternalMessageEnds(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]*cell.Cell{
		"comment": textBody("finish"), "call": requestBody(0x20c9eb18), "version 3": op(2).EndCell(), "version 4": requestBody(0xf373ace5),
	} {
		b, root := external(sale)
		root.In.Body, root.In.Opcode = action.Parsed(body), new(uint32(body.MustBeginParse().MustLoadUInt(32)))
		b.send(root, seller, 850, textBody("profit"))
		b.send(root, item, 9, transferItem(buyer))
		t.Log(name)
		requireRows(t, b, onAuction(), []string{"nft_purchase"}, want{
			"destination": raw(buyer), "nft_transfer_data": want{"is_purchase": true, "price": 900, "payout_amount": 850},
		})
	}
}

func TestAuction_BidsOfVersion4AreCalls(t *testing.T) {
	t.Parallel()
	b, root := external(buyer)
	bid := b.send(root, sale, 950, requestBody(0x344ef025))
	b.send(bid, loser, 890, textBody("Your bid has been outbid by another user"))
	requireRows(t, b, onAuction(), []string{"auction_bid", "auction_outbid"}, want{
		"source": raw(buyer), "destination": raw(sale), "value": 950, "asset_secondary": raw(item), "success": true,
	})
	requireRows(t, b, records{}, []string{"call_contract", "ton_transfer"}, want{})
}

// The first message to an item of Telegram after its auction ends the auction, also when the winner transfers the item with it.
func TestTelegramItem_WinnerTransfersAtOnce(t *testing.T) {
	t.Parallel()
	b, root := external(buyer)
	moved := b.send(root, item, 100, transferItem(loser))
	soldItem(b, moved)
	b.send(moved, loser, 1, assigned(buyer))
	actions, err := action.Classify(b.trace, marketplace(telegram))
	require.NoError(t, err)
	owners := map[string]bool{} // of each transfer: from, to, whether it is a purchase
	for _, a := range actions {
		if a.Type == "nft_transfer" && a.ParentID == "" {
			data, _ := columns(t, a)["nft_transfer_data"].(map[string]any)
			purchase, _ := data["is_purchase"].(bool)
			owners[a.Source+a.Destination] = purchase
		}
	}
	require.Equal(t, map[string]bool{raw(seller) + raw(buyer): true, raw(buyer) + raw(loser): false}, owners)
	require.Equal(t, []string{"nft_transfer", "nft_transfer", "call_contract", "call_contract"}, topTypes(t, b, marketplace(telegram)))
}

// The first message to a domain after its auction pays the collection. That message keeps its own meaning.
func TestDomain_FirstMessageAfterTheAuctionIsItsOwnAction(t *testing.T) {
	t.Parallel()
	r := asDomain()
	fill := func(body *cell.Cell, from byte) *builder {
		b, root := external(from)
		b.send(b.send(root, item, 100, body), collection, 900, requestBody(0x370fec51))
		return b
	}
	record := op(0x4eb1f0f9).MustStoreUInt(77, 64).MustStoreUInt(5, 256).
		MustStoreRef(cell.BeginCell().MustStoreUInt(0x7473, 16).MustStoreUInt(9, 256).EndCell()).EndCell()
	b := fill(record, buyer)
	requireRows(t, b, r, []string{"dns_purchase", "change_dns"}, want{
		"destination": raw(buyer), "nft_transfer_data": want{"price": 900}, "accounts": []string{raw(buyer), raw(item), raw(collection)},
	})
	requireRows(t, b, r, []string{"change_dns", "dns_purchase"}, want{"source": raw(buyer), "destination": raw(item)})
	b, root := external(buyer)
	b.send(b.send(root, item, 100, record), collection, 900, op(0x370fec51).EndCell())
	requireRows(t, b, r, []string{"dns_purchase", "change_dns"}, want{"nft_transfer_data": want{"query_id": nil, "price": 900}})
}

// An order that exists already, or has expired, rejects its initialization (multisig-contract-v2, order.func).
func TestMultisig_RejectedOrderIsNotSuccessful(t *testing.T) {
	t.Parallel()
	r := records{orders: map[chain.Address]*action.MultisigOrder{account(orderItself): {}}}
	order := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	b, root := external(orderMaker)
	request := b.send(root, orderWallet, 1000, op(0xf718510f).MustStoreUInt(5, 64).MustStoreUInt(12, 256).MustStoreBoolBit(true).
		MustStoreUInt(3, 8).MustStoreUInt(1_800_000_000, 48).MustStoreRef(order).EndCell())
	init := b.send(request, orderItself, 900, op(0x9c73fba2).MustStoreUInt(5, 64).MustStoreUInt(2, 8).MustStoreRef(order).
		MustStoreUInt(1_800_000_000, 48).MustStoreRef(order).MustStoreBoolBit(false).EndCell())
	requireRows(t, b, r, []string{"multisig_create_order"}, want{"success": true})
	init.Aborted = true
	requireRows(t, b, r, []string{"multisig_create_order"}, want{"success": false})
	// The order exists already, and takes the request for an approval.
	init.Aborted = false
	reply := b.send(init, orderMaker, 800, op(0x82609bf6).MustStoreUInt(5, 64).EndCell())
	requireRows(t, b, r, []string{"multisig_create_order", "call_contract"}, want{"success": true})
	reply.In.Opcode = new(uint32(0xafaf283e))
	requireRows(t, b, r, []string{"multisig_create_order", "call_contract"}, want{"success": false})
}
