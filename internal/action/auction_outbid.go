package action

import "strings"

const outbidComment = "Your bid has been outbid by another user"

func init() {
	Register(Spec{Kind: "auction_outbid", Phase: 39, Match: Where(isOutbid).Of("auction_bid"), Build: buildAuctionOutbid})
}

// isOutbid reports whether the block is the only one below a bid that returns an earlier bid.
func isOutbid(b *Block) bool {
	if b.IsFirst() || b.Prev.Type != "auction_bid" || !returnsBid(b) {
		return false
	}
	n := 0
	for _, next := range b.Prev.Next {
		if returnsBid(next) {
			n++
		}
	}
	return n == 1
}

func returnsBid(b *Block) bool {
	if b.Calls(opOutbid) {
		return true
	}
	if b.Type != TypeTonTransfer {
		return false
	}
	said, encrypted := Comment(b.Msg.Body)
	return said != nil && !encrypted && strings.Contains(*said, outbidComment)
}

// buildAuctionOutbid leaves the bid an action of its own: whoever made it did not outbid themselves.
func buildAuctionOutbid(c *Context, m *Match) *Result {
	bid := m.Start.Prev.Columns
	item, _ := bidFor(c, m.Start.Prev)
	return &Result{
		Also: list(item),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()), SourceSecondary: bid.Source,
			Asset: bid.Asset, AssetSecondary: bid.AssetSecondary, Amount: m.Start.Msg.Value,
		},
	}
}
