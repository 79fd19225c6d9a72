package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_dkg_log_fallback", Type: "tgbtc_dkg_log", Phase: 61, Match: action.Log(logDKG), Build: buildTgBTCDKGLog,
	})
}

func buildTgBTCDKGLog(_ *action.Context, m *action.Match) *action.Result {
	log, err := readDKGLog(m.Start)
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{Source: action.AddressText(m.Start.From()), Asset: log.key, Value: log.at}}
}
