package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_new_key_fallback", Type: "tgbtc_new_key", Phase: 60, Match: action.Log(logNewKey), Build: buildTgBTCKeyLog,
	})
}

func buildTgBTCKeyLog(_ *action.Context, m *action.Match) *action.Result {
	log, err := readKeyLog(m.Start)
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		SourceSecondary: log.key, Destination: action.AddressText(m.Start.From()), DestinationSecondary: action.AddressText(log.pegout),
		Amount: log.amount,
	}}
}
