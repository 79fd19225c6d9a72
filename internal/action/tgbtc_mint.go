package action

const (
	opTeleport   = 0x3f781d24
	opTeleported = 0xe42a879b

	// maxTeleport is how many messages may lie between the proof of a payment and its coins.
	maxTeleport = 20
)

func init() {
	Register(Spec{
		Kind: "tgbtc_mint", Phase: 55,
		Match: Call(opTeleported).Then(Log(logMint).As("log"), Is("jetton_mint").As("mint")),
		Build: buildTgBTCMint,
	})
}

func buildTgBTCMint(_ *Context, m *Match) *Result {
	log, err := readMintLog(m.Get("log"))
	if err != nil {
		return nil
	}
	way := []*Block{}
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
	return &Result{Failed: !m.Get("mint").Success, Columns: Columns{
		Source: AddressText(b.From()), SourceSecondary: AddressText(m.Get("log").From()), Destination: AddressText(log.to),
		DestinationSecondary: mint.DestinationSecondary, Amount: log.amount, Asset: mint.Asset, AssetSecondary: log.txID,
	}}
}
