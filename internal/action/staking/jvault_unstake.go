package staking

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "jvault_unstake", Phase: 49,
		Match: action.Call(opJVaultUnstake).Then(
			action.Call(opJVaultReceive).As("pool").Then(
				jvaultReferral(), action.Is(action.TypeTonTransfer).Maybe(), action.Is("jetton_transfer").As("paid"), action.Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
}
