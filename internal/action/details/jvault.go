package details

import "tonql/internal/chain"

var jvaultKinds = []Details{&JVaultStake{}, &JVaultUnstakeRequest{}, &JVaultUnstake{}, &JVaultClaim{}}

// JVaultStake is a deposit into a staking pool of JVault.
type JVaultStake struct {
	Period             *Integer       `json:"period" from:"jvault_stake_data."` // Lock period, in seconds.
	MintedStakeJettons *Number        `json:"minted_stake_jettons" from:"-"`    // Always null in the published format.
	StakeWallet        *chain.Address `json:"stake_wallet" from:"jvault_stake_data."`
	Source             *chain.Address `json:"source"`
	SourceJettonWallet *chain.Address `json:"source_jetton_wallet" from:"source_secondary"`
	Asset              *chain.Address `json:"asset"`
	Pool               *chain.Address `json:"pool" from:"destination"`
	Amount             *Number        `json:"amount"`
}

// Kind implements [Details].
func (*JVaultStake) Kind() string { return "jvault_stake" }

// JVaultUnstakeRequest is a request to withdraw a stake from JVault.
type JVaultUnstakeRequest struct {
	Source       *chain.Address `json:"source"`
	StakeWallet  *chain.Address `json:"stake_wallet" from:"source_secondary"`
	Pool         *chain.Address `json:"pool" from:"destination"`
	Amount       *Number        `json:"amount"`
	ExitCode     *int32         `json:"exit_code" from:"opcode"` // Exit code of a rejected request.
	Asset        *chain.Address `json:"asset"`
	StakingAsset *chain.Address `json:"staking_asset" from:"asset2"`
}

// Kind implements [Details].
func (*JVaultUnstakeRequest) Kind() string { return "jvault_unstake_request" }

// JVaultUnstake is the withdrawal of a stake from JVault.
type JVaultUnstake JVaultUnstakeRequest

// Kind implements [Details].
func (*JVaultUnstake) Kind() string { return "jvault_unstake" }

// JVaultClaim is the payment of the rewards of a stake in JVault.
type JVaultClaim struct {
	ClaimedRewards []JettonAmount `json:"claimed_rewards" from:"-"`
	Source         *chain.Address `json:"source"`
	StakeWallet    *chain.Address `json:"stake_wallet" from:"source_secondary"`
	Pool           *chain.Address `json:"pool" from:"destination"`
}

// JettonAmount is an amount of one Jetton.
type JettonAmount struct {
	Jetton *chain.Address `json:"jetton"`
	Amount *Number        `json:"amount"`
}

// Kind implements [Details].
func (*JVaultClaim) Kind() string { return "jvault_claim" }

// complete pairs Jettons with amounts. The list stays empty when the numbers of both differ.
func (c *JVaultClaim) complete(r *row) {
	var claim struct {
		Jettons []*chain.Address `json:"claimed_jettons"`
		Amounts []*Number        `json:"claimed_amounts"`
	}
	r.into(&claim, "jvault_claim_data")
	if len(claim.Jettons) != len(claim.Amounts) {
		return
	}
	for i := range claim.Jettons {
		c.ClaimedRewards = append(c.ClaimedRewards, JettonAmount{claim.Jettons[i], claim.Amounts[i]})
	}
}
