package action

import (
	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

func init() {
	Register(Spec{
		Kind: "jetton_transfer", Phase: 16,
		Match: Call(jetton.OpTransfer).Then(Call(jetton.OpTransferNotification).As("note").Maybe()),
		Build: buildProxyTransfer,
	})
}

// proxies are Jettons that represent TON: their wallets forward coins without an internal transfer.
var proxies = map[string]bool{
	"0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C": true,
	"0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3": true,
	"0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E": true,
}

// IsProxy reports whether the asset is a Jetton that represents TON. It is false for nil, which is TON itself.
func IsProxy(asset *chain.Address) bool { return asset != nil && proxies[asset.String()] }

func buildProxyTransfer(c *Context, m *Match) *Result {
	w := c.JettonWallet(m.Start)
	t, err := jetton.ParseTransfer(m.Start.Msg.Body.Cell())
	if w == nil || err != nil || !proxies[w.Jetton.String()] {
		return nil
	}
	return &Result{
		Columns: Columns{
			Source: AddressText(m.Start.From()), Destination: AddressText(t.Destination), Asset: w.Jetton.String(), Amount: t.Amount,
			Payloads: []Payload{newJettonTransferData(t)},
		},
		Failed: m.Start.Aborted(),
	}
}
