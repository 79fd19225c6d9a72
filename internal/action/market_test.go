package action_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// The parties of every trace in this file.
const (
	seller, buyer, item, sale, collection, place, deployer, loser = 1, 2, 3, 4, 5, 6, 7, 8
)

const domains = "0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF"

func name(n byte) string { return account(n).String() }

func transferItem(to byte) *cell.Cell {
	return op(0x5fcc3d14).MustStoreUInt(9, 64).MustStoreAddr(std(to)).MustStoreAddr(std(to)).MustStoreBoolBit(false).
		MustStoreCoins(1).MustStoreBoolBit(false).EndCell()
}

func assigned(prev byte) *cell.Cell {
	return op(0x05138d91).MustStoreUInt(9, 64).MustStoreAddr(std(prev)).MustStoreBoolBit(false).EndCell()
}

func requestBody(code uint64) *cell.Cell { return op(code).MustStoreUInt(77, 64).EndCell() }

// marketplace makes records of the item, with a link to its content, and of the sale or auction.
func marketplace(uri string) records {
	return records{
		items: map[chain.Address]*action.NFTItem{
			account(item): {Index: big.NewInt(12), Collection: new(account(collection)), URI: uri},
		},
		sales: map[chain.Address]*action.NFTSale{}, auctions: map[chain.Address]*action.NFTAuction{},
	}
}

func onSale() records {
	r := marketplace("")
	r.sales[account(sale)] = &action.NFTSale{
		Marketplace: new(account(place)), Item: new(account(item)), Owner: new(account(seller)), FullPrice: big.NewInt(1000),
	}
	return r
}

func onAuction() records {
	r := marketplace("")
	r.auctions[account(sale)] = &action.NFTAuction{
		Marketplace: new(account(place)), Item: new(account(item)), Owner: new(account(seller)), LastBid: big.NewInt(900),
	}
	return r
}

func asDomain() records {
	r := marketplace("")
	c, err := chain.ParseAddress(domains)
	if err != nil {
		panic(err)
	}
	r.items[account(item)].Collection = &c
	return r
}

const telegram = "https://nft.fragment.com/username/x.json"

func stateInit(data *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0b00110, 5).MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).
		MustStoreRef(data).EndCell()
}

// saleV4 and auctionV3 return the storage that is assumed for unrecognized code.
func saleV4() *cell.Cell {
	return cell.BeginCell().MustStoreBoolBit(false).MustStoreAddr(std(place)).MustStoreAddr(std(seller)).MustStoreCoins(1000).
		MustStoreUInt(0, 96).MustStoreRef(cell.BeginCell().MustStoreAddr(std(21)).MustStoreAddr(std(22)).
		MustStoreUInt(5000, 17).MustStoreUInt(100, 17).EndCell()).EndCell()
}

func auctionV3() *cell.Cell {
	return cell.BeginCell().MustStoreRef(auctionFees()).MustStoreRef(
		cell.BeginCell().MustStoreAddr(std(place)).MustStoreCoins(100).MustStoreCoins(5000).EndCell()).EndCell()
}

func auctionFees() *cell.Cell {
	return cell.BeginCell().MustStoreAddr(std(21)).MustStoreUInt(5, 32).MustStoreUInt(100, 32).
		MustStoreAddr(std(22)).MustStoreUInt(10, 32).MustStoreUInt(1000, 32).EndCell()
}

// putUp builds a trace in which an item is transferred to a deployer, which deploys a contract with the data and
// transfers the item to it.
func putUp(data *cell.Cell) *builder {
	b, root := external(seller)
	moved := b.send(root, item, 100, transferItem(deployer))
	notified := b.send(moved, deployer, 90, assigned(seller))
	made := b.send(notified, sale, 20, op(1).EndCell())
	made.OrigStatus, made.In.Init = "uninit", action.Parsed(stateInit(data))
	passed := b.send(notified, item, 60, transferItem(sale))
	b.send(passed, sale, 50, assigned(deployer))
	return b
}

