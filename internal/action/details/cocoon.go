package details

import "tonql/internal/chain"

var cocoonKinds = []Details{
	&CocoonClientTopUp{}, &CocoonClientRegister{}, &CocoonClientIncreaseStake{}, &CocoonClientWithdraw{},
	&CocoonClientChangeSecretHash{}, &CocoonClientRequestRefund{}, &CocoonGrantRefund{}, &CocoonRegisterProxy{},
	&CocoonUnregisterProxy{}, &CocoonProxyPayout{}, &CocoonProxyCharge{}, &CocoonWorkerPayout{},
}

// CocoonClientTopUp is a payment into a client's balance at a Cocoon proxy.
type CocoonClientTopUp struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_top_up_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
	Amount      *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientTopUp) Kind() string { return "cocoon_client_top_up" }

// CocoonClientRegister is the registration of a client at a Cocoon proxy.
type CocoonClientRegister struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_register_data."`
	Nonce       *Number        `json:"nonce" from:"cocoon_client_register_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientRegister) Kind() string { return "cocoon_client_register" }

// CocoonClientIncreaseStake is an increase of a client's stake.
type CocoonClientIncreaseStake struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_increase_stake_data."`
	NewStake    *Number        `json:"new_stake" from:"cocoon_client_increase_stake_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
	Amount      *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientIncreaseStake) Kind() string { return "cocoon_client_increase_stake" }

// CocoonClientWithdraw is a withdrawal from a client's balance.
type CocoonClientWithdraw struct {
	QueryID        *Number        `json:"query_id" from:"cocoon_client_withdraw_data."`
	WithdrawAmount *Number        `json:"withdraw_amount" from:"cocoon_client_withdraw_data."`
	Source         *chain.Address `json:"source"`
	Destination    *chain.Address `json:"destination"`
	Amount         *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientWithdraw) Kind() string { return "cocoon_client_withdraw" }

// CocoonClientChangeSecretHash is a change of the hash of the secret that authenticates a client.
type CocoonClientChangeSecretHash struct {
	QueryID       *Number        `json:"query_id" from:"cocoon_client_change_secret_hash_data."`
	NewSecretHash *string        `json:"new_secret_hash" from:"cocoon_client_change_secret_hash_data."`
	Source        *chain.Address `json:"source"`
	Destination   *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientChangeSecretHash) Kind() string { return "cocoon_client_change_secret_hash" }

// CocoonClientRequestRefund is a request to refund a client's remaining balance.
type CocoonClientRequestRefund struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_request_refund_data."`
	ViaWallet   *bool          `json:"via_wallet" from:"cocoon_client_request_refund_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientRequestRefund) Kind() string { return "cocoon_client_request_refund" }

// CocoonGrantRefund is the refund of a client's remaining balance.
type CocoonGrantRefund struct {
	QueryID         *Number        `json:"query_id" from:"cocoon_grant_refund_data."`
	NewTokensUsed   *Number        `json:"new_tokens_used" from:"cocoon_grant_refund_data."`
	ExpectedAddress *string        `json:"expected_address" from:"cocoon_grant_refund_data."` // The expected address: raw, or LENGTH;HEX for an external address.
	Source          *chain.Address `json:"source"`
	Destination     *chain.Address `json:"destination"`
	Amount          *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonGrantRefund) Kind() string { return "cocoon_grant_refund" }

// CocoonRegisterProxy is the registration of a Cocoon proxy.
type CocoonRegisterProxy struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_register_proxy_data."`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonRegisterProxy) Kind() string { return "cocoon_register_proxy" }

// CocoonUnregisterProxy is the removal of a Cocoon proxy from the registry.
type CocoonUnregisterProxy struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_unregister_proxy_data."`
	Seqno       *uint32        `json:"seqno" from:"cocoon_unregister_proxy_data."`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonUnregisterProxy) Kind() string { return "cocoon_unregister_proxy" }

// CocoonProxyPayout is the payment of a proxy's earnings.
type CocoonProxyPayout struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_proxy_payout_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonProxyPayout) Kind() string { return "cocoon_proxy_payout" }

// CocoonProxyCharge is a charge to a client for used tokens.
type CocoonProxyCharge struct {
	QueryID         *Number        `json:"query_id" from:"cocoon_proxy_charge_data."`
	NewTokensUsed   *Number        `json:"new_tokens_used" from:"cocoon_proxy_charge_data."`
	ExpectedAddress *string        `json:"expected_address" from:"cocoon_proxy_charge_data."` // The expected address: raw, or LENGTH;HEX for an external address.
	Source          *chain.Address `json:"source"`
	Destination     *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonProxyCharge) Kind() string { return "cocoon_proxy_charge" }

// CocoonWorkerPayout is the payment of a worker's earnings.
type CocoonWorkerPayout struct {
	PayoutType   *string        `json:"payout_type" from:"cocoon_worker_payout_data."` // Type of the payout: regular or last.
	QueryID      *Number        `json:"query_id" from:"cocoon_worker_payout_data."`
	NewTokens    *Number        `json:"new_tokens" from:"cocoon_worker_payout_data."`
	WorkerState  *int32         `json:"worker_state" from:"cocoon_worker_payout_data."`
	WorkerTokens *Number        `json:"worker_tokens" from:"cocoon_worker_payout_data."`
	Source       *chain.Address `json:"source"`
	Destination  *chain.Address `json:"destination"`
	Amount       *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonWorkerPayout) Kind() string { return "cocoon_worker_payout" }
