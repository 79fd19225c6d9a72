package action

const opNewKey = 0x690f357a

func init() {
	Register(Spec{
		Kind: "tgbtc_new_key", Phase: 57,
		Match: Call(opNewKey).After(Where(anyBlock).As("signers").Then(Log(logDKG).As("dkg"))).Then(
			Log(logNewKey).As("log"), pegoutMade()),
		Build: buildTgBTCNewKey,
	})
}

func anyBlock(*Block) bool { return true }

func buildTgBTCNewKey(_ *Context, m *Match) *Result {
	log, err := readKeyLog(m.Get("log"))
	if err != nil {
		return nil
	}
	dkg, err := readDKGLog(m.Get("dkg"))
	if err != nil {
		return nil
	}
	return &Result{Columns: Columns{
		Source: AddressText(m.Get("dkg").From()), SourceSecondary: log.key, Destination: AddressText(m.Get("log").From()),
		DestinationSecondary: AddressText(log.pegout), Amount: log.amount, Value: dkg.at,
	}}
}
