package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_burn_fallback", Type: "tgbtc_burn", Phase: 59, Match: action.Log(logBurn), Build: buildTgBTCBurnLog,
	})
}

func buildTgBTCBurnLog(_ *action.Context, m *action.Match) *action.Result {
	log, err := readBurnLog(m.Start)
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{Source: action.AddressText(log.from), Destination: action.AddressText(log.pegout), Amount: log.amount}}
}
