package bridge

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "layerzero_send_tokens", Phase: 77,
		Match: action.Is("layerzero_send").After(action.Is("jetton_transfer").As("transfer").Then(action.Call(opLzEvent))),
		Build: buildLayerZeroSendTokens,
	})
}

func buildLayerZeroSendTokens(_ *action.Context, m *action.Match) *action.Result {
	t := m.Get("transfer").Columns
	return &action.Result{Columns: action.Columns{
		Source: t.Source, SourceSecondary: t.SourceSecondary, Destination: t.Destination,
		DestinationSecondary: t.DestinationSecondary, Asset: t.Asset, Amount: t.Amount, Payloads: m.Start.Columns.Payloads,
	}}
}
