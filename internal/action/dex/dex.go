package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Names of the exchanges, as rows have them.
const (
	dexStonfi   = "stonfi"
	dexStonfiV2 = "stonfi_v2"
	dexDedust   = "dedust"
	dexTonco    = "tonco"
	dexCoffee   = "coffee"
)

// opProxyPay lets a wallet of a proxy take coins in, and pays them out. Its body goes on with a query id, the amount in
// nanotons and where to return the rest.
const opProxyPay = 0x01f3835d

// opNotification tells an owner what its wallet received.
const opNotification = jetton.OpTransferNotification

// maxHops bounds how far an order or a swap is followed; those who write one decide about its length.
const maxHops = 32

// DexTransfer is what an exchange took or gave. A nil asset is TON, which has no wallets.
type DexTransfer struct {
	Asset             *chain.Address `json:"asset"`
	Amount            *big.Int       `json:"amount"`
	Source            *chain.Address `json:"source"`
	SourceWallet      *chain.Address `json:"source_jetton_wallet"`
	Destination       *chain.Address `json:"destination"`
	DestinationWallet *chain.Address `json:"destination_jetton_wallet"`
}

// parsed reads an address that a row prints; nil when it is empty.
func parsed(s string) *chain.Address {
	a, err := chain.ParseAddress(s)
	if err != nil {
		return nil
	}
	return &a
}

// transferred is a recognised Jetton transfer as an exchange sees it.
func transferred(b *action.Block) DexTransfer {
	c := b.Columns
	return DexTransfer{
		Asset: parsed(c.Asset), Amount: c.Amount, Source: parsed(c.Source), SourceWallet: parsed(c.SourceSecondary),
		Destination: parsed(c.Destination), DestinationWallet: parsed(c.DestinationSecondary),
	}
}

// received is a recognised transfer to a router. Of a proxy only the router's own wallet is known.
func received(b *action.Block) DexTransfer {
	t := transferred(b)
	if t.DestinationWallet == nil {
		t.DestinationWallet = b.Account()
	}
	return t
}

// unproxied shows coins that went through a proxy as coins.
func (t DexTransfer) unproxied() DexTransfer {
	if action.IsProxy(t.Asset) {
		t.Asset = nil
	}
	return t
}

// realAsset is the Jetton of a router's wallet; nil when that is a proxy's, which stands for TON, or not known.
func realAsset(c *action.Context, wallet *chain.Address) *chain.Address {
	if wallet == nil {
		return nil
	}
	if w := c.Records.JettonWallet(*wallet); w != nil && !action.IsProxy(&w.Jetton) {
		return &w.Jetton
	}
	return nil
}

// proxyAmount is how many nanotons a message to or from a proxy's wallet stands for.
func proxyAmount(b *action.Block) *big.Int {
	l := b.Body()
	l.Uint(64)
	n := l.Coins()
	if l.Err() != nil {
		return nil
	}
	return n
}

// notificationPayload is what an owner is told beside the amount its wallet received.
func notificationPayload(b *action.Block) *cell.Cell {
	l := b.Body()
	l.Uint(64)
	l.Coins()
	l.Address()
	payload, _ := l.Either()
	return payload
}

// payIn is what came into a router right before b: a Jetton transfer, or coins through a proxy. The blocks it consists of
// are listed; there are none when nothing of the kind came before.
func payIn(b *action.Block) (in DexTransfer, parts []*action.Block) {
	p := b.Prev
	switch {
	case p == nil:
	case p.Type == "jetton_transfer":
		return received(p).unproxied(), []*action.Block{p}
	case p.Calls(opNotification) && p.Prev != nil && p.Prev.Calls(opProxyPay):
		first := p.Prev
		in = DexTransfer{
			Amount: proxyAmount(first), Source: first.From(), Destination: p.Account(), DestinationWallet: first.Account(),
		}
		if in.Amount != nil {
			return in, []*action.Block{p, first}
		}
	}
	return DexTransfer{}, nil
}

// payOut is a Jetton transfer from a router, with what a proxy then pays in coins; the blocks it consists of are listed.
func payOut(b *action.Block) (out DexTransfer, parts []*action.Block) {
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

// signed reads an integer in two's complement.
func signed(l *contract.Loader, bits uint) *big.Int {
	n := int64(l.Uint(bits))
	if n >= 1<<(bits-1) {
		n -= 1 << bits
	}
	return big.NewInt(n)
}
