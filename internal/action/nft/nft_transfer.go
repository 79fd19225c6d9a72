package nft

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/nft"
)

func init() {
	action.Register(action.Spec{
		Kind: "nft_transfer", Phase: 26,
		Match: action.Call(nft.OpTransfer).Then(
			action.Where(isAssigned).As("assigned").Maybe(), action.Call(nft.OpExcesses).Maybe()),
		Build: buildNFTTransfer,
	})
}

// TransferData are the details of a change of owner.
type TransferData struct {
	QueryID                *uint64        `json:"query_id"`
	ResponseDestination    *chain.Address `json:"response_destination"`
	CustomPayload          *string        `json:"custom_payload"`
	ForwardPayload         *string        `json:"forward_payload"`
	ForwardAmount          *big.Int       `json:"forward_amount"`
	Index                  *big.Int       `json:"nft_item_index"`
	IsPurchase             *bool          `json:"is_purchase"`
	Price                  *big.Int       `json:"price"`
	Marketplace            *string        `json:"marketplace"`
	MarketplaceAddress     *chain.Address `json:"marketplace_address"`
	RealPrevOwner          *chain.Address `json:"real_prev_owner"`
	RoyaltyAmount          *big.Int       `json:"royalty_amount"`
	PayoutAmount           *big.Int       `json:"payout_amount"`
	PayoutComment          *string        `json:"payout_comment"`
	PayoutCommentEncoded   *bool          `json:"payout_comment_encoded"`
	PayoutCommentEncrypted *bool          `json:"payout_comment_encrypted"`
}

// Column implements [action.Payload].
func (*TransferData) Column() string { return "nft_transfer_data" }

func buildNFTTransfer(c *action.Context, m *action.Match) *action.Result {
	item := c.NFTItem(m.Start)
	t, err := nft.ParseTransfer(m.Start.Msg.Body.Cell())
	if item == nil || err != nil || m.Start.Account() == nil || t.NewOwner == nil {
		return nil
	}
	d := &TransferData{
		QueryID: &t.QueryID, ResponseDestination: t.Response, CustomPayload: action.EncodeBOC(t.CustomPayload, true),
		ForwardAmount: t.ForwardAmount, Index: item.Index, IsPurchase: new(false),
	}
	if t.HasPayload {
		d.ForwardPayload = action.EncodeBOC(t.ForwardPayload, true)
	}
	prev := m.Start.From()
	if assigned := m.Get("assigned"); assigned != nil {
		l := assigned.Body()
		l.Uint(64)
		if a := l.Address(); l.Err() == nil && a != nil {
			prev = a
		}
	}
	if pay := purchase(c, d, m.Start.Prev, *m.Start.Account(), t.NewOwner); pay != nil {
		m.TakeOnly(pay)
	}
	return &action.Result{
		Columns: action.Columns{
			Source: action.AddressText(prev), Destination: action.AddressText(t.NewOwner), AssetSecondary: action.AddressText(m.Start.Account()),
			Asset: action.AddressText(item.Collection), Payloads: []action.Payload{d},
		},
		Failed: m.Start.Aborted(),
	}
}

// isAssigned reports whether the block is the notification of the transfer before it. An item of Telegram whose auction is over
// notifies the winner, too, when the winner transfers it: see [buildItemAssigned].
func isAssigned(b *action.Block) bool {
	if !b.Calls(nft.OpOwnershipAssigned) {
		return false
	}
	if soldFor(b) == nil {
		return true
	}
	t, err := nft.ParseTransfer(b.Prev.Msg.Body.Cell())
	return err == nil && action.SameAddress(t.NewOwner, b.Account())
}

// purchase sets the price when the block before the transfer paid a sale or ended an auction. It returns the payment when
// that belongs to the transfer, or the external message by which anybody can end an auction that is over: it belongs to nobody else.
// A sale may be paid by another account than the buyer, such as a contract that acts for the buyer, and by coins or by a call: when
// the item leaves the sale for another account than the seller, it was sold, unless the marketplace ordered the sale to send it.
func purchase(c *action.Context, d *TransferData, before *action.Block, item chain.Address, buyer *chain.Address) *action.Block {
	at := before.Account()
	if at == nil || buyer == nil || !before.IsBasic() {
		return nil
	}
	var of, owner, market *chain.Address
	var price *big.Int
	paid := true
	if s := c.Records.NFTSale(*at); s != nil && !before.Calls(opSaleSend) {
		of, owner, market, price = s.Item, s.Owner, s.Marketplace, s.FullPrice
	} else if a := c.Records.NFTAuction(*at); a != nil {
		of, owner, market, price, paid = a.Item, a.Owner, a.Marketplace, a.LastBid, !endsAuction(before) || before.From() == nil
	}
	if of == nil || *of != item || action.SameAddress(owner, buyer) {
		return nil
	}
	d.IsPurchase, d.Price, d.Marketplace, d.MarketplaceAddress = new(true), price, new(getgems), market
	d.RealPrevOwner = owner
	if !paid {
		return nil // the end of an auction is a separate action
	}
	return before
}

// nftData returns the payload of an NFT transfer; nil for other blocks.
func nftData(b *action.Block) *TransferData {
	if b == nil || len(b.Columns.Payloads) == 0 {
		return nil
	}
	d, _ := b.Columns.Payloads[0].(*TransferData)
	return d
}
