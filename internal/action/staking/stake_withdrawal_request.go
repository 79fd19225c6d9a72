package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract/jetton"
)

// opEthenaLock transfers locked Jettons to a wallet until the waiting period ends. Its layout is that of an internal
// transfer.
const opEthenaLock = 0xb2583ed5

func init() {
	action.Register(action.Spec{
		Kind: "stake_withdrawal_request", Type: "tonstakers_withdraw_request", Phase: 6,
		Match: liquidBurn(liquidMint().As("collection")),
		Build: buildLiquidRequest,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal_request", Type: typeNominatorWithdrawal, Phase: 13, AllExcesses: true,
		Match: action.Is(action.TypeTonTransfer).Then(action.Is(action.TypeTonTransfer).As("back").Maybe().Every()),
		Build: buildNominatorWithdrawal,
	})
	locked := action.Call(jetton.OpMint).As("mint").Then(action.Call(opEthenaLock).As("locked"))
	action.Register(action.Spec{
		Kind: "stake_withdrawal_request", Type: "ethena_withdrawal_request", Phase: 43,
		Match: action.Either(
			action.Is("jetton_transfer").Then(locked),
			// Without the record of the receiving wallet, the transfer is not merged into one block.
			action.Call(jetton.OpTransfer).Then(action.Call(jetton.OpInternalTransfer).Then(action.Call(jetton.OpTransferNotification).Then(locked)))),
		Build: buildEthenaRequest,
	})
}

// buildLiquidRequest does not take the bill, whose mint is a separate action.
func buildLiquidRequest(_ *action.Context, m *action.Match) *action.Result {
	pool, bill := m.Get("pool"), newBill(m.Get("collection"))
	burnt, ok := action.BurnAmount(m.Start)
	if !ok {
		return nil
	}
	return &action.Result{
		Failed: bill == nil,
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), SourceSecondary: action.AddressText(m.Start.Account()), Destination: action.AddressText(pool.Account()),
			Asset: action.AddressText(pool.From()), Amount: burnt,
			Payloads: []action.Payload{&Data{Provider: providerLiquid, Bill: bill}},
		},
	}
}

// buildNominatorWithdrawal builds a withdrawal when the pool paid at once: the stake comes before the excess of the
// coins in the request, or together with it. Otherwise the pool only records the request.
func buildNominatorWithdrawal(c *action.Context, m *action.Match) *action.Result {
	if !isPoolRequest(c, m.Start, nominatorWithdraw) {
		return nil
	}
	r := &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()),
			Payloads: []action.Payload{&Data{Provider: providerNominator}},
		},
	}
	if paid := nominatorPaid(m.Start.Msg.Value, m.All("back")); paid != nil {
		r.Kind, r.Columns.Amount = "stake_withdrawal", paid
	}
	return r
}

// nominatorPaid returns the stake in the returned coins; nil when they are only the excess.
func nominatorPaid(sent *big.Int, back []*action.Block) *big.Int {
	switch {
	case len(back) == 2:
		return back[0].Msg.Value
	case len(back) == 1 && sent != nil && back[0].Msg.Value != nil && back[0].Msg.Value.Cmp(sent) > 0:
		return back[0].Msg.Value
	}
	return nil
}

func buildEthenaRequest(c *action.Context, m *action.Match) *action.Result {
	paid, locked := c.JettonWallet(m.Start), c.JettonWallet(m.Get("locked"))
	owner := m.Start.From()
	t, err := jetton.ParseTransfer(m.Start.Msg.Body.Cell())
	if paid == nil || locked == nil || err != nil || !action.SameAddress(owner, &paid.Owner) || !action.SameAddress(owner, &locked.Owner) {
		return nil
	}
	got, err := action.ParseInternalTransfer(m.Get("locked"))
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(owner), SourceSecondary: action.AddressText(m.Start.Account()), Destination: action.AddressText(m.Get("mint").From()),
		Asset: paid.Jetton.String(), Amount: t.Amount,
		Payloads: []action.Payload{&Data{Provider: providerEthena, TokensMinted: got.Amount}},
	}}
}
