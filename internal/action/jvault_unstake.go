package action

func init() {
	Register(Spec{
		Kind: "jvault_unstake", Phase: 49,
		Match: Call(opJVaultUnstake).Then(
			Call(opJVaultReceive).As("pool").Then(
				jvaultReferral(), Is(TypeTonTransfer).Maybe(), Is("jetton_transfer"), Call(opJVaultConfirm)).Maybe()),
		Build: buildJVaultUnstake,
	})
}
