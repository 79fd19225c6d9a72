package dex

import (
	"math/big"

	"tonql/internal/action"
)

const (
	opCoffeeStake = 0xf9471134
	opCoffeeClaim = 0xb30c7310
)

func init() {
	action.Register(action.Spec{
		Kind: "coffee_staking_deposit", Phase: 73,
		Match: action.Is("jetton_transfer").Then(
			action.Call(opCoffeeStake).As("pool").Then(action.Is("nft_mint").As("item"), action.Log(opCoffeeStake).Maybe())),
		Build: buildCoffeeStake, OnlyPattern: true,
	})
	action.Register(action.Spec{
		Kind: "coffee_staking_claim_rewards", Phase: 75,
		Match: action.Call(opCoffeeClaim).Then(action.Is("jetton_transfer").As("reward"), action.Log(opCoffeeClaim).Maybe()),
		Build: buildCoffeeClaim, OnlyPattern: true,
	})
}

// CoffeeStakingDepositData is the NFT item that represents a stake.
type CoffeeStakingDepositData struct {
	Item  string   `json:"minted_item_address"`
	Index *big.Int `json:"minted_item_index"`
}

// Column implements [action.Payload].
func (*CoffeeStakingDepositData) Column() string { return "coffee_staking_deposit_data" }

func buildCoffeeStake(_ *action.Context, m *action.Match) *action.Result {
	paid, item := m.Start.Columns, m.Get("item").Columns
	d := &CoffeeStakingDepositData{Item: item.AssetSecondary}
	if minted, ok := item.Payloads[0].(*action.NFTMintData); ok {
		d.Index = minted.Index
	}
	return &action.Result{Columns: action.Columns{
		Source: paid.Source, SourceSecondary: paid.SourceSecondary, Destination: action.AddressText(m.Get("pool").Account()),
		DestinationSecondary: paid.DestinationSecondary, Asset: paid.Asset, Amount: paid.Amount, Payloads: []action.Payload{d},
	}}
}

func buildCoffeeClaim(_ *action.Context, m *action.Match) *action.Result {
	c := m.Get("reward").Columns
	c.Payloads = nil
	return &action.Result{Columns: c, Failed: m.Start.Aborted()}
}
