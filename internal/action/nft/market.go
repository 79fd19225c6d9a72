package nft

import (
	"math/big"
	"slices"
	"strings"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// Names of marketplaces.
const (
	getgems  = "getgems"
	fragment = "fragment"
)

// Marketplaces: that whose contracts are recognized as sales and auctions, by their code, and that of Telegram's items.
const (
	Getgems  = getgems
	Fragment = fragment
)

// Opcodes of Telegram's items and of domains.
const (
	opTeleitemDeploy = 0x299a3e15
	opTeleitemStart  = 0x487a8e81
	opTeleitemCancel = 0x371638ae
	opTeleitemOK     = 0xa37a0983
	opTeleitemSold   = 0x38127de1 // in the payload of the notification of the buyer
	opFillUp         = 0x370fec51 // payments of a sale
	opOutbid         = 0x557cea20
	opReleaseBalance = 0x4ed14b65
)

// Opcodes of getgems' auctions. Version 3 has small numbers, and takes a comment as well; version 4 has names of its own.
const (
	opAuctionCancel   = 0x5616c572
	opAuctionFinish   = 0x20c9eb18
	opAuctionStop     = 0xb95616b6
	opAuctionCancelV3 = 0x00000001
	opAuctionStopV3   = 0x00000002
	opAuctionCancelV4 = 0xb820e9c2 // cancel_auction
	opAuctionFinishV4 = 0xf373ace5 // finish_auction
	opAuctionBidV4    = 0x344ef025 // process_ton_bid
)

// Opcodes of getgems' sales. A cancellation can be a comment. By opSaleSend, a marketplace has a sale that was not started, or is
// over, send any message, such as the transfer of an item that would be lost otherwise.
const (
	opSaleSend     = 0x0000022b
	opSaleCancel   = 0x00000003
	opSaleUpdate   = 0x6c6c2080
	opSaleUpdateV4 = 0xfd135f7b
)

const fragmentSite = "https://nft.fragment.com"

// The .ton domains: their collection, and the code of the items.
var (
	domainCollection = action.MustAddress("0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF")
	domainCode       = action.MustHash("i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=")
)

// onFragment reports whether an item is a Telegram user name or number, sold on Fragment.
func onFragment(i *action.NFTItem) bool {
	return i.Teleitem || strings.Contains(i.URI, fragmentSite)
}

// isDomain reports whether an item is a .ton domain, which is its own auction contract.
func isDomain(i *action.NFTItem) bool {
	return i.CodeHash != nil && *i.CodeHash == domainCode || i.Collection != nil && *i.Collection == domainCollection ||
		strings.HasSuffix(i.Domain, ".ton")
}

// ListingData are the terms of a sale or an auction. Amounts are nanotons; a fee of an auction is factor / base.
type ListingData struct {
	Index                 *big.Int       `json:"nft_item_index"`
	FullPrice             *big.Int       `json:"full_price"`
	MarketplaceFee        *big.Int       `json:"marketplace_fee"`
	RoyaltyAmount         *big.Int       `json:"royalty_amount"`
	MarketplaceFeeFactor  *big.Int       `json:"mp_fee_factor"`
	MarketplaceFeeBase    *big.Int       `json:"mp_fee_base"`
	RoyaltyFeeBase        *big.Int       `json:"royalty_fee_base"`
	MaxBid                *big.Int       `json:"max_bid"`
	MinBid                *big.Int       `json:"min_bid"`
	MarketplaceFeeAddress *chain.Address `json:"marketplace_fee_address"`
	RoyaltyAddress        *chain.Address `json:"royalty_address"`
	Marketplace           *string        `json:"marketplace"`
}

// Column implements [action.Payload].
func (*ListingData) Column() string { return "nft_listing_data" }

// hasComment reports whether the block is a transfer with one of these comments.
func hasComment(b *action.Block, texts ...string) bool {
	if b.Type != action.TypeTonTransfer {
		return false
	}
	comment, encrypted := action.Comment(b.Msg.Body.Cell())
	return comment != nil && !encrypted && slices.Contains(texts, *comment)
}

// callsAny reports whether the block is one message with one of these opcodes to a contract.
func callsAny(b *action.Block, ops ...uint32) bool { return slices.ContainsFunc(ops, b.Calls) }

// queryID returns the query id behind the opcode; nil for a shorter body.
func queryID(b *action.Block) *uint64 {
	l := b.Body()
	if query := l.Uint(64); l.Err() == nil {
		return &query
	}
	return nil
}

// saleAt returns the record of the sale contract that received the message of the block; auctionAt that of the auction.
func saleAt(c *action.Context, b *action.Block) *action.NFTSale {
	if a := b.Account(); a != nil {
		return c.Records.NFTSale(*a)
	}
	return nil
}

func auctionAt(c *action.Context, b *action.Block) *action.NFTAuction {
	if a := b.Account(); a != nil {
		return c.Records.NFTAuction(*a)
	}
	return nil
}

// collectionOf returns the collection and the index of an item; both are zero without a record.
func collectionOf(c *action.Context, item *chain.Address) (collection string, index *big.Int) {
	if item == nil {
		return "", nil
	}
	if i := c.Records.NFTItem(*item); i != nil {
		return action.AddressText(i.Collection), i.Index
	}
	return "", nil
}

// list returns the addresses that are not nil.
func list(addresses ...*chain.Address) []chain.Address {
	var present []chain.Address
	for _, a := range addresses {
		if a != nil {
			present = append(present, *a)
		}
	}
	return present
}
