package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract/jetton"
)

const (
	ethenaPaid   = "0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC"
	ethenaMinted = "0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D"
)

// liquidFee is the part of a deposit that a liquid staking pool spends on its messages, in nanotons.
var liquidFee = big.NewInt(1_000_000_000)

func init() {
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: "tonstakers_deposit", Phase: 5,
		Match: action.Call(opPoolDeposit).Then(liquidMint().Then(
			action.Call(jetton.OpInternalTransfer).As("minted").Then(action.Call(jetton.OpTransferNotification).Maybe()))),
		Build: buildLiquidDeposit,
	})
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: "nominator_pool_deposit", Phase: 12, AllExcesses: true,
		Match: action.Is(action.TypeTonTransfer),
		Build: buildNominatorDeposit,
	})
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: "ethena_deposit", Phase: 45,
		Match: action.Where(func(b *action.Block) bool { return b.Type == "jetton_transfer" && b.Columns.Asset == ethenaPaid }).Of("jetton_transfer").Then(
			action.Where(func(b *action.Block) bool { return b.Type == "jetton_mint" && b.Columns.Asset == ethenaMinted }).As("minted")),
		Build: buildEthenaDeposit, OnlyPattern: true,
	})
}

func buildLiquidDeposit(_ *action.Context, m *action.Match) *action.Result {
	minted := m.Get("minted")
	got, err := action.ParseInternalTransfer(minted)
	if err != nil || m.Start.Msg.Value == nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Asset: action.AddressText(minted.From()),
		Amount:   new(big.Int).Sub(m.Start.Msg.Value, liquidFee),
		Payloads: []action.Payload{&Data{Provider: providerLiquid, TokensMinted: got.Amount}},
	}}
}

func buildNominatorDeposit(c *action.Context, m *action.Match) *action.Result {
	if !isPoolRequest(c, m.Start, nominatorDeposit) {
		return nil
	}
	return &action.Result{
		Failed: m.Start.Aborted(),
		Columns: action.Columns{
			Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Start.Account()), Amount: m.Start.Msg.Value,
			Payloads: []action.Payload{&Data{Provider: providerNominator}},
		},
	}
}

func buildEthenaDeposit(_ *action.Context, m *action.Match) *action.Result {
	paid, minted := m.Start.Columns, m.Get("minted")
	return &action.Result{
		Failed: !m.Start.Success || !minted.Success,
		Columns: action.Columns{
			Source: paid.Source, SourceSecondary: paid.SourceSecondary, Destination: paid.Destination, Amount: paid.Amount,
			Asset: minted.Columns.Asset, Asset2: paid.Asset,
			Payloads: []action.Payload{&Data{Provider: providerEthena, TokensMinted: minted.Columns.Amount}},
		},
	}
}
