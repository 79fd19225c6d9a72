package action

func init() {
	Register(Spec{
		Kind: "layerzero_send_tokens", Phase: 77,
		Match: Is("layerzero_send").After(Is("jetton_transfer").As("transfer").Then(Call(opLzEvent))),
		Build: buildLayerZeroSendTokens,
	})
}

func buildLayerZeroSendTokens(_ *Context, m *Match) *Result {
	t := m.Get("transfer").Columns
	return &Result{Columns: Columns{
		Source: t.Source, SourceSecondary: t.SourceSecondary, Destination: t.Destination,
		DestinationSecondary: t.DestinationSecondary, Asset: t.Asset, Amount: t.Amount, Payloads: m.Start.Columns.Payloads,
	}}
}
