package action

import (
	"math/big"

	"tonql/internal/contract/jetton"
)

// opEthenaLock gives a wallet Jettons that are locked until the time to wait is over; it is laid out as an internal
// transfer.
const opEthenaLock = 0xb2583ed5

func init() {
	Register(Spec{
		Kind: "stake_withdrawal_request", Type: "tonstakers_withdraw_request", Phase: 6,
		Match: liquidBurn(Call(opPoolMint).As("collection")),
		Build: buildLiquidRequest,
	})
	Register(Spec{
		Kind: "stake_withdrawal_request", Type: typeNominatorWithdrawal, Phase: 13, AllExcesses: true,
		Match: Is(TypeTonTransfer).Then(Is(TypeTonTransfer).As("back").Maybe().Every()),
		Build: buildNominatorWithdrawal,
	})
	locked := Call(jetton.OpMint).As("mint").Then(Call(opEthenaLock).As("locked"))
	Register(Spec{
		Kind: "stake_withdrawal_request", Type: "ethena_withdrawal_request", Phase: 43,
		Match: Either(
			Is("jetton_transfer").Then(locked),
			// Without the record of the receiving wallet the transfer is still in pieces.
			Call(jetton.OpTransfer).Then(Call(jetton.OpInternalTransfer).Then(Call(jetton.OpTransferNotification).Then(locked)))),
		Build: buildEthenaRequest,
	})
}

// buildLiquidRequest leaves the bill alone: its minting is an action of its own.
func buildLiquidRequest(_ *Context, m *Match) *Result {
	pool, bill := m.Get("pool"), newBill(m.Get("collection"))
	burn, err := jetton.ParseBurn(m.Start.Msg.Body)
	if err != nil {
		return nil
	}
	return &Result{
		Failed: bill == nil,
		Columns: Columns{
			Source: AddressText(m.Start.From()), SourceSecondary: AddressText(m.Start.Account()), Destination: AddressText(pool.Account()),
			Asset: AddressText(pool.From()), Amount: burn.Amount,
			Payloads: []Payload{&StakingData{Provider: providerLiquid, Bill: bill}},
		},
	}
}

// buildNominatorWithdrawal is a withdrawal when the pool paid at once: the stake comes before the rest of the coins that
// were sent along, or together with them. Otherwise the pool only notes the request.
func buildNominatorWithdrawal(c *Context, m *Match) *Result {
	if !saidToPool(c, m.Start, nominatorWithdraw) {
		return nil
	}
	r := &Result{
		Failed: m.Start.Aborted(),
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(m.Start.Account()),
			Payloads: []Payload{&StakingData{Provider: providerNominator}},
		},
	}
	if paid := nominatorPaid(m.Start.Msg.Value, m.All("back")); paid != nil {
		r.Kind, r.Columns.Amount = "stake_withdrawal", paid
	}
	return r
}

// nominatorPaid is the stake among the coins that came back, nil when they are only the rest.
func nominatorPaid(sent *big.Int, back []*Block) *big.Int {
	switch {
	case len(back) == 2:
		return back[0].Msg.Value
	case len(back) == 1 && sent != nil && back[0].Msg.Value != nil && back[0].Msg.Value.Cmp(sent) > 0:
		return back[0].Msg.Value
	}
	return nil
}

func buildEthenaRequest(c *Context, m *Match) *Result {
	paid, locked := c.JettonWallet(m.Start), c.JettonWallet(m.Get("locked"))
	owner := m.Start.From()
	t, err := jetton.ParseTransfer(m.Start.Msg.Body)
	if paid == nil || locked == nil || err != nil || !SameAddress(owner, &paid.Owner) || !SameAddress(owner, &locked.Owner) {
		return nil
	}
	got, err := ParseInternalTransfer(m.Get("locked"))
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(owner), SourceSecondary: AddressText(m.Start.Account()), Destination: AddressText(m.Get("mint").From()),
		Asset: paid.Jetton.String(), Amount: t.Amount,
		Payloads: []Payload{&StakingData{Provider: providerEthena, TokensMinted: got.Amount}},
	}}
}
