package dex

import (
	"tonql/internal/action"
	"tonql/internal/contract/jetton"
)

const opCoffeeCreateVault = 0xc0ffee06

func init() {
	action.Register(action.Spec{
		Kind: "coffee_create_vault", Phase: 68,
		Match: action.Call(opCoffeeCreateVault).Then(action.Call(opCoffeeDeploy).As("vault").Then(
			action.Call(jetton.OpProvideWalletAddress).Then(action.Call(jetton.OpTakeWalletAddress).Maybe()).Maybe())),
		Build: buildCoffeeCreateVault,
	})
}

// buildCoffeeCreateVault reads the request: query id, asset.
func buildCoffeeCreateVault(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	asset := coffeeAsset(l)
	if l.Err() != nil {
		return nil
	}
	return &action.Result{Failed: m.Get("vault").Aborted(), Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(m.Get("vault").Account()), Asset: action.AddressText(asset), Value: m.Start.Msg.Value,
	}}
}