// A case of a hand-built trace has the expected values of one row, and the types of all rows.
func TestMarkets_TracesHaveTheirRows(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		contracts records
		trace     func() *builder
		about     string
		want      map[string]any
		types     []string
	}{
		{
			"an item is put on sale", onSale(), func() *builder { return putUp(saleV4()) }, "nft_put_on_sale", row{
				"success": true, "source": name(seller), "source_secondary": name(deployer), "destination": name(sale),
				"asset": name(collection), "asset_secondary": name(item), "nft_listing_data.nft_item_index": 12,
				"nft_listing_data.full_price": 1000, "nft_listing_data.marketplace_fee": nil,
				"nft_listing_data.royalty_amount": nil, "nft_listing_data.marketplace_fee_address": name(21),
				"nft_listing_data.royalty_address": name(22), "nft_listing_data.marketplace": "getgems",
				"nft_transfer_data.marketplace_address": name(place),
			},
			[]string{"nft_put_on_sale", "nft_transfer", "call_contract", "contract_deploy", "nft_transfer"},
		},
		{
			"an item is put up for auction", onAuction(), func() *builder { return putUp(auctionV3()) }, "nft_put_on_auction", row{
				"source": name(seller), "source_secondary": name(deployer), "destination": name(sale),
				"nft_listing_data.mp_fee_factor": 5, "nft_listing_data.mp_fee_base": 100, "nft_listing_data.royalty_fee_base": 1000,
				"nft_listing_data.min_bid": 100, "nft_listing_data.max_bid": 5000,
				"nft_listing_data.marketplace_fee_address": name(21), "nft_listing_data.royalty_address": name(22),
				"nft_listing_data.marketplace": "getgems", "nft_listing_data.nft_item_index": 12,
				"nft_transfer_data.marketplace_address": name(place),
			},
			[]string{"nft_put_on_auction", "nft_transfer", "call_contract", "contract_deploy", "nft_transfer"},
		},
		{
			"a contract that is neither gets an item", marketplace(""), func() *builder { return putUp(saleV4()) }, "contract_deploy", nil,
			[]string{"nft_transfer", "call_contract", "contract_deploy", "nft_transfer"},
		},
		{
			"the terms of a sale change", onSale(), func() *builder {
				b, root := external(seller)
				b.send(root, sale, 10, op(0x6c6c2080).MustStoreUInt(1, 64).MustStoreCoins(2000).MustStoreCoins(100).MustStoreCoins(50).EndCell())
				return b
			}, "nft_update_sale", row{
				"source": name(seller), "destination": name(sale), "asset_secondary": name(item), "nft_listing_data.full_price": 2000,
				"nft_listing_data.marketplace_fee": 100, "nft_listing_data.royalty_amount": 50,
				"nft_transfer_data.marketplace_address": name(place), "accounts": []any{name(seller), name(item), name(sale)},
			},
			[]string{"nft_update_sale", "call_contract"},
		},
		{
			"the terms of something else change", marketplace(""), func() *builder {
				b, root := external(seller)
				b.send(root, sale, 10, op(0x6c6c2080).MustStoreUInt(1, 64).MustStoreCoins(2000).MustStoreCoins(100).MustStoreCoins(50).EndCell())
				return b
			}, "call_contract", nil, []string{"call_contract"},
		},
		{
			"a sale is cancelled", onSale(), func() *builder {
				b, root := external(seller)
				request := b.send(root, sale, 10, requestBody(3))
				b.send(b.send(request, item, 9, transferItem(seller)), seller, 1, assigned(sale))
				return b
			}, "nft_cancel_sale", row{
				"source": name(seller), "destination": name(sale), "asset": name(collection), "asset_secondary": name(item),
				"nft_transfer_data.marketplace_address": name(place), "accounts": []any{name(seller), name(item), name(sale)},
			},
			[]string{"nft_cancel_sale", "call_contract", "nft_transfer"},
		},
		{
			"a sale pays its seller", onSale(), func() *builder {
				b, root := external(buyer)
				paid := b.send(root, sale, 1100, textBody(""))
				b.send(paid, seller, 950, textBody("profit"))
				b.send(b.send(paid, item, 9, transferItem(buyer)), buyer, 1, assigned(sale))
				return b
			}, "nft_purchase", row{
				"source": name(sale), "destination": name(buyer), "asset_secondary": name(item),
				"nft_transfer_data.is_purchase": true, "nft_transfer_data.price": 1000, "nft_transfer_data.payout_amount": 950,
				"nft_transfer_data.payout_comment": "profit", "nft_transfer_data.real_prev_owner": name(seller),
				"nft_transfer_data.marketplace": "getgems", "nft_transfer_data.marketplace_address": name(place),
			},
			[]string{"nft_purchase", "nft_transfer", "ton_transfer"},
		},
		{
			"an auction is cancelled by a comment", onAuction(), func() *builder {
				b, root := external(seller)
				request := b.send(root, sale, 10, textBody("cancel"))
				b.send(b.send(request, item, 9, transferItem(seller)), seller, 1, assigned(sale))
				return b
			}, "nft_cancel_auction", row{
				"source": name(seller), "destination": name(sale), "asset_secondary": name(item),
				"nft_transfer_data.marketplace_address": name(place),
			},
			[]string{"nft_cancel_auction", "ton_transfer", "nft_transfer"},
		},
		{
			"an auction is cancelled by a call", onAuction(), func() *builder {
				b, root := external(seller)
				b.send(b.send(root, sale, 10, requestBody(0x5616c572)), item, 9, transferItem(seller))
				return b
			}, "nft_cancel_auction", row{"source": name(seller), "destination": name(sale)},
			[]string{"nft_cancel_auction", "call_contract", "nft_transfer"},
		},
		{
			"an auction without bids is stopped", onAuction(), func() *builder {
				b, root := external(seller)
				b.send(b.send(root, sale, 10, textBody("stop")), item, 9, transferItem(seller))
				return b
			}, "nft_finish_auction", row{
				"source": name(seller), "asset_secondary": name(item), "nft_transfer_data.marketplace_address": name(place),
			},
			[]string{"nft_finish_auction", "ton_transfer", "nft_transfer"},
		},
		{
			"an auction is finished and pays", onAuction(), func() *builder {
				b, root := external(seller)
				request := b.send(root, sale, 10, requestBody(0x20c9eb18))
				b.send(request, seller, 850, textBody("profit"))
				b.send(request, item, 9, transferItem(buyer))
				return b
			}, "nft_finish_auction", row{
				"source": name(buyer), "destination": name(sale), "asset": name(collection), "nft_transfer_data": nil,
			},
			[]string{"nft_finish_auction", "call_contract", "nft_purchase", "ton_transfer", "nft_transfer"},
		},
		{
			"the highest bid ends an auction at once", onAuction(), func() *builder {
				b, root := external(buyer)
				paid := b.send(root, sale, 5100, textBody(""))
				b.send(paid, seller, 850, textBody("profit"))
				b.send(paid, item, 9, transferItem(buyer))
				return b
			}, "nft_purchase", row{"nft_transfer_data.price": 900, "destination": name(buyer)},
			[]string{"nft_purchase", "nft_transfer", "ton_transfer"},
		},
		{
			"somebody bids", onAuction(), func() *builder {
				b, root := external(buyer)
				b.send(root, sale, 950, textBody(""))
				return b
			}, "auction_bid", row{
				"success": true, "source": name(buyer), "destination": name(sale), "asset": name(collection),
				"asset_secondary": name(item), "value": 950, "nft_transfer_data.nft_item_index": 12,
				"nft_transfer_data.marketplace": "getgems", "accounts": []any{name(buyer), name(item), name(sale)},
			},
			[]string{"auction_bid"},
		},
		{
			"a bid that is too low comes back", onAuction(), func() *builder {
				b, root := external(buyer)
				low := b.send(root, sale, 1, textBody(""))
				low.Aborted = true
				b.send(low, buyer, 1, op(0xffffffff).EndCell())
				return b
			}, "auction_bid", row{"success": false}, []string{"auction_bid", "call_contract"},
		},
		{
			"a bid outbids another", onAuction(), func() *builder {
				b, root := external(buyer)
				b.send(b.send(root, sale, 950, textBody("")), loser, 890, textBody("Your bid has been outbid by another user. Better luck next time"))
				return b
			}, "auction_outbid", row{
				"source": name(sale), "destination": name(loser), "source_secondary": name(buyer), "asset": name(collection),
				"asset_secondary": name(item), "amount": 890, "accounts": []any{name(buyer), name(item), name(sale), name(loser)},
				"nft_transfer_data.marketplace": "getgems",
			},
			[]string{"auction_bid", "auction_outbid", "ton_transfer"},
		},
		{
			"a bid on Telegram outbids another", marketplace(telegram), func() *builder {
				b, root := external(buyer)
				b.send(b.send(root, item, 950, cell.BeginCell().EndCell()), loser, 890, requestBody(0x557cea20))
				return b
			}, "auction_outbid", row{
				"source": name(item), "destination": name(loser), "amount": 890, "asset_secondary": name(item),
				"nft_transfer_data.marketplace": "fragment",
			},
			[]string{"auction_bid", "auction_outbid", "call_contract"},
		},
		{
			"the first bid on Telegram", marketplace(telegram), func() *builder {
				b, root := external(buyer)
				b.send(root, item, 950, cell.BeginCell().EndCell())
				return b
			}, "auction_bid", row{"destination": name(item), "nft_transfer_data.marketplace": "fragment", "value": 950},
			[]string{"auction_bid"},
		},
		{
			"a bid for a domain", asDomain(), func() *builder {
				b, root := external(buyer)
				b.send(b.send(root, item, 950, textBody("")), loser, 890, requestBody(0x557cea20))
				return b
			}, "auction_bid", row{"destination": name(item), "asset": domains, "nft_transfer_data.marketplace": nil},
			[]string{"auction_bid", "auction_outbid", "call_contract"},
		},
		{
			"coins for a domain without an earlier bid", asDomain(), func() *builder {
				b, root := external(buyer)
				b.send(root, item, 950, textBody(""))
				return b
			}, "ton_transfer", nil, []string{"ton_transfer"},
		},
		{
			"an auction starts on Telegram", marketplace(telegram), func() *builder {
				b, root := external(seller)
				config := cell.BeginCell().MustStoreAddr(std(seller)).MustStoreCoins(100).MustStoreCoins(5000).MustStoreUInt(5, 8).
					MustStoreUInt(3600, 32).MustStoreUInt(86400, 32).EndCell()
				b.send(b.send(root, item, 10, op(0x487a8e81).MustStoreUInt(1, 64).MustStoreRef(config).EndCell()), seller, 5, requestBody(0xa37a0983))
				return b
			}, "teleitem_start_auction", row{
				"success": true, "source": name(seller), "destination": name(item), "asset_secondary": name(item),
				"nft_listing_data.min_bid": 100, "nft_listing_data.max_bid": 5000, "nft_listing_data.mp_fee_factor": 0,
				"nft_listing_data.marketplace_fee_address": name(seller), "nft_listing_data.marketplace": "fragment",
			},
			[]string{"teleitem_start_auction", "call_contract", "call_contract"},
		},
		{
			"an auction fails to start on Telegram", marketplace(telegram), func() *builder {
				b, root := external(seller)
				config := cell.BeginCell().MustStoreAddr(std(seller)).MustStoreCoins(100).MustStoreCoins(5000).EndCell()
				b.send(root, item, 10, op(0x487a8e81).MustStoreUInt(1, 64).MustStoreRef(config).EndCell()).Aborted = true
				return b
			}, "teleitem_start_auction", row{
				"success": false, "nft_listing_data.min_bid": 0, "nft_listing_data.max_bid": 0, "nft_listing_data.marketplace_fee_address": nil,
			}, []string{"teleitem_start_auction", "call_contract"},
		},
		{
			"an auction is cancelled on Telegram", marketplace(telegram), func() *builder {
				b, root := external(seller)
				b.send(b.send(root, item, 10, requestBody(0x371638ae)), seller, 5, requestBody(0xa37a0983))
				return b
			}, "teleitem_cancel_auction", row{"success": true, "source": name(seller), "destination": name(item), "asset_secondary": name(item)},
			[]string{"teleitem_cancel_auction", "call_contract", "call_contract"},
		},
		{
			"an item elsewhere gets the same call", marketplace(""), func() *builder {
				b, root := external(seller)
				b.send(root, item, 10, requestBody(0x371638ae))
				return b
			}, "call_contract", nil, []string{"call_contract"},
		},
		{
			"an item of Telegram is bought", marketplace(telegram), func() *builder {
				b, root := external(buyer)
				return soldItem(b, b.send(root, item, 1000, cell.BeginCell().EndCell()))
			}, "nft_transfer", row{
				"source": name(seller), "destination": name(buyer), "nft_transfer_data.is_purchase": true,
				"nft_transfer_data.price": 1000, "nft_transfer_data.marketplace": "fragment",
				"nft_transfer_data.royalty_amount": 50, "nft_transfer_data.payout_amount": 900,
				"nft_listing_data.royalty_address": name(21), "nft_listing_data.marketplace_fee_address": name(seller),
			},
			[]string{"nft_transfer"},
		},
		{
			"an auction on Telegram is ended from outside", marketplace(telegram), func() *builder {
				b, root := external(item)
				return soldItem(b, root)
			}, "nft_transfer", row{"nft_transfer_data.is_purchase": true, "nft_transfer_data.payout_amount": 900},
			[]string{"nft_transfer"},
		},
		{
			"an item is minted to its owner", marketplace(telegram), func() *builder {
				b, root := external(collection)
				made := b.send(root, item, 1000, requestBody(0x299a3e15))
				made.OrigStatus = "nonexist"
				b.send(made, buyer, 0, op(0x05138d91).MustStoreUInt(5, 64).MustStoreUInt(0, 2).MustStoreBoolBit(true).
					MustStoreRef(op(0x38127de1).MustStoreCoins(1000).MustStoreUInt(0, 32).EndCell()).EndCell())
				return b
			}, "nft_transfer", row{
				"source": nil, "destination": name(buyer), "nft_transfer_data.is_purchase": false, "nft_transfer_data.price": nil,
			},
			[]string{"contract_deploy", "nft_mint", "nft_transfer"},
		},
		{
			"a domain is released", asDomain(), func() *builder {
				b, root := external(buyer)
				b.send(root, item, 100, requestBody(0x4ed14b65))
				return b
			}, "dns_release", row{
				"success": true, "source": name(buyer), "destination": name(item), "asset": domains, "value": 100,
				"nft_transfer_data.query_id": 77, "nft_transfer_data.nft_item_index": 12,
			},
			[]string{"dns_release", "call_contract"},
		},
		{
			"a domain is not released without a query id", asDomain(), func() *builder {
				b, root := external(buyer)
				b.send(root, item, 100, op(0x4ed14b65).EndCell()).Aborted = true
				return b
			}, "dns_release", row{"success": false, "value": 100, "nft_transfer_data.query_id": nil, "nft_transfer_data.nft_item_index": 12},
			[]string{"dns_release", "call_contract"},
		},
		{
			"a domain changes hands", asDomain(), func() *builder {
				b, root := external(buyer)
				b.send(b.send(root, item, 100, requestBody(0x2fcb26a3)), collection, 900, requestBody(0x370fec51))
				return b
			}, "dns_purchase", row{
				"success": true, "source": nil, "destination": name(buyer), "asset": domains, "asset_secondary": name(item),
				"nft_transfer_data.price": 900, "nft_transfer_data.payout_amount": 900, "nft_transfer_data.query_id": 77,
				"nft_transfer_data.is_purchase": true, "nft_transfer_data.nft_item_index": 12,
			},
			[]string{"dns_purchase", "call_contract", "call_contract"},
		},
		{
			"an item reports its collection", marketplace(""), func() *builder {
				b, root := external(buyer)
				b.send(b.send(root, item, 100, requestBody(0x2fcb26a2)), buyer, 90, op(0x8b771735).MustStoreUInt(1, 64).
					MustStoreUInt(12, 256).MustStoreAddr(std(collection)).EndCell())
				return b
			}, "nft_discovery", row{
				"source": name(buyer), "asset_secondary": name(item), "asset": name(collection), "nft_transfer_data.nft_item_index": 12,
			},
			[]string{"nft_discovery", "call_contract", "call_contract"},
		},
		{
			"a transfer of an item fails", marketplace(""), func() *builder {
				b, root := external(seller)
				refused := b.send(root, item, 100, transferItem(buyer))
				refused.Aborted = true
				b.send(refused, seller, 90, op(0xffffffff).EndCell())
				return b
			}, "nft_transfer", row{"success": false, "source": name(seller), "destination": name(buyer), "nft_transfer_data.is_purchase": false},
			[]string{"nft_transfer", "call_contract"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			actions, err := action.Classify(tc.trace().trace, tc.contracts)
			require.NoError(t, err)
			var types []string
			var found row
			for _, r := range rowsOf(t, actions) {
				kind, _ := r["type"].(string)
				types = append(types, kind)
				if kind == tc.about {
					found = r
				}
			}
			require.ElementsMatch(t, tc.types, types)
			for path, want := range tc.want {
				require.Empty(t, mismatch(asJSON(t, want), valuesAt(found, path)[0], path))
			}
		})
	}
}

// soldItem adds the messages of a sold item: the notification of the buyer, the royalty and the payment of the seller.
func soldItem(b *builder, tx *action.Transaction) *builder {
	b.send(tx, buyer, 0, op(0x05138d91).MustStoreUInt(5, 64).MustStoreAddr(std(seller)).MustStoreBoolBit(true).
		MustStoreRef(op(0x38127de1).MustStoreCoins(1000).MustStoreUInt(0, 32).EndCell()).EndCell())
	b.send(tx, 21, 50, requestBody(0x370fec51))
	b.send(tx, seller, 900, requestBody(0x370fec51))
	return b
}

// asJSON returns a value as decoded JSON.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var plain any
	require.NoError(t, decode(string(raw), &plain))
	return plain
}

func TestAuctioned_ListsItemsOfAuctions(t *testing.T) {
	t.Parallel()
	b, root := external(buyer)
	b.send(root, sale, 950, textBody(""))
	require.Equal(t, []chain.Address{account(item)}, action.Auctioned(b.trace, onAuction()))
	require.Empty(t, action.Auctioned(b.trace, onSale()))
}
