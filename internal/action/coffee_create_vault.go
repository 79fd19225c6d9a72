package action

import "tonql/internal/contract/jetton"

const opCoffeeCreateVault = 0xc0ffee06

func init() {
	Register(Spec{
		Kind: "coffee_create_vault", Phase: 68,
		Match: Call(opCoffeeCreateVault).Then(Call(opCoffeeDeploy).As("vault").Then(
			Call(jetton.OpProvideWalletAddress).Then(Call(jetton.OpTakeWalletAddress).Maybe()).Maybe())),
		Build: buildCoffeeCreateVault,
	})
}

// buildCoffeeCreateVault reads the request: query id, asset.
func buildCoffeeCreateVault(_ *Context, m *Match) *Result {
	l := m.Start.Body()
	l.Uint(64)
	asset := coffeeAsset(l)
	if l.Err() != nil {
		return nil
	}
	return &Result{Failed: m.Get("vault").Aborted(), Columns: Columns{
		Source: AddressText(m.Start.From()), Destination: AddressText(m.Get("vault").Account()), Asset: AddressText(asset), Value: m.Start.Msg.Value,
	}}
}
