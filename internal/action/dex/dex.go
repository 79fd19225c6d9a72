package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Names of the exchanges in rows.
const (
	dexStonfi   = "stonfi"
	dexStonfiV2 = "stonfi_v2"
	dexDedust   = "dedust"
	dexDedustV2 = "dedust_v2"
	dexTonco    = "tonco"
	dexCoffee   = "coffee"
)

// opProxyPay is the opcode of coins into a proxy's wallet, and of coins out of it. The body continues with a query id, the
// amount in nanotons and the account for the excess.
const opProxyPay = 0x01f3835d

// opNotification is the opcode of the notification of an owner about received Jettons.
const opNotification = jetton.OpTransferNotification

// maxHops bounds the steps of an order or a swap, because the length of both is untrusted.
const maxHops = 32

// Transfer is a transfer to or from an exchange. A nil asset is TON, which has no wallets.
type Transfer struct {
	Asset             *chain.Address `json:"asset"`
	Amount            *big.Int       `json:"amount"`
	Source            *chain.Address `json:"source"`
	SourceWallet      *chain.Address `json:"source_jetton_wallet"`
	Destination       *chain.Address `json:"destination"`
	DestinationWallet *chain.Address `json:"destination_jetton_wallet"`
}

// parsed parses an address of a row; nil when it is empty.
func parsed(s string) *chain.Address {
	a, err := chain.ParseAddress(s)
	if err != nil {
		return nil
	}
	return &a
}

// transferred converts a recognized Jetton transfer.
func transferred(b *action.Block) Transfer {
	c := b.Columns
	return Transfer{
		Asset: parsed(c.Asset), Amount: c.Amount, Source: parsed(c.Source), SourceWallet: parsed(c.SourceSecondary),
		Destination: parsed(c.Destination), DestinationWallet: parsed(c.DestinationSecondary),
	}
}

// received converts a recognized transfer to a router of ston.fi v1, or to a vault. A transfer through a proxy shows the router's own
// wallet, which other exchanges leave out.
func received(b *action.Block) Transfer {
	t := transferred(b)
	if t.DestinationWallet == nil {
		t.DestinationWallet = b.Account()
	}
	return t
}

// unproxied replaces a proxy Jetton by TON.
func (t Transfer) unproxied() Transfer {
	if action.IsProxy(t.Asset) {
		t.Asset = nil
	}
	return t
}

// realAsset returns the Jetton of a router's wallet; nil when the wallet has no record or is a proxy's, which represents
// TON.
func realAsset(c *action.Context, wallet *chain.Address) *chain.Address {
	if wallet == nil {
		return nil
	}
	if w := c.Records.JettonWallet(*wallet); w != nil && !action.IsProxy(&w.Jetton) {
		return &w.Jetton
	}
	return nil
}

// wantedAsset returns the Jetton of a router's wallet, or nil for a proxy's, like realAsset; without a record of the wallet, the asset
// that was paid out, as in published rows.
func wantedAsset(c *action.Context, wallet, paid *chain.Address) *chain.Address {
	if wallet == nil || c.Records.JettonWallet(*wallet) == nil {
		return paid
	}
	return realAsset(c, wallet)
}

// proxyAmount returns the nanotons in a message to or from a proxy's wallet; nil when it cannot be read.
func proxyAmount(b *action.Block) *big.Int {
	l := b.Body()
	l.Uint(64)
	n := l.Coins()
	if l.Err() != nil {
		return nil
	}
	return n
}

// notificationPayload returns the payload of a transfer notification.
func notificationPayload(b *action.Block) *cell.Cell {
	l := b.Body()
	l.Uint(64)
	l.Coins()
	l.Address()
	payload, _ := l.Either()
	return payload
}

// payIn returns the payment into a router directly before b: a Jetton transfer, or coins through a proxy. parts are the
// blocks of the payment; nil without one.
func payIn(b *action.Block) (in Transfer, parts []*action.Block) {
	p := b.Prev
	switch {
	case p == nil:
	case p.Type == "jetton_transfer":
		return transferred(p).unproxied(), []*action.Block{p}
	case p.Calls(opNotification) && p.Prev != nil && p.Prev.Calls(opProxyPay):
		first := p.Prev
		in = Transfer{
			Amount: proxyAmount(first), Source: first.From(), Destination: p.Account(), DestinationWallet: first.Account(),
		}
		if in.Amount != nil {
			return in, []*action.Block{p, first}
		}
	}
	return Transfer{}, nil
}

// payOut returns the Jetton transfer b from a router, with the coins that a proxy then pays. parts are the blocks of the
// payment.
func payOut(b *action.Block) (out Transfer, parts []*action.Block) {
	t := transferred(b)
	parts = []*action.Block{b}
	if action.IsProxy(t.Asset) {
		if coins := b.NextCall(opProxyPay); coins != nil {
			parts = append(parts, coins)
		}
	}
	return t.unproxied(), parts
}

// AssetAmount is an amount of an asset; a nil asset is TON.
type AssetAmount struct {
	Asset  *chain.Address `json:"asset"`
	Amount *big.Int       `json:"amount"`
}

// signed reads a two's complement integer.
func signed(l *contract.Loader, bits uint) *big.Int {
	n := int64(l.Uint(bits))
	if n >= 1<<(bits-1) {
		n -= 1 << bits
	}
	return big.NewInt(n)
}
