package payment

import (
	"math/big"

	"tonql/internal/chain"
)

// MessageFrom returns the message with which a payer pays a registered transfer by its reference, the complete comment: what a wallet
// sends that opens one of [WalletLinks]. wallet is the payer's Jetton wallet, as the Jetton master returned it; nil for the native coin.
// The transfer is not changed, so any payer may request the message at any time.
func (t *Transfer) MessageFrom(payer chain.Address, wallet *chain.Address) (*Message, error) {
	comment, err := commentCell(t.Reference)
	if err != nil {
		return nil, err
	}
	if t.Wallets == nil {
		return &Message{Address: t.Recipient, Amount: t.Amount, Body: comment}, nil
	}
	if wallet == nil {
		return nil, chain.Invalidf("a Jetton is sent from a Jetton wallet, and the payer has none")
	}
	paid := &Transfer{Amount: t.Amount, Sender: payer, Recipient: t.Recipient, QueryID: drawQueryID()}
	body, err := transferCell(paid, comment)
	if err != nil {
		return nil, err
	}
	return &Message{Address: *wallet, Amount: big.NewInt(jettonFees), Body: body}, nil
}
