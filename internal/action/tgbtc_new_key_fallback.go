package action

func init() {
	Register(Spec{
		Kind: "tgbtc_new_key_fallback", Type: "tgbtc_new_key", Phase: 60, Match: Log(logNewKey), Build: buildTgBTCKeyLog,
	})
}

func buildTgBTCKeyLog(_ *Context, m *Match) *Result {
	log, err := readKeyLog(m.Start)
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		SourceSecondary: log.key, Destination: AddressText(m.Start.From()), DestinationSecondary: AddressText(log.pegout),
		Amount: log.amount,
	}}
}
