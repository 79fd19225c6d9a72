package nft

import (
	"tonql/internal/action"
	"tonql/internal/chain"
)

func init() {
	action.Register(action.Spec{
		Kind: "auction_bid", Phase: 38,
		Match: action.Where(mayBid).Of(action.TypeTonTransfer, action.TypeCallContract),
		Build: buildAuctionBid,
	})
}

// mayBid reports whether the block can be a bid: coins, or a call of an auction of version 4 with the same meaning and a query id.
func mayBid(b *action.Block) bool {
	return (b.Type == action.TypeTonTransfer || b.Calls(opAuctionBidV4)) && !b.Deployed && !b.IsLog()
}

func buildAuctionBid(c *action.Context, m *action.Match) *action.Result {
	item, market := bidFor(c, m.Start)
	if item == nil || hasComment(m.Start, "cancel", "finish", "stop") {
		return nil
	}
	collection, index := collectionOf(c, item)
	d := &TransferData{Index: index}
	if market != "" {
		d.Marketplace = &market
	}
	return &action.Result{
		Also: list(item), Failed: !action.BasicSuccess(m.Start),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: collection,
			AssetSecondary: action.AddressText(item), Value: m.Start.Msg.Value, Payloads: []action.Payload{d},
		},
	}
}

// bidFor returns the item for which a message to an account is a bid, and the marketplace, which is empty for domains. Coins to
// a domain are a bid only if they outbid another account; otherwise they can be a top-up.
func bidFor(c *action.Context, b *action.Block) (item *chain.Address, market string) {
	if a := auctionAt(c, b); a != nil {
		return a.Item, getgems
	}
	i := c.NFTItem(b)
	switch {
	case i == nil || b.Type != action.TypeTonTransfer:
	case onFragment(i):
		return b.Account(), fragment
	case isDomain(i) && sends(b, opOutbid) > 0:
		return b.Account(), ""
	}
	return nil, ""
}

// sends counts the following messages with this opcode.
func sends(b *action.Block, op uint32) int {
	n := 0
	for _, next := range b.Next {
		if next.Calls(op) {
			n++
		}
	}
	return n
}
