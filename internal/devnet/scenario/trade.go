package scenario

import (
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/devnet/contracts"
)

// Values of sales and auctions.
const (
	listingGas  = oneTON / 2 // for the messages through the marketplace
	listingNote = oneTON * 3 / 10
	tradeGas    = oneTON / 8
	bidGas      = oneTON / 50
)

// item is the index of an NFT that its owners offer repeatedly. Offers of items with odd indexes are withdrawn.
type item uint64

// state returns the owner of the item: an actor or a listing; neither during a transfer.
func (i item) state(t *batch) (at *address.Address, owner *contracts.Wallet, listing *contracts.Listing, seller *address.Address) {
	at = t.contractSet.nfts.item(uint64(i))
	acc := t.look(at)
	if !acc.active || !t.look(t.contractSet.market.Address).active {
		return at, nil, nil, nil
	}
	holder, err := contracts.NFTOwner(acc.data)
	if err != nil {
		t.failed = err
		return at, nil, nil, nil
	}
	if holder == nil {
		return at, nil, nil, nil
	}
	if owner = t.actorAt(holder); owner != nil {
		return at, owner, nil, nil
	}
	there := t.look(holder)
	if !there.active {
		return at, nil, nil, nil
	}
	l, ok, err := contracts.ReadListing(there.code, there.data)
	if err != nil {
		t.failed = err
	}
	if err != nil || !ok || l.Over || l.Owner == nil {
		return at, nil, nil, nil
	}
	return at, nil, &l, holder
}

// sale offers the item at a fixed price; then the price falls and an actor buys, or the seller withdraws the offer.
func (i item) sale(t *batch) string {
	at, owner, l, sale := i.state(t)
	switch {
	case owner != nil:
		return did("put on sale", i.putUp(t, owner, at, contracts.NFTSale(i.saleTerms(t, at))))
	case l == nil:
		return ""
	}
	seller := t.actorAt(l.Owner)
	switch {
	case seller == nil:
		return ""
	case i%2 == 1:
		return did("cancelled", t.call(seller, contracts.Call(sale, tradeGas, contracts.SaleCancel(t.nextQuery()))))
	case l.Price == i.price():
		price := l.Price / 2
		body := contracts.SaleChangePrice(t.nextQuery(), price, price/20, price/20)
		return did("price changed", t.call(seller, contracts.Call(sale, tradeGas, body)))
	}
	buyer := t.another(l.Owner)
	return did("bought", buyer != nil && t.call(buyer, contracts.Transfer(sale, l.Price+tradeGas, "")))
}

func (i item) price() uint64 { return (10 + uint64(i)) * oneTON }

func (i item) saleTerms(t *batch, at *address.Address) contracts.NFTSaleTerms {
	price := i.price()
	return contracts.NFTSaleTerms{
		CreatedAt: t.block.GenUtime, Marketplace: t.contractSet.market.Address, Item: at, Price: price,
		Fee: price / 20, FeeAddress: t.contractSet.market.Address, RoyaltyFee: price / 20, RoyaltyTo: t.cast.operator.Address,
	}
}

// auction auctions the item. The auction of item 3 is cancelled before the first bid, that of item 4 is stopped after
// the first; the others receive two bids, and the last bidder wins when the time is over.
func (i item) auction(t *batch) string {
	at, owner, l, auction := i.state(t)
	switch {
	case owner != nil:
		return did("put on auction", i.putUp(t, owner, at, contracts.NFTAuction(i.auctionTerms(t, at))))
	case l == nil:
		return ""
	}
	seller := t.actorAt(l.Owner)
	switch {
	case seller == nil:
		return ""
	case t.block.GenUtime >= l.EndTime:
		anybody := t.actor()
		return did("finished", anybody != nil && t.call(anybody, contracts.Transfer(auction, tradeGas, "finish")))
	case i == 3:
		return did("cancelled", t.call(seller, contracts.Transfer(auction, tradeGas, "cancel")))
	case i == 4 && l.Bidder != nil:
		return did("stopped", t.call(seller, contracts.Call(auction, tradeGas, contracts.AuctionOrder(contracts.OpAuctionStop))))
	case l.Price > oneTON:
		return "" // two bids are enough
	}
	bidder := t.another(l.Owner, l.Bidder)
	step := "bid"
	if l.Bidder != nil {
		step = "outbid"
	}
	return did(step, bidder != nil && t.call(bidder, contracts.Transfer(auction, l.MinBid+bidGas, "")))
}

func (i item) auctionTerms(t *batch, at *address.Address) contracts.NFTAuctionTerms {
	return contracts.NFTAuctionTerms{
		CreatedAt: t.block.GenUtime, EndTime: t.block.GenUtime + 5*t.pace(), Marketplace: t.contractSet.market.Address, Item: at,
		MinBid: oneTON, MaxBid: 1000 * oneTON, MinStep: oneTON / 2, StepTime: 2,
		Fee:     contracts.Royalty{Numerator: 5, Denominator: 100, Destination: t.contractSet.market.Address},
		Royalty: contracts.Royalty{Numerator: 5, Denominator: 100, Destination: t.cast.operator.Address},
	}
}

// putUp transfers an item to the marketplace together with its listing.
func (i item) putUp(t *batch, owner *contracts.Wallet, at *address.Address, listing contracts.Contract) bool {
	order := contracts.NFTTransfer{
		QueryID: t.nextQuery(), NewOwner: t.contractSet.market.Address, Response: owner.Address,
		ForwardValue: listingNote, ForwardPayload: contracts.PutUp(listing),
	}
	return t.ready(owner) && t.call(owner, contracts.Call(at, listingGas, order.Body()))
}
