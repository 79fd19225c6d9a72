package action

import "math/big"

// An executor tells the channel to hand a packet to its application, which first has its nonce checked, then does what the
// packet says and confirms.
func init() {
	Register(Spec{
		Kind: "layerzero_receive", Phase: 78,
		Match: Call(0x22f3ac09).Then(
			Is(TypeTonTransfer).Maybe(),
			Call(0x97df404c).As("oapp").Then(Call(0xb7680bc6).Then(Call(0x0c7b8418).Then(
				Call(opLzEvent).Maybe(),
				Call(0xcaae25a1).Then(Call(opLzEvent).Maybe(), Is(TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroReceive,
	})
}

func buildLayerZeroReceive(_ *Context, m *Match) *Result {
	oapp := m.Get("oapp")
	object := lzPayload(oapp, "Packet")
	packet := newLayerZeroPacketData(object)
	if object.failed() || packet.DstOApp != lzHex(new(big.Int).SetBytes(oapp.Account().ID[:])) {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(m.Start.From()), Destination: AddressText(oapp.Account()), DestinationSecondary: AddressText(m.Start.Account()),
		Payloads: []Payload{packet},
	}}
}
