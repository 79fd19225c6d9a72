package contracts

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the marketplace and of its listings. An auction also accepts the comments cancel, finish and stop.
const (
	OpPutUp           = 0x6c697374
	OpSaleCancel      = 3
	OpSaleChangePrice = 0x6c6c2080
	OpAuctionCancel   = 0x5616c572
	OpAuctionFinish   = 0x20c9eb18
	OpAuctionStop     = 0xb95616b6
)

// NFTMarket returns the marketplace, which deploys listings and transfers items to them. Its data are the salt, which
// makes several marketplaces distinct.
func NFTMarket(salt uint32) Contract {
	return newContract(Basechain, Code(codeNFTMarket), cell.BeginCell().MustStoreUInt(uint64(salt), 32).EndCell())
}

// NFTSaleTerms is a sale at a fixed price. Amounts are nanotons; fee and royalty are parts of the price.
type NFTSaleTerms struct {
	CreatedAt              uint32 // unix time
	Marketplace, Item      *address.Address
	Price, Fee, RoyaltyFee uint64
	FeeAddress, RoyaltyTo  *address.Address
}

// NFTSale is a sale before its item arrives.
//
//	_ is_complete:Bool created_at:uint32 marketplace:MsgAddress item:MsgAddress owner:MsgAddress full_price:Coins
//	  fees:^[ fee_address:MsgAddress fee:Coins royalty_address:MsgAddress royalty:Coins ] = Storage;
func NFTSale(s NFTSaleTerms) Contract {
	fees := addr(cell.BeginCell(), s.FeeAddress).MustStoreCoins(s.Fee)
	fees = addr(fees, s.RoyaltyTo).MustStoreCoins(s.RoyaltyFee)
	data := cell.BeginCell().MustStoreBoolBit(false).MustStoreUInt(uint64(s.CreatedAt), 32)
	data = addr(addr(addr(data, s.Marketplace), s.Item), nil).MustStoreCoins(s.Price).MustStoreRef(fees.EndCell())
	return newContract(Basechain, Code(codeNFTSale), data.EndCell())
}

// NFTAuctionTerms is an auction. Amounts are nanotons, times seconds; fees are factor / base.
type NFTAuctionTerms struct {
	CreatedAt, EndTime      uint32
	Marketplace, Item       *address.Address
	MinBid, MaxBid, MinStep uint64 // MaxBid 0 = none
	StepTime                uint32 // what a late bid leaves at least
	Fee, Royalty            Royalty
}

// NFTAuction is an auction before its item arrives.
//
//	_ is_over:Bool is_canceled:Bool last_member:MsgAddress last_bid:Coins last_bid_at:uint32 end_time:uint32 owner:MsgAddress
//	  fees:^[ fee_address:MsgAddress fee_factor:uint32 fee_base:uint32 royalty_address:MsgAddress royalty_factor:uint32
//	    royalty_base:uint32 ]
//	  terms:^[ marketplace:MsgAddress min_bid:Coins max_bid:Coins min_step:Coins step_time:uint32 item:MsgAddress
//	    created_at:uint32 ] = Storage;
func NFTAuction(a NFTAuctionTerms) Contract {
	fees := cell.BeginCell()
	for _, r := range []Royalty{a.Fee, a.Royalty} {
		fees = addr(fees, r.Destination).MustStoreUInt(uint64(r.Numerator), 32).MustStoreUInt(uint64(r.Denominator), 32)
	}
	terms := addr(cell.BeginCell(), a.Marketplace).MustStoreCoins(a.MinBid).MustStoreCoins(a.MaxBid).MustStoreCoins(a.MinStep)
	terms = addr(terms.MustStoreUInt(uint64(a.StepTime), 32), a.Item).MustStoreUInt(uint64(a.CreatedAt), 32)
	data := addr(cell.BeginCell().MustStoreUInt(0, 2), nil).MustStoreCoins(0).MustStoreUInt(0, 32)
	data = addr(data.MustStoreUInt(uint64(a.EndTime), 32), nil).MustStoreRef(fees.EndCell()).MustStoreRef(terms.EndCell())
	return newContract(Basechain, Code(codeNFTAuction), data.EndCell())
}

// PutUp is the forward payload that goes with an item to the marketplace: the listing to deploy.
//
//	put_up#6c697374 listing:^StateInit = ForwardPayload;
func PutUp(listing Contract) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(OpPutUp, 32).MustStoreRef(mustCell(listing.Init)).EndCell()
}

