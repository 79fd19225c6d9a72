package action

// Anybody who pays may have a packet that enough verifiers know committed: the ULN asks its connection for the path, and
// that the endpoint, which notes the nonce in the channel.
func init() {
	Register(Spec{
		Kind: "layerzero_commit_packet", Phase: 79,
		Match: Call(0x28b97077).Then(Call(0xf9d37b80).As("uln").Then(Call(0x5dab749a).As("endpoint").Then(
			Call(0x5388cd88).As("channel").Then(
				Call(opLzEvent).Maybe(),
				Call(0x5e178f33).As("msglib").Then(Is(TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroCommitPacket,
	})
}

// buildLayerZeroCommitPacket names the connection of the ULN twice, as readers of the row expect.
func buildLayerZeroCommitPacket(_ *Context, m *Match) *Result {
	object := lzPayload(m.Start, "MdAddr").object(lzMdAddrObject, "Packet")
	packet := newLayerZeroPacketData(object)
	if object.failed() {
		return nil
	}
	uln := AddressText(m.Get("uln").Account())
	return &Result{Columns: Columns{
		Source: AddressText(m.Start.From()), SourceSecondary: AddressText(m.Get("endpoint").Account()), Destination: uln,
		DestinationSecondary: uln, Asset: AddressText(m.Get("channel").Account()), AssetSecondary: AddressText(m.Get("msglib").Account()),
		Payloads: []Payload{packet},
	}}
}
