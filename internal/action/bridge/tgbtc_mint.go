package bridge

import "tonql/internal/action"

const (
	opTeleport   = 0x3f781d24
	opTeleported = 0xe42a879b

	// maxTeleport is how many messages may lie between the proof of a payment and its coins.
	maxTeleport = 20
)

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_mint", Phase: 55,
		Match: action.Call(opTeleported).Then(action.Log(logMint).As("log"), action.Is("jetton_mint").As("mint")),
		Build: buildTgBTCMint,
	})
}

func buildTgBTCMint(_ *action.Context, m *action.Match) *action.Result {
	log, err := readMintLog(m.Get("log"))
	if err != nil {
		return nil
	}
	way := []*action.Block{}
	b := m.Start.Prev
	for ; b != nil && !b.Calls(opTeleport); b = b.Prev {
		if way = append(way, b); len(way) >= maxTeleport {
			return nil
		}
	}
	if b == nil {
		return nil
	}
	for _, step := range append(way, b) {
		m.Take(step)
	}
	mint := m.Get("mint").Columns
	return &action.Result{Failed: !m.Get("mint").Success, Columns: action.Columns{
		Source: action.AddressText(b.From()), SourceSecondary: action.AddressText(m.Get("log").From()), Destination: action.AddressText(log.to),
		DestinationSecondary: mint.DestinationSecondary, Amount: log.amount, Asset: mint.Asset, AssetSecondary: log.txID,
	}}
}
