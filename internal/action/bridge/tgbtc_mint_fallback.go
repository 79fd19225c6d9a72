package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_mint_fallback", Type: "tgbtc_mint", Phase: 58, Match: action.Log(logMint), Build: buildTgBTCMintLog,
	})
}

// buildTgBTCMintLog sets the contract that wrote the log in both columns: the log does not contain who proved the payment.
func buildTgBTCMintLog(_ *action.Context, m *action.Match) *action.Result {
	log, err := readMintLog(m.Start)
	if err != nil {
		return nil
	}
	teleport := action.AddressText(m.Start.From())
	return &action.Result{Columns: action.Columns{
		Source: teleport, SourceSecondary: teleport, Destination: action.AddressText(log.to), Amount: log.amount, AssetSecondary: log.txID,
	}}
}
