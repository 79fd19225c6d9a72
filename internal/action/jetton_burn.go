package action

import (
	"math/big"

	"tonql/internal/contract/jetton"
)

func init() {
	Register(Spec{
		Kind: "jetton_burn", Phase: 18,
		Match: Call(jetton.OpBurn).Then(Call(jetton.OpBurnNotification).Maybe().Every()),
		Build: buildJettonBurn,
	})
}

func buildJettonBurn(c *Context, m *Match) *Result {
	w := c.JettonWallet(m.Start)
	amount, ok := BurnAmount(m.Start)
	if w == nil || !ok {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: w.Owner.String(), SourceSecondary: AddressText(m.Start.Account()), Asset: w.Jetton.String(), Amount: amount,
		},
		Failed: m.Start.Aborted(),
	}
}

// BurnAmount reads the amount of a request to burn Jettons, up to the account for the excess. The custom payload behind it depends
// on the wallet.
func BurnAmount(b *Block) (amount *big.Int, ok bool) {
	l := b.Body()
	l.Uint(64)
	amount = l.Coins()
	l.Address()
	return amount, l.Err() == nil
}
