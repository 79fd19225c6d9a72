package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
)

const opCoffeeUnstake = 0xcb03bfaf

func init() {
	action.Register(action.Spec{
		Kind: "coffee_staking_withdraw", Phase: 74,
		Match: action.Call(opCoffeeUnstake).Then(action.Call(opCoffeeUnstake).As("pool").Then(
			action.Call(opCoffeeUnstake).Then(action.Is("jetton_transfer").As("paid")), action.Log(opCoffeeUnstake).Maybe())),
		Build: buildCoffeeUnstake, OnlyPattern: true,
	})
}

// CoffeeStakingWithdrawData is the NFT item that represented a stake, and its points.
type CoffeeStakingWithdrawData struct {
	Item   *chain.Address `json:"nft_address"`
	Index  *big.Int       `json:"nft_index"`
	Points *big.Int       `json:"points"`
}

// Column implements [action.Payload].
func (*CoffeeStakingWithdrawData) Column() string { return "coffee_staking_withdraw_data" }

// buildCoffeeUnstake reads the message of the NFT item to its pool: query id, index, owner, points.
func buildCoffeeUnstake(_ *action.Context, m *action.Match) *action.Result {
	d := &CoffeeStakingWithdrawData{Item: m.Start.Account()}
	l := m.Get("pool").Body()
	l.Uint(64)
	d.Index = l.BigUint(64)
	owner := l.Address()
	d.Points = l.Coins()
	if l.Err() != nil {
		return nil
	}
	paid := m.Get("paid").Columns
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(owner), SourceSecondary: paid.DestinationSecondary, Destination: action.AddressText(m.Start.Account()),
		DestinationSecondary: paid.SourceSecondary, Asset: paid.Asset, Amount: paid.Amount, Payloads: []action.Payload{d},
	}}
}
