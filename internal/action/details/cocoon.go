package details

import "tonql/internal/chain"

var cocoonKinds = []Details{
	&CocoonClientTopUp{}, &CocoonClientRegister{}, &CocoonClientIncreaseStake{}, &CocoonClientWithdraw{},
	&CocoonClientChangeSecretHash{}, &CocoonClientRequestRefund{}, &CocoonGrantRefund{}, &CocoonRegisterProxy{},
	&CocoonUnregisterProxy{}, &CocoonProxyPayout{}, &CocoonProxyCharge{}, &CocoonWorkerPayout{},
}

// CocoonClientTopUp adds coins to a client's account with a Cocoon proxy.
type CocoonClientTopUp struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_top_up_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
	Amount      *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientTopUp) Kind() string { return "cocoon_client_top_up" }

// CocoonClientRegister makes a client known to a Cocoon proxy.
type CocoonClientRegister struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_register_data."`
	Nonce       *Number        `json:"nonce" from:"cocoon_client_register_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientRegister) Kind() string { return "cocoon_client_register" }

// CocoonClientIncreaseStake raises a client's stake.
type CocoonClientIncreaseStake struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_increase_stake_data."`
	NewStake    *Number        `json:"new_stake" from:"cocoon_client_increase_stake_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
	Amount      *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientIncreaseStake) Kind() string { return "cocoon_client_increase_stake" }

// CocoonClientWithdraw takes coins back from a client's account.
type CocoonClientWithdraw struct {
	QueryID        *Number        `json:"query_id" from:"cocoon_client_withdraw_data."`
	WithdrawAmount *Number        `json:"withdraw_amount" from:"cocoon_client_withdraw_data."`
	Source         *chain.Address `json:"source"`
	Destination    *chain.Address `json:"destination"`
	Amount         *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonClientWithdraw) Kind() string { return "cocoon_client_withdraw" }

// CocoonClientChangeSecretHash changes what a client proves itself with.
type CocoonClientChangeSecretHash struct {
	QueryID       *Number        `json:"query_id" from:"cocoon_client_change_secret_hash_data."`
	NewSecretHash *string        `json:"new_secret_hash" from:"cocoon_client_change_secret_hash_data."`
	Source        *chain.Address `json:"source"`
	Destination   *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientChangeSecretHash) Kind() string { return "cocoon_client_change_secret_hash" }

// CocoonClientRequestRefund asks for the rest of a client's coins.
type CocoonClientRequestRefund struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_client_request_refund_data."`
	ViaWallet   *bool          `json:"via_wallet" from:"cocoon_client_request_refund_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonClientRequestRefund) Kind() string { return "cocoon_client_request_refund" }

// CocoonGrantRefund pays the rest of a client's coins.
type CocoonGrantRefund struct {
	QueryID         *Number        `json:"query_id" from:"cocoon_grant_refund_data."`
	NewTokensUsed   *Number        `json:"new_tokens_used" from:"cocoon_grant_refund_data."`
	ExpectedAddress *string        `json:"expected_address" from:"cocoon_grant_refund_data."` // Raw, or LENGTH;HEX of an address outside.
	Source          *chain.Address `json:"source"`
	Destination     *chain.Address `json:"destination"`
	Amount          *Number        `json:"amount"`
}

// Kind implements [Details].
func (*CocoonGrantRefund) Kind() string { return "cocoon_grant_refund" }

// CocoonRegisterProxy makes a Cocoon proxy known.
type CocoonRegisterProxy struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_register_proxy_data."`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonRegisterProxy) Kind() string { return "cocoon_register_proxy" }

// CocoonUnregisterProxy removes a Cocoon proxy.
type CocoonUnregisterProxy struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_unregister_proxy_data."`
	Seqno       *uint32        `json:"seqno" from:"cocoon_unregister_proxy_data."`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonUnregisterProxy) Kind() string { return "cocoon_unregister_proxy" }

// CocoonProxyPayout pays what a proxy earned.
type CocoonProxyPayout struct {
	QueryID     *Number        `json:"query_id" from:"cocoon_proxy_payout_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonProxyPayout) Kind() string { return "cocoon_proxy_payout" }

// CocoonProxyCharge charges a client for what it used.
type CocoonProxyCharge struct {
	QueryID         *Number        `json:"query_id" from:"cocoon_proxy_charge_data."`
	NewTokensUsed   *Number        `json:"new_tokens_used" from:"cocoon_proxy_charge_data."`
	ExpectedAddress *string        `json:"expected_address" from:"cocoon_proxy_charge_data."` // Raw, or LENGTH;HEX of an address outside.
	Source          *chain.Address `json:"source"`
	Destination     *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*CocoonProxyCharge) Kind() string { return "cocoon_proxy_charge" }

// CocoonWorkerPayout pays what a worker earned.
type CocoonWorkerPayout struct {
	PayoutType   *string        `json:"payout_type" from:"cocoon_worker_payout_data."` // Regular or last.
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
