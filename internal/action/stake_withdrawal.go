package action

import (
	"math/big"

	"tonql/internal/contract/jetton"
)

const (
	typeLiquidWithdrawal = "tonstakers_withdraw"

	// opNominatorProcess tells a nominator pool to work through its requests.
	opNominatorProcess = 0x00000002
)

func init() {
	Register(Spec{
		Kind: "stake_withdrawal", Type: typeLiquidWithdrawal, Phase: 2,
		Match: Call(opBillBurn).Then(Call(opBillBurned).As("bill").Then(Call(opBillPaid).As("paid"))),
		Build: buildDelayedWithdrawal,
	})
	Register(Spec{
		Kind: "stake_withdrawal", Type: typeLiquidWithdrawal, Phase: 6,
		Match: liquidBurn(Call(opPoolWithdrawal).As("paid")),
		Build: buildImmediateWithdrawal,
	})
	Register(Spec{
		Kind: "stake_withdrawal", Type: typeNominatorWithdrawal, Phase: 14, AllExcesses: true,
		Match: Is(TypeTonTransfer),
		Build: buildNominatorPayout,
	})
}

// buildDelayedWithdrawal pays for one bill. A distribution burns its bills one after the other, each because of the one
// before, so a pool that was found for one is known for all that follow.
func buildDelayedWithdrawal(_ *Context, m *Match) *Result {
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
			pool = AddressText(b.From())
			break
		}
		if b.Type == typeLiquidWithdrawal {
			pool = b.Columns.Destination
			break
		}
	}
	return &Result{Columns: Columns{
		Source: AddressText(owner), Destination: pool, Amount: paid.Msg.Value,
		Payloads: []Payload{&StakingData{Provider: providerLiquid, Bill: bill.From(), TokensBurnt: tokens}},
	}}
}

func buildImmediateWithdrawal(_ *Context, m *Match) *Result {
	pool, paid := m.Get("pool"), m.Get("paid")
	burn, err := jetton.ParseBurn(m.Start.Msg.Body)
	if err != nil || paid.Msg.Value == nil || pool.Msg.Value == nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(m.Start.From()), Destination: AddressText(pool.Account()), Asset: AddressText(pool.From()),
		Amount:   new(big.Int).Sub(paid.Msg.Value, pool.Msg.Value),
		Payloads: []Payload{&StakingData{Provider: providerLiquid, TokensBurnt: burn.Amount}},
	}}
}

// buildNominatorPayout is what a pool pays when it is told to work through its requests, one action for each nominator.
func buildNominatorPayout(c *Context, m *Match) *Result {
	pool := m.Start.From()
	if pool == nil || m.Start.Prev == nil || !m.Start.Prev.Calls(opNominatorProcess) || !c.Records.NominatorPool(*pool) {
		return nil
	}
	return &Result{
		Failed: m.Start.Aborted(),
		Columns: Columns{
			Source: AddressText(m.Start.Account()), Destination: AddressText(pool), Amount: m.Start.Msg.Value,
			Payloads: []Payload{&StakingData{Provider: providerNominator}},
		},
	}
}
