package staking

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "jvault_unstake_request", Phase: 51,
		Match: action.Call(opJVaultUnstakeRequest).Then(
			action.Call(opJVaultReceive).As("pool").Then(jvaultReferral(), action.Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
}
