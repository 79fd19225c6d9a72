package action

import "tonql/internal/contract/jetton"

const opMintOld = 0x00000015

func init() {
	Register(Spec{
		Kind: "jetton_mint", Phase: 44,
		Match: Call(jetton.OpMint, opMintOld).Then(
			Call(jetton.OpInternalTransfer).As("in").Then(Call(jetton.OpTransferNotification).Maybe()).Maybe()),
		Build: buildJettonMint,
	})
}

func buildJettonMint(c *Context, m *Match) *Result {
	l := m.Start.body()
	l.Uint(64)
	to, value := l.Address(), l.Coins()
	if l.Err() != nil {
		return nil
	}
	in := m.Get("in")
	if in == nil || m.Start.aborted() {
		return &Result{
			Columns: Columns{Destination: text(to), Asset: text(m.Start.account()), Value: value}, Failed: true,
		}
	}
	w := c.wallet(in)
	got, err := parseInternalTransfer(in)
	if w == nil || err != nil {
		return nil
	}
	return &Result{
		Columns: Columns{
			Destination: addr(w.Owner), DestinationSecondary: text(in.account()), Asset: addr(w.Jetton),
			Amount: got.amount, Value: value,
		},
		Failed: in.aborted(),
	}
}
