package staking

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "jvault_claim", Phase: 50,
		Match: action.Call(opJVaultClaim).Then(
			action.Call(opJVaultSendRewards).As("pool").Then(action.Is("jetton_transfer").As("reward"), action.Call(opJVaultConfirm))),
		Build: buildJVaultClaim,
	})
}

// maxClaimed is the maximum number of Jettons that are read from a claim. Their dictionary is untrusted and can share
// branches.
const maxClaimed = 1024

// JVaultClaimData are the requested and the received Jettons of a claim.
type JVaultClaimData struct {
	Jettons []chain.Address `json:"claimed_jettons"`
	Amounts []*big.Int      `json:"claimed_amounts"`
}

// Column implements [action.Payload].
func (*JVaultClaimData) Column() string { return "jvault_claim_data" }

func buildJVaultClaim(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	d := &JVaultClaimData{}
	if reward := action.JettonTransferOf(m.Get("reward")); reward != nil {
		d.Amounts = []*big.Int{reward.Requested}
	}
	if dict := l.MaybeRef(); l.Err() == nil && dict != nil {
		it, err := dict.AsDict(267).Iterator(false, false)
		for n := 0; n < maxClaimed && err == nil && it.Next(); n++ {
			if a := contract.Load(it.Item().Key).Address(); a != nil {
				d.Jettons = append(d.Jettons, *a)
			}
		}
	}
	return &action.Result{Columns: action.Columns{
		Source: action.AddressText(m.Start.From()), SourceSecondary: action.AddressText(m.Start.Account()), Destination: action.AddressText(m.Get("pool").Account()),
		Payloads: []action.Payload{d},
	}}
}
