package dex

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

func init() { action.RegisterNamed(namedByCall) }

// namedByCall returns the wallets and pools in the body of a message to an exchange. Elements can be nil.
func namedByCall(m *action.Message) []*chain.Address {
	b := &action.Block{Msg: m}
	switch *m.Opcode {
	case jetton.OpTransfer:
		if t, err := jetton.ParseTransfer(b.Msg.Body.Cell()); err == nil {
			return namedIn(t.ForwardPayload)
		}
	case opNotification:
		return namedIn(notificationPayload(b))
	case opStonfiV2Pay:
		return []*chain.Address{parseStonfiV2Pay(b).wallet}
	case opToncoPay:
		p := parseToncoPay(b)
		return p.wallets[:]
	case opDedustSwap:
		l := b.Body()
		l.Uint(64)
		l.Coins()
		return dedustRoute(l)
	}
	return nil
}

// namedIn returns the wallets and pools in an order, the payload of a payment.
func namedIn(order *cell.Cell) []*chain.Address {
	if action.IsEmpty(order) {
		return nil
	}
	l := contract.Load(order)
	switch l.Uint(32) {
	case opStonfiSwap, opToncoFund:
		return []*chain.Address{l.Address()}
	case opStonfiV2Swap:
		return stonfiV2Route(order)
	case opToncoSwap:
		var wallets []*chain.Address
		for _, step := range toncoRoute(order) {
			wallets = append(wallets, step.wallet)
		}
		return wallets
	case opDedustSwapPayload:
		return dedustRoute(l)
	}
	return nil
}
