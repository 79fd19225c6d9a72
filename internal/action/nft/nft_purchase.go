package nft

import (
	"math/big"

	"tonql/internal/action"
)

func init() {
	action.Register(action.Spec{
		Kind: "nft_purchase", Phase: 28,
		Match: action.Where(func(b *action.Block) bool {
			d := nftData(b)
			return b.Type == "nft_transfer" && d != nil && d.IsPurchase != nil && *d.IsPurchase && d.Marketplace != nil && *d.Marketplace == getgems
		}).Of("nft_transfer"),
		Build: buildNFTPurchase,
	})
}

func buildNFTPurchase(_ *action.Context, m *action.Match) *action.Result {
	d := *nftData(m.Start)
	pay := payout(m.Start, &d)
	if pay == nil {
		return nil
	}
	m.TakeOnly(pay)
	d.PayoutAmount = pay.Msg.Value
	value, encrypted := action.Comment(pay.Msg.Body.Cell())
	encoded := encrypted && value != nil // an encrypted comment is shown as base64
	d.PayoutComment, d.PayoutCommentEncrypted, d.PayoutCommentEncoded = value, &encrypted, &encoded
	c := m.Start.Columns
	c.Payloads = []action.Payload{&d}
	return &action.Result{Columns: c, Failed: !m.Start.Success, WithoutSender: finished(m.Start)}
}

// finished reports whether coins with a comment ended the auction before a transfer. They belong to nft_finish_auction, and the
// published purchase does not have their transaction.
func finished(b *action.Block) bool { return b.Prev != nil && hasComment(b.Prev, "finish", "stop") }

// payout returns the payment to the seller by the contract that transferred the item. It follows the transfer if the transfer
// contains the payment of the buyer, otherwise it is a sibling. What the buyer pays the seller besides is no part of the purchase.
// A seller who receives the royalty, too, has two payments, of which the larger one is the price: auctions pay the royalty first, sales last.
func payout(b *action.Block, d *TransferData) *action.Block {
	near := b.Next
	if b.Prev != nil {
		near = append(near[:len(near):len(near)], b.Prev.Next...)
	}
	var largest *action.Block
	for _, n := range near {
		if n.Type != action.TypeTonTransfer || !action.SameAddress(n.Account(), d.RealPrevOwner) || !action.SameAddress(n.From(), b.From()) {
			continue
		}
		if largest == nil || paid(n).Cmp(paid(largest)) > 0 {
			largest = n
		}
	}
	return largest
}

// paid returns the value of a message; 0 without one.
func paid(b *action.Block) *big.Int {
	if b.Msg.Value == nil {
		return zeroCoins()
	}
	return b.Msg.Value
}
