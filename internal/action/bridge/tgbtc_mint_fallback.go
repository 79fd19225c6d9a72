package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_mint_fallback", Type: "tgbtc_mint", Phase: 58, Match: action.Log(logMint), Build: buildTgBTCMintLog,
	})
}

func buildTgBTCMintLog(_ *action.Context, m *action.Match) *action.Result {
	log, err := readMintLog(m.Start)
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		SourceSecondary: action.AddressText(m.Start.From()), Destination: action.AddressText(log.to), Amount: log.amount, AssetSecondary: log.txID,
	}}
}
