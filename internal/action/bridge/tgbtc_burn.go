package bridge

import (
	"tonql/internal/action"
	"tonql/internal/contract/jetton"
)

// opBurnForward is the opcode with which old minters forward a burn.
const opBurnForward = 0x587643a2

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_burn", Phase: 56,
		Match: action.Is("jetton_burn").Then(
			action.Call(jetton.OpBurnNotification, opBurnForward).Then(action.Log(logBurn).As("log"), pegoutMade())),
		Build: buildTgBTCBurn,
	})
}

func buildTgBTCBurn(_ *action.Context, m *action.Match) *action.Result {
	burn := m.Start.Columns
	row := action.Columns{Source: burn.Source, SourceSecondary: burn.SourceSecondary, Asset: burn.Asset, Amount: burn.Amount}
	if log, err := readBurnLog(m.Get("log")); err == nil {
		row.Destination = action.AddressText(log.pegout)
		if log.amount.Cmp(burn.Amount) < 0 {
			row.Amount = log.amount
		}
	}
	return &action.Result{Columns: row, Failed: !m.Start.Success}
}
