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
	l := m.Start.body()
	l.Uint(64)
	asset := coffeeAsset(l)
	if l.Err() != nil {
		return nil
	}
	return &Result{Failed: m.Get("vault").aborted(), Columns: Columns{
		Source: text(m.Start.from()), Destination: text(m.Get("vault").account()), Asset: text(asset), Value: m.Start.Msg.Value,
	}}
}
