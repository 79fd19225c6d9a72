package action

import "tonql/internal/chain"

func init() {
	Register(Spec{
		Kind: "auction_bid", Phase: 38,
		Match: Where(func(b *Block) bool { return b.Type == TypeTonTransfer && !b.Deployed && !b.IsLog() }).Of(TypeTonTransfer),
		Build: buildAuctionBid,
	})
}

func buildAuctionBid(c *Context, m *Match) *Result {
	item, market := bidFor(c, m.Start)
	if item == nil || hasComment(m.Start, "cancel", "finish", "stop") {
		return nil
	}
	collection, index := collectionOf(c, item)
	d := &NFTTransferData{Index: index}
	if market != "" {
		d.Marketplace = &market
	}
	return &Result{
		Also: list(item), Failed: !BasicSuccess(m.Start),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), Asset: collection,
			AssetSecondary: AddressText(item), Value: m.Start.Msg.Value, Payloads: []Payload{d},
		},
	}
}

// bidFor is the item that coins sent to an account are a bid for, and the marketplace, "" for domains. Coins for a domain
// are a bid when somebody else was outbid: else they may as well fill it up.
func bidFor(c *Context, b *Block) (item *chain.Address, market string) {
	if a := auctionAt(c, b); a != nil {
		return a.Item, getgems
	}
	i := c.NFTItem(b)
	switch {
	case i == nil:
	case i.onFragment():
		return b.Account(), fragment
	case i.isDomain() && sends(b, opOutbid) > 0:
		return b.Account(), ""
	}
	return nil, ""
}

// sends counts the messages with this opcode that follow.
func sends(b *Block, op uint32) int {
	n := 0
	for _, next := range b.Next {
		if next.Calls(op) {
			n++
		}
	}
	return n
}
