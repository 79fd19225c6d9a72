package nft

import (
	"strings"

	"tonql/internal/action"
)

const outbidComment = "Your bid has been outbid by another user"

func init() {
	action.Register(action.Spec{Kind: "auction_outbid", Phase: 39, Match: action.Where(isOutbid).Of("auction_bid"), Build: buildAuctionOutbid})
}

// isOutbid reports whether the block is the only one below a bid that returns an earlier bid.
func isOutbid(b *action.Block) bool {
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

func returnsBid(b *action.Block) bool {
	if b.Calls(opOutbid) {
		return true
	}
	if b.Type != action.TypeTonTransfer {
		return false
	}
	comment, encrypted := action.Comment(b.Msg.Body.Cell())
	return comment != nil && !encrypted && strings.Contains(*comment, outbidComment)
}

// buildAuctionOutbid does not take the bid, which is a separate action of the new bidder.
func buildAuctionOutbid(c *action.Context, m *action.Match) *action.Result {
	bid := m.Start.Prev.Columns
	item, _ := bidFor(c, m.Start.Prev)
	d := &TransferData{}
	for _, p := range bid.Payloads {
		if of, ok := p.(*TransferData); ok {
			d.Marketplace = of.Marketplace
		}
	}
	return &action.Result{
		Also: list(item),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), SourceSecondary: bid.Source,
			Asset: bid.Asset, AssetSecondary: bid.AssetSecondary, Amount: m.Start.Msg.Value,
			Payloads: []action.Payload{d},
		},
	}
}
