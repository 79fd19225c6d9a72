package action

import "strings"

const outbidComment = "Your bid has been outbid by another user"

func init() {
	Register(Spec{Kind: "auction_outbid", Phase: 39, Match: Where(tellsOutbid).Of("auction_bid"), Build: buildAuctionOutbid})
}

// tellsOutbid says that the block alone, of all that a bid led to, gives a former bid back.
func tellsOutbid(b *Block) bool {
	if b.isFirst() || b.prev.Type != "auction_bid" || !returnsBid(b) {
		return false
	}
	n := 0
	for _, next := range b.prev.next {
		if returnsBid(next) {
			n++
		}
	}
	return n == 1
}

func returnsBid(b *Block) bool {
	if b.calls(opOutbid) {
		return true
	}
	if b.Type != typeTonTransfer {
		return false
	}
	said, encrypted := comment(b.Msg.Body)
	return said != nil && !encrypted && strings.Contains(*said, outbidComment)
}

// buildAuctionOutbid leaves the bid an action of its own: whoever made it did not outbid themselves.
func buildAuctionOutbid(c *Context, m *Match) *Result {
	bid := m.Start.prev.columns
	item, _ := c.bidFor(m.Start.prev)
	return &Result{
		Also: list(item),
		Columns: Columns{
			Source: text(m.Start.from()), Destination: text(m.Start.account()), SourceSecondary: bid.Source,
			Asset: bid.Asset, AssetSecondary: bid.AssetSecondary, Amount: m.Start.Msg.Value,
		},
	}
}
