package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/contract"
)

// Opcodes of DeDust v2 that several kinds use. Coins and Jettons are paid to the pool itself, which has no vaults.
const (
	opDedustV2Pay        = 0xa5a7cbf8 // coins, to the pool
	opDedustV2PayPayload = 0xcbc33949 // Jettons, in the payload of the transfer
	opDedustV2Payout     = 0x3216ca09 // coins, from the pool

	opDedustV2SwapPayload    = 0xc442500f
	opDedustV2DepositPayload = 0xc9a015da
)

const typeJettonTransfer = "jetton_transfer"

// dedustV2Order returns the payload of a payment into a pool, behind its opcode, which the payload must have; nil otherwise.
//
//	pay_native#a5a7cbf8 query_id:uint64 amount:Coins payment_payload:^Cell payout_config:^ExtendedPayoutConfig
//	pay_jetton#cbc33949 payment_payload:^Cell payout_config:^ExtendedPayoutConfig
func dedustV2Order(payment *action.Block, op uint64) *contract.Loader {
	var l *contract.Loader
	switch d := action.JettonTransferOf(payment); {
	case payment.Calls(opDedustV2Pay):
		l = payment.Body()
		l.Uint(64)
		l.Coins()
	case d != nil && !action.IsEmpty(d.ForwardCell):
		if l = contract.Load(d.ForwardCell); l.Uint(32) != opDedustV2PayPayload {
			return nil
		}
	default:
		return nil
	}
	order := l.Ref()
	if l.Err() != nil {
		return nil
	}
	return dedustV2Payload(order, op)
}

func dedustV2Payload(c *cell.Cell, op uint64) *contract.Loader {
	l := contract.Load(c)
	if l.Uint(32) != op || l.Err() != nil {
		return nil
	}
	return l
}

// dedustV2Paid returns a payment into a pool or out of it; without an amount when the message cannot be read.
//
//	payout#3216ca09 query_id:uint64 amount:Coins exit_code:int32 payload:(Maybe ^Cell)
func dedustV2Paid(b *action.Block) Transfer {
	if b.Type == typeJettonTransfer {
		return transferred(b)
	}
	return Transfer{Amount: dedustPaidCoins(b), Source: b.From(), Destination: b.Account()}
}

// dedustV2Payout matches a payment of a pool.
func dedustV2Payout() *action.Pattern {
	return action.Either(action.Is(typeJettonTransfer), action.Call(opDedustV2Payout)).As("paid")
}

// takeExcess adds the excess that follows the start of a match to it.
func takeExcess(m *action.Match, b *action.Block) {
	if excess := b.NextCall(action.OpExcesses); excess != nil {
		m.Take(excess)
	}
}

// dedustV2Sides returns the payments of a match in their order; false when one cannot be read.
func dedustV2Sides(m *action.Match) ([]Transfer, bool) {
	var all []Transfer
	for _, b := range m.All("paid") {
		t := dedustV2Paid(b)
		if t.Amount == nil {
			return nil, false
		}
		all = append(all, t)
	}
	return all, true
}

// dedustV2Assign gives payments to the two sides of a position by their amounts. Of equal amounts, the first is the first
// side's.
func dedustV2Assign(paid []Transfer, x, y *big.Int) (first, second Transfer) {
	for _, t := range paid {
		switch {
		case first.Amount == nil && t.Amount.Cmp(x) == 0:
			first = t
		case second.Amount == nil && t.Amount.Cmp(y) == 0:
			second = t
		}
	}
	return first, second
}
