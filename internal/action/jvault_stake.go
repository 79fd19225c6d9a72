package action

import (
	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	Register(Spec{
		Kind: "jvault_stake", Phase: 48,
		Match: Is("jetton_transfer").Then(
			Call(opJVaultSetData).Maybe(),
			Either(
				Call(opJVaultRequestStake).As("stake").Then(
					Call(opJVaultReceive).Then(jvaultReferral(), Call(opJVaultConfirm).As("done"))),
				Call(opJVaultRequestStake).As("stake").Then(
					Call(opJVaultCancelStake).Then(Is("jetton_transfer").Maybe())),
			)),
		Build: buildJVaultStake,
	})
}

// JVaultStakeData is how long coins stay in the pool, in seconds, and the wallet that stands for the stake.
type JVaultStakeData struct {
	Period      *uint64        `json:"period"`
	StakeWallet *chain.Address `json:"stake_wallet"`
}

// Column names the composite column.
func (*JVaultStakeData) Column() string { return "jvault_stake_data" }

func buildJVaultStake(_ *Context, m *Match) *Result {
	data := JettonTransferOf(m.Start)
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
	return &Result{
		Failed: m.Get("done") == nil,
		Columns: Columns{
			Source: t.Source, SourceSecondary: t.SourceSecondary, Destination: t.Destination, Asset: t.Asset,
			Amount: t.Amount, Payloads: []Payload{d},
		},
	}
}
