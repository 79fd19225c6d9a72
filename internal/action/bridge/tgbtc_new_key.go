package bridge

import "tonql/internal/action"

const opNewKey = 0x690f357a

func init() {
	action.Register(action.Spec{
		Kind: "tgbtc_new_key", Phase: 57,
		Match: action.Call(opNewKey).After(action.Where(anyBlock).As("signers").Then(action.Log(logDKG).As("dkg"))).Then(
			action.Log(logNewKey).As("log"), pegoutMade()),
		Build: buildTgBTCNewKey,
	})
}

func anyBlock(*action.Block) bool { return true }

func buildTgBTCNewKey(_ *action.Context, m *action.Match) *action.Result {
	log, err := readKeyLog(m.Get("log"))
	if err != nil {
		return nil
	}
	dkg, err := readDKGLog(m.Get("dkg"))
	if err != nil {
		return nil
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Get("dkg").From()), SourceSecondary: log.key, Destination: action.AddressText(m.Get("log").From()),
		DestinationSecondary: action.AddressText(log.pegout), Amount: log.amount, Value: dkg.at,
	}}
}
