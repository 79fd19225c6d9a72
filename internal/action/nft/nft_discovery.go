package nft

import (
	"tonql/internal/action"
	"tonql/internal/contract/nft"
)

func init() {
	action.Register(action.Spec{
		Kind: "nft_discovery", Phase: 32,
		Match: action.Call(nft.OpGetStaticData).Then(action.Call(nft.OpReportStaticData).As("report")),
		Build: buildNFTDiscovery, OnlyPattern: true,
	})
}

func buildNFTDiscovery(_ *action.Context, m *action.Match) *action.Result {
	l := m.Get("report").Body()
	l.Uint(64)
	index, collection := l.BigUint(256), l.Address()
	if l.Err() != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), AssetSecondary: action.AddressText(m.Start.Account()), Asset: action.AddressText(collection),
		Payloads: []action.Payload{&TransferData{Index: index}},
	}}
}
