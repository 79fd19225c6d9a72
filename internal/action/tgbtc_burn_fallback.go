package action

func init() {
	Register(Spec{
		Kind: "tgbtc_burn_fallback", Type: "tgbtc_burn", Phase: 59, Match: Log(logBurn), Build: buildTgBTCBurnLog,
	})
}

func buildTgBTCBurnLog(_ *Context, m *Match) *Result {
	log, err := readBurnLog(m.Start)
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{Source: AddressText(log.from), Destination: AddressText(log.pegout), Amount: log.amount}}
}