// SaleCancel is the seller's order to get the item back.
//
//	cancel#00000003 query_id:uint64 = InternalMsgBody;
func SaleCancel(queryID uint64) *cell.Cell { return op(OpSaleCancel, queryID).EndCell() }

// SaleChangePrice is the seller's order to change the price.
//
//	change_price#6c6c2080 query_id:uint64 full_price:Coins fee:Coins royalty:Coins = InternalMsgBody;
func SaleChangePrice(queryID, price, fee, royalty uint64) *cell.Cell {
	return op(OpSaleChangePrice, queryID).MustStoreCoins(price).MustStoreCoins(fee).MustStoreCoins(royalty).EndCell()
}

// AuctionOrder is a bare opcode: [OpAuctionCancel], [OpAuctionFinish] or [OpAuctionStop].
func AuctionOrder(code uint32) *cell.Cell { return opcodeOnly(code) }

// Listing is the state of a sale or an auction.
type Listing struct {
	Auction bool
	Over    bool
	Owner   *address.Address // the seller; nil until the item arrives
	Price   uint64           // of a sale; of an auction the last bid, 0 before the first
	MinBid  uint64           // of an auction: the least next bid, without gas
	EndTime uint32           // of an auction
	Bidder  *address.Address // of an auction, nil before the first
}

// ReadListing reads a listing from its code and data; false for every other contract.
func ReadListing(code, data *cell.Cell) (Listing, bool, error) {
	switch string(code.Hash()) {
	case string(Code(codeNFTSale).Hash()):
		l, err := readSale(data)
		return l, true, err
	case string(Code(codeNFTAuction).Hash()):
		l, err := readAuction(data)
		return l, true, err
	default:
		return Listing{}, false, nil
	}
}

type saleData struct {
	IsComplete  bool             `tlb:"bool"`
	CreatedAt   uint32           `tlb:"## 32"`
	Marketplace *address.Address `tlb:"addr"`
	Item        *address.Address `tlb:"addr"`
	Owner       *address.Address `tlb:"addr"`
	Price       tlb.Coins        `tlb:"."`
	Fees        *cell.Cell       `tlb:"^"`
}

func readSale(data *cell.Cell) (Listing, error) {
	var s saleData
	if err := tlb.Parse(&s, data); err != nil {
		return Listing{}, fmt.Errorf("sale data: %w", err)
	}
	return Listing{Over: s.IsComplete, Owner: somebody(s.Owner), Price: s.Price.Nano().Uint64()}, nil
}

type auctionData struct {
	IsOver     bool             `tlb:"bool"`
	IsCanceled bool             `tlb:"bool"`
	LastMember *address.Address `tlb:"addr"`
	LastBid    tlb.Coins        `tlb:"."`
	LastBidAt  uint32           `tlb:"## 32"`
	EndTime    uint32           `tlb:"## 32"`
	Owner      *address.Address `tlb:"addr"`
	Fees       *cell.Cell       `tlb:"^"`
	Terms      auctionTerms     `tlb:"^"`
}

type auctionTerms struct {
	Marketplace *address.Address `tlb:"addr"`
	MinBid      tlb.Coins        `tlb:"."`
	MaxBid      tlb.Coins        `tlb:"."`
	MinStep     tlb.Coins        `tlb:"."`
	StepTime    uint32           `tlb:"## 32"`
	Item        *address.Address `tlb:"addr"`
	CreatedAt   uint32           `tlb:"## 32"`
}

func readAuction(data *cell.Cell) (Listing, error) {
	var a auctionData
	if err := tlb.Parse(&a, data); err != nil {
		return Listing{}, fmt.Errorf("auction data: %w", err)
	}
	l := Listing{
		Auction: true, Over: a.IsOver, Owner: somebody(a.Owner), Price: a.LastBid.Nano().Uint64(),
		MinBid: a.Terms.MinBid.Nano().Uint64(), EndTime: a.EndTime, Bidder: somebody(a.LastMember),
	}
	if l.Bidder != nil {
		l.MinBid = l.Price + a.Terms.MinStep.Nano().Uint64()
	}
	return l, nil
}

// somebody makes addr_none nil.
func somebody(a *address.Address) *address.Address {
	if a == nil || a.IsAddrNone() {
		return nil
	}
	return a
}
