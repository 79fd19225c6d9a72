package action

func init() {
	Register(Spec{
		Kind: "tgbtc_mint_fallback", Type: "tgbtc_mint", Phase: 58, Match: Log(logMint), Build: buildTgBTCMintLog,
	})
}

func buildTgBTCMintLog(_ *Context, m *Match) *Result {
	log, err := readMintLog(m.Start)
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		SourceSecondary: AddressText(m.Start.From()), Destination: AddressText(log.to), Amount: log.amount, AssetSecondary: log.txID,
	}}
}
