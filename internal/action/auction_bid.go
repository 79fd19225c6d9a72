package action

import "tonql/internal/chain"

func init() {
	Register(Spec{
		Kind: "auction_bid", Phase: 38,
		Match: Where(func(b *Block) bool { return b.Type == typeTonTransfer && !b.deploy && !b.isLog() }).Of(typeTonTransfer),
		Build: buildAuctionBid,
	})
}

func buildAuctionBid(c *Context, m *Match) *Result {
	item, market := c.bidFor(m.Start)
	if item == nil || m.Start.says("cancel", "finish", "stop") {
		return nil
	}
	collection, index := c.collectionOf(item)
	d := &NFTTransferData{Index: index}
	if market != "" {
		d.Marketplace = &market
	}
	return &Result{
		Also: list(item), Failed: !basicSuccess(m.Start),
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), Asset: collection,
			AssetSecondary: text(item), Value: m.Start.Msg.Value, Payloads: []Payload{d},
		},
	}
}

// bidFor is the item that coins sent to an account are a bid for, and the marketplace, "" for domains. Coins for a domain
// are a bid when somebody else was outbid: else they may as well fill it up.
func (c *Context) bidFor(b *Block) (item *chain.Address, market string) {
	if a := c.auction(b); a != nil {
		return a.Item, getgems
	}
	i := c.item(b)
	switch {
	case i == nil:
	case i.onFragment():
		return b.account(), fragment
	case i.isDomain() && sends(b, opOutbid) > 0:
		return b.account(), ""
	}
	return nil, ""
}

// sends counts the messages with this opcode that follow.
func sends(b *Block, op uint32) int {
	n := 0
	for _, next := range b.next {
		if next.calls(op) {
			n++
		}
	}
	return n
}
