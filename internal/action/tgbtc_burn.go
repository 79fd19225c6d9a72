package action

import "tonql/internal/contract/jetton"

// opBurnForward is how old minters passed a burn on.
const opBurnForward = 0x587643a2

func init() {
	Register(Spec{
		Kind: "tgbtc_burn", Phase: 56,
		Match: Is("jetton_burn").Then(
			Call(jetton.OpBurnNotification, opBurnForward).Then(Log(logBurn).As("log"), pegoutMade())),
		Build: buildTgBTCBurn,
	})
}

func buildTgBTCBurn(_ *Context, m *Match) *Result {
	burn := m.Start.Columns
	row := Columns{Source: burn.Source, SourceSecondary: burn.SourceSecondary, Asset: burn.Asset, Amount: burn.Amount}
	if log, err := readBurnLog(m.Get("log")); err == nil {
		row.Destination = AddressText(log.pegout)
		if log.amount.Cmp(burn.Amount) < 0 {
			row.Amount = log.amount
		}
	}
	return &Result{Columns: row, Failed: !m.Start.Success}
}
