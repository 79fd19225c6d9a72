package action

import "tonql/internal/contract/nft"

func init() {
	Register(Spec{
		Kind: "nft_discovery", Phase: 32,
		Match: Call(nft.OpGetStaticData).Then(Call(nft.OpReportStaticData).As("report")),
		Build: buildNFTDiscovery,
	})
}

func buildNFTDiscovery(_ *Context, m *Match) *Result {
	l := m.Get("report").Body()
	l.Uint(64)
	index, collection := l.BigUint(256), l.Address()
	if l.Err() != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(m.Start.From()), AssetSecondary: AddressText(m.Start.Account()), Asset: AddressText(collection),
		Payloads: []Payload{&NFTTransferData{Index: index}},
	}}
}
