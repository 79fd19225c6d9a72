package bridge

import (
	"math/big"

	"tonql/internal/action"
)

// An executor calls the channel to deliver a packet to its application, which first checks the nonce, then processes the
// packet and confirms.
func init() {
	action.Register(action.Spec{
		Kind: "layerzero_receive", Phase: 78,
		Match: action.Call(0x22f3ac09).Then(
			action.Is(action.TypeTonTransfer).Maybe(),
			action.Call(0x97df404c).As("oapp").Then(action.Call(0xb7680bc6).Then(action.Call(0x0c7b8418).Then(
				action.Call(opLzEvent).Maybe(),
				action.Call(0xcaae25a1).Then(action.Call(opLzEvent).Maybe(), action.Is(action.TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroReceive,
	})
}

func buildLayerZeroReceive(_ *action.Context, m *action.Match) *action.Result {
	oapp := m.Get("oapp")
	object := lzPayload(oapp, "Packet")
	packet := newLayerZeroPacketData(object)
	if object.failed() || packet.DstOApp != lzHex(new(big.Int).SetBytes(oapp.Account().ID[:])) {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), Destination: action.AddressText(oapp.Account()), DestinationSecondary: action.AddressText(m.Start.Account()),
		Payloads: []action.Payload{packet},
	}}
}
