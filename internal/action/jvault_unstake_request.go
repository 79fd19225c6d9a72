package action

func init() {
	Register(Spec{
		Kind: "jvault_unstake_request", Phase: 51,
		Match: Call(opJVaultUnstakeRequest).Then(
			Call(opJVaultReceive).As("pool").Then(jvaultReferral(), Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
}
