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
	b := m.Start.prev
	for ; b != nil && !b.calls(opTeleport); b = b.prev {
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
	mint := m.Get("mint").columns
	return &Result{Failed: !m.Get("mint").success, Columns: Columns{
		Source: text(b.from()), SourceSecondary: text(m.Get("log").from()), Destination: text(log.to),
		DestinationSecondary: mint.DestinationSecondary, Amount: log.amount, Asset: mint.Asset, AssetSecondary: log.txID,
	}}
}
