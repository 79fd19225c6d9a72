package bridge

import "tonql/internal/action"

// Any account can commit a packet that enough verifiers have verified: the ULN queries its connection for the path, then
// calls the endpoint, which records the nonce in the channel.
func init() {
	action.Register(action.Spec{
		Kind: "layerzero_commit_packet", Phase: 79,
		Match: action.Call(0x28b97077).Then(action.Call(0xf9d37b80).As("uln").Then(action.Call(0x5dab749a).As("endpoint").Then(
			action.Call(0x5388cd88).As("channel").Then(
				action.Call(opLzEvent).Maybe(),
				action.Call(0x5e178f33).As("msglib").Then(action.Is(action.TypeTonTransfer).Maybe()))))),
		Build: buildLayerZeroCommitPacket,
	})
}

// buildLayerZeroCommitPacket sets the connection of the ULN in two columns, as in the published rows.
func buildLayerZeroCommitPacket(_ *action.Context, m *action.Match) *action.Result {
	object := lzPayload(m.Start, "MdAddr").object(lzMdAddrObject, "Packet")
	packet := newLayerZeroPacketData(object)
	if object.failed() {
		return nil
	}
	uln := action.AddressText(m.Get("uln").Account())
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), SourceSecondary: action.AddressText(m.Get("endpoint").Account()), Destination: uln,
		DestinationSecondary: uln, Asset: action.AddressText(m.Get("channel").Account()), AssetSecondary: action.AddressText(m.Get("msglib").Account()),
		Payloads: []action.Payload{packet},
	}}
}
