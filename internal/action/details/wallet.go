package details

import "tonql/internal/chain"

var walletKinds = []Details{
	&MultisigCreateOrder{}, &MultisigApprove{}, &MultisigExecute{}, &VestingSendMessage{}, &VestingAddWhitelist{},
}

// MultisigCreateOrder is the creation of an order: actions proposed to the signers of a multisig wallet.
type MultisigCreateOrder struct {
	QueryID           *Number        `json:"query_id" from:"multisig_create_order_data."`
	OrderSeqno        *Number        `json:"order_seqno" from:"multisig_create_order_data."`
	IsCreatedBySigner *bool          `json:"is_created_by_signer" from:"multisig_create_order_data."`
	IsSignedByCreator *bool          `json:"is_signed_by_creator" from:"multisig_create_order_data."`
	CreatorIndex      *int32         `json:"creator_index" from:"multisig_create_order_data."`
	ExpirationDate    *Integer       `json:"expiration_date" from:"multisig_create_order_data."`
	OrderBOC          chain.BOC      `json:"order_boc" from:"multisig_create_order_data."`
	Source            *chain.Address `json:"source"`
	Destination       *chain.Address `json:"destination"`
	DestinationOrder  *chain.Address `json:"destination_order" from:"destination_secondary"`
}

// Kind implements [Details].
func (*MultisigCreateOrder) Kind() string { return "multisig_create_order" }

// MultisigApprove is an approval of an order by a signer.
type MultisigApprove struct {
	SignerIndex *int32         `json:"signer_index" from:"multisig_approve_data."` // Index of the signer; -1 when the approval was sent as a comment.
	ExitCode    *int32         `json:"exit_code" from:"multisig_approve_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*MultisigApprove) Kind() string { return "multisig_approve" }

// MultisigExecute is the execution of an order that has enough approvals.
type MultisigExecute struct {
	QueryID        *Number        `json:"query_id" from:"multisig_execute_data."`
	OrderSeqno     *Number        `json:"order_seqno" from:"multisig_execute_data."`
	ExpirationDate *Integer       `json:"expiration_date" from:"multisig_execute_data."`
	ApprovalsNum   *int32         `json:"approvals_num" from:"multisig_execute_data."`
	SignersHash    *chain.Hash    `json:"signers_hash" from:"multisig_execute_data."`
	OrderBOC       chain.BOC      `json:"order_boc" from:"multisig_execute_data."`
	Source         *chain.Address `json:"source"`
	Destination    *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*MultisigExecute) Kind() string { return "multisig_execute" }

// VestingSendMessage is a request to send a message from a vesting wallet.
type VestingSendMessage struct {
	QueryID     *Number        `json:"query_id" from:"vesting_send_message_data."`
	MessageBOC  chain.BOC      `json:"message_boc" from:"vesting_send_message_data."`
	Source      *chain.Address `json:"source"`
	Vesting     *chain.Address `json:"vesting" from:"destination"`
	Destination *chain.Address `json:"destination" from:"destination_secondary"`
	Amount      *Number        `json:"amount"`
}

// Kind implements [Details].
func (*VestingSendMessage) Kind() string { return "vesting_send_message" }

// VestingAddWhitelist is an addition of accounts that a vesting wallet may pay while its coins are locked.
type VestingAddWhitelist struct {
	QueryID       *Number         `json:"query_id" from:"vesting_add_whitelist_data."`
	AccountsAdded []chain.Address `json:"accounts_added" from:"vesting_add_whitelist_data."`
	Source        *chain.Address  `json:"source"`
	Vesting       *chain.Address  `json:"vesting" from:"destination"`
}

// Kind implements [Details].
func (*VestingAddWhitelist) Kind() string { return "vesting_add_whitelist" }
