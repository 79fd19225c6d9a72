package details

import "tonql/internal/chain"

var stakingKinds = []Details{
	&StakeDeposit{}, &StakeWithdrawalRequest{}, &StakeWithdrawal{}, &ElectionDeposit{}, &ElectionRecover{},
	&Subscribe{}, &Unsubscribe{},
}

const (
	providerEthena = "ethena"
	providerHipo   = "hipo"
)

// StakeDeposit is a deposit into a staking pool.
type StakeDeposit struct {
	Provider     *string        `json:"provider" from:"staking_data."`
	StakeHolder  *chain.Address `json:"stake_holder" from:"source"`
	Pool         *chain.Address `json:"pool" from:"destination"`
	Amount       *Number        `json:"amount"`
	TokensMinted *Number        `json:"tokens_minted" from:"staking_data."`
	Asset        *chain.Address `json:"asset"`
	SourceAsset  *chain.Address `json:"source_asset,omitempty" from:"asset2"` // For ethena only: the asset that was paid.
}

// Kind implements [Details].
func (*StakeDeposit) Kind() string { return "stake_deposit" }

func (s *StakeDeposit) complete(*row) {
	if s.Provider == nil || *s.Provider != providerEthena {
		s.SourceAsset = nil
	}
}

// StakeWithdrawalRequest is a request to withdraw a stake later.
type StakeWithdrawalRequest struct {
	Provider     *string        `json:"provider" from:"staking_data."`
	StakeHolder  *chain.Address `json:"stake_holder" from:"source"`
	Pool         *chain.Address `json:"pool" from:"destination"`
	PayoutNFT    *chain.Address `json:"payout_nft" from:"staking_data.ts_nft"`
	Asset        *chain.Address `json:"asset"`
	TokensBurnt  *Number        `json:"tokens_burnt" from:"staking_data."`            // For hipo only, otherwise null: the burned tokens.
	TokensMinted *Number        `json:"tokens_minted,omitempty" from:"staking_data."` // For ethena only: tokens minted for the request.
}

// Kind implements [Details].
func (*StakeWithdrawalRequest) Kind() string { return "stake_withdrawal_request" }

func (s *StakeWithdrawalRequest) complete(*row) {
	if s.Provider == nil || *s.Provider != providerEthena {
		s.TokensMinted = nil
	}
	if s.Provider == nil || *s.Provider != providerHipo {
		s.TokensBurnt = nil
	}
}

// StakeWithdrawal is the payment of a withdrawn stake.
type StakeWithdrawal struct {
	Provider    *string        `json:"provider" from:"staking_data."`
	StakeHolder *chain.Address `json:"stake_holder" from:"source"`
	Pool        *chain.Address `json:"pool" from:"destination"`
	Amount      *Number        `json:"amount"`
	PayoutNFT   *chain.Address `json:"payout_nft" from:"staking_data.ts_nft"`
	TokensBurnt *Number        `json:"tokens_burnt" from:"staking_data."`
	Asset       *chain.Address `json:"asset"`
}

// Kind implements [Details].
func (*StakeWithdrawal) Kind() string { return "stake_withdrawal" }

// ElectionDeposit is a validator's stake for the next validation round.
type ElectionDeposit struct {
	StakeHolder *chain.Address `json:"stake_holder" from:"source"`
	Amount      *Number        `json:"amount,omitempty"`
}

// Kind implements [Details].
func (*ElectionDeposit) Kind() string { return "election_deposit" }

// ElectionRecover is the return of a validator's stake from the elector.
type ElectionRecover ElectionDeposit

// Kind implements [Details].
func (*ElectionRecover) Kind() string { return "election_recover" }

// Subscribe is the installation of a wallet plugin that collects a regular payment.
type Subscribe struct {
	Subscriber   *chain.Address `json:"subscriber" from:"source"`
	Beneficiary  *chain.Address `json:"beneficiary,omitempty" from:"destination"`
	Subscription *chain.Address `json:"subscription" from:"destination_secondary"`
	Amount       *Number        `json:"amount"`
}

// Kind implements [Details].
func (*Subscribe) Kind() string { return "subscribe" }

// Unsubscribe is the removal of a subscription plugin from a wallet.
type Unsubscribe struct {
	Subscriber   *chain.Address `json:"subscriber" from:"source"`
	Beneficiary  *chain.Address `json:"beneficiary,omitempty" from:"destination"`
	Subscription *chain.Address `json:"subscription" from:"destination_secondary"`
	Amount       *Number        `json:"amount,omitempty"`
}

// Kind implements [Details].
func (*Unsubscribe) Kind() string { return "unsubscribe" }
