package staking

import (
	"math/big"

	"tonql/internal/action"
)

const (
	typeLiquidWithdrawal = "tonstakers_withdraw"

	// opNominatorProcess orders a nominator pool to process its withdrawal requests.
	opNominatorProcess = 0x00000002
)

func init() {
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeLiquidWithdrawal, Phase: 2,
		Match: action.Call(opBillBurn).Then(action.Call(opBillBurned).As("bill").Then(action.Call(opBillPaid).As("paid"))),
		Build: buildDelayedWithdrawal,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeLiquidWithdrawal, Phase: 6,
		Match: liquidBurn(action.Call(opPoolWithdrawal).As("paid")),
		Build: buildImmediateWithdrawal,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeNominatorWithdrawal, Phase: 14,
		Match: action.Is(action.TypeTonTransfer),
		Build: buildNominatorPayout,
	})
}

// buildDelayedWithdrawal takes the payment of one bill. A distribution burns its bills one after the other, each caused by
// the one before, so all have the pool of the first.
func buildDelayedWithdrawal(_ *action.Context, m *action.Match) *action.Result {
	bill, paid := m.Get("bill"), m.Get("paid")
	l := bill.Body()
	l.Uint(64)
	tokens, owner := l.Coins(), l.Address()
	if l.Err() != nil {
		return nil
	}
	pool := ""
	for b := m.Start.Prev; b != nil; b = b.Prev {
		if b.Calls(opStartDistribution) {
			pool = action.AddressText(b.From())
			break
		}
		if b.Type == typeLiquidWithdrawal {
			pool = b.Columns.Destination
			break
		}
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(owner), Destination: pool, Amount: paid.Msg.Value,
		Payloads: []action.Payload{&Data{Provider: providerLiquid, Bill: bill.From(), TokensBurnt: tokens}},
	}}
}

func buildImmediateWithdrawal(_ *action.Context, m *action.Match) *action.Result {
	pool, paid := m.Get("pool"), m.Get("paid")
	burnt, ok := action.BurnAmount(m.Start)
	if !ok || paid.Msg.Value == nil || pool.Msg.Value == nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(pool.Account()), Asset: action.AddressText(pool.From()),
		Amount:   new(big.Int).Sub(paid.Msg.Value, pool.Msg.Value),
		Payloads: []action.Payload{&Data{Provider: providerLiquid, TokensBurnt: burnt}},
	}}
}

// buildNominatorPayout takes the payments of a pool that processes its requests, one action for each nominator. A nominator has the
// coins unless they bounce, whatever the nominator's contract does with them.
func buildNominatorPayout(c *action.Context, m *action.Match) *action.Result {
	pool := m.Start.From()
	if pool == nil || m.Start.Prev == nil || !m.Start.Prev.Calls(opNominatorProcess) || !c.Records.NominatorPool(*pool) {
		return nil
	}
	return &action.Result{
		Failed: m.Start.Aborted() && m.Start.Msg.Bounce,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.Account()), Destination: action.AddressText(pool), Amount: m.Start.Msg.Value,
			Payloads: []action.Payload{&Data{Provider: providerNominator}},
		},
	}
}
