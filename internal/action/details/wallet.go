package details

import "tonql/internal/chain"

var walletKinds = []Details{
	&MultisigCreateOrder{}, &MultisigApprove{}, &MultisigExecute{}, &VestingSendMessage{}, &VestingAddWhitelist{},
}

// MultisigCreateOrder proposes actions to the signers of a multisig wallet.
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

// MultisigApprove signs an order.
type MultisigApprove struct {
	SignerIndex *int32         `json:"signer_index" from:"multisig_approve_data."` // -1 when the signature was given as a comment.
	ExitCode    *int32         `json:"exit_code" from:"multisig_approve_data."`
	Source      *chain.Address `json:"source"`
	Destination *chain.Address `json:"destination"`
}

// Kind implements [Details].
func (*MultisigApprove) Kind() string { return "multisig_approve" }

// MultisigExecute carries out an order that has enough signatures.
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

// VestingSendMessage lets a vesting wallet send a message.
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

// VestingAddWhitelist lets a vesting wallet pay more accounts while its coins are still locked.
type VestingAddWhitelist struct {
	QueryID       *Number         `json:"query_id" from:"vesting_add_whitelist_data."`
	AccountsAdded []chain.Address `json:"accounts_added" from:"vesting_add_whitelist_data."`
	Source        *chain.Address  `json:"source"`
	Vesting       *chain.Address  `json:"vesting" from:"destination"`
}

// Kind implements [Details].
func (*VestingAddWhitelist) Kind() string { return "vesting_add_whitelist" }
