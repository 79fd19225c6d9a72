package nft

import (
	"math/big"
	"slices"

	"tonql/internal/action"
	"tonql/internal/contract"
	"tonql/internal/contract/nft"
)

func init() {
	action.Register(action.Spec{Kind: "nft_transfer", Phase: 27, Match: action.Call(nft.OpOwnershipAssigned), Build: buildItemAssigned})
}

// buildItemAssigned takes an item that assigns its owner by itself: at its mint, or at the end of its auction. The messages
// of items on Fragment contain the price.
//
//	ownership_assigned#05138d91 query_id:uint64 prev_owner:MsgAddress forward_payload:(Either Cell ^Cell)
//	teleitem_bid_info#38127de1 bid:Grams bid_ts:uint32
func buildItemAssigned(c *action.Context, m *action.Match) *action.Result {
	from, before := m.Start.From(), m.Start.Prev
	if from == nil || m.Start.Account() == nil {
		return nil
	}
	item, l := c.Records.NFTItem(*from), m.Start.Body()
	query, prev := l.Uint(64), l.Address()
	if item == nil || l.Err() != nil {
		return nil
	}
	d := &TransferData{QueryID: &query, Index: item.Index, IsPurchase: new(false)}
	if l.BitsLeft() > 0 {
		if payload, _ := l.Either(); l.Err() == nil {
			d.ForwardPayload = action.EncodeBOC(payload, true)
		}
	}
	terms := &ListingData{}
	if price := soldFor(m.Start); price != nil && !before.Calls(opTeleitemDeploy) && before.Type != "nft_mint" {
		d.IsPurchase, d.Price, d.Marketplace = new(true), price, new(fragment)
	}
	if *d.IsPurchase && (before.Type == action.TypeTonTransfer || before.IsBasic() && before.Msg != nil && before.From() == nil) {
		d.takePayment(m, before, terms)
	}
	return &action.Result{
		Failed: m.Start.Sender != nil && m.Start.Sender.Aborted,
		Columns: action.Columns{
			Source: action.AddressText(prev), Destination: action.AddressText(m.Start.Account()), AssetSecondary: action.AddressText(from),
			Asset: action.AddressText(item.Collection), Payloads: []action.Payload{d, terms},
		},
	}
}

// soldFor returns the price in the notification of the winner of an auction on Fragment; nil in others.
func soldFor(b *action.Block) *big.Int {
	l := b.Body()
	l.Uint(64)
	l.Address()
	payload, _ := l.Either()
	sold := contract.Load(payload)
	op, price := sold.Uint(32), sold.Coins()
	if l.Err() != nil || sold.Err() != nil || op != opTeleitemSold {
		return nil
	}
	return price
}

// takePayment takes the message that ended the auction, and the payments of the item: first the royalty, then the price.
func (d *TransferData) takePayment(m *action.Match, paid *action.Block, t *ListingData) {
	var passed []*action.Block
	for _, n := range paid.Next {
		if n.Calls(opFillUp) && n.Account() != nil {
			passed = append(passed, n)
		}
	}
	slices.SortStableFunc(passed, action.CompareCreated)
	m.TakeOnly(passed...)
	if len(passed) > 1 {
		d.RoyaltyAmount, t.RoyaltyAddress = passed[0].Msg.Value, passed[0].Account()
		passed = passed[1:]
	}
	if len(passed) > 0 {
		d.PayoutAmount, t.MarketplaceFeeAddress = passed[0].Msg.Value, passed[0].Account()
	}
	m.TakeOnly(paid)
}
