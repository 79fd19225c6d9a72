package action

func init() {
	Register(Spec{
		Kind: "tgbtc_dkg_log_fallback", Type: "tgbtc_dkg_log", Phase: 61, Match: Log(logDKG), Build: buildTgBTCDKGLog,
	})
}

func buildTgBTCDKGLog(_ *Context, m *Match) *Result {
	log, err := readDKGLog(m.Start)
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{Source: AddressText(m.Start.From()), Asset: log.key, Value: log.at}}
}
