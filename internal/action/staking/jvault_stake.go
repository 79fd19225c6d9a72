package staking

import (
	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "jvault_stake", Phase: 48,
		Match: action.Is("jetton_transfer").Then(
			action.Call(opJVaultSetData).Maybe(),
			action.Either(
				action.Call(opJVaultRequestStake).As("stake").Then(
					action.Call(opJVaultReceive).Then(jvaultReferral(), action.Call(opJVaultConfirm).As("done"))),
				action.Call(opJVaultRequestStake).As("stake").Then(
					action.Call(opJVaultCancelStake).Then(action.Is("jetton_transfer").Maybe())),
			)),
		Build: buildJVaultStake,
	})
}

// JVaultStakeData is the lock period of a stake in seconds, and its stake wallet.
type JVaultStakeData struct {
	Period      *uint64        `json:"period"`
	StakeWallet *chain.Address `json:"stake_wallet"`
}

// Column implements [action.Payload].
func (*JVaultStakeData) Column() string { return "jvault_stake_data" }

func buildJVaultStake(_ *action.Context, m *action.Match) *action.Result {
	data := action.JettonTransferOf(m.Start)
	if data == nil {
		return nil
	}
	d := &JVaultStakeData{StakeWallet: m.Get("stake").Account()}
	l := contract.Load(data.ForwardCell)
	l.Uint(32)
	if period := l.Uint(32); l.Err() == nil {
		d.Period = &period
	}
	t := m.Start.Columns
	return &action.Result{
		Failed: m.Get("done") == nil,
		Columns: action.Columns{
			Source: t.Source, SourceSecondary: t.SourceSecondary, Destination: t.Destination, Asset: t.Asset,
			Amount: data.Requested, Payloads: []action.Payload{d},
		},
	}
}
