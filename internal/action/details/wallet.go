package details

import "tonql/internal/chain"

var walletKinds = []Details{
	&MultisigCreateOrder{}, &MultisigApprove{}, &MultisigExecute{}, &VestingSendMessage{}, &VestingAddWhitelist{},
	&ChangeWalletKey{}, &GaslessRequest{},
}

// ChangeWalletKey is the replacement of the key that a wallet accepts.
type ChangeWalletKey struct {
	Source                 *chain.Address `json:"source"`                                                   // The relayer that paid for the gas; null when the owner sent the request.
	Destination            *chain.Address `json:"destination"`                                              // The wallet.
	NewPublicKey           *string        `json:"new_public_key" from:"change_wallet_key_data."`            // The key that the wallet accepts now, in hexadecimal.
	RotationSignature      *string        `json:"rotation_signature" from:"change_wallet_key_data."`        // Signature of the address of the wallet by the new key, in hexadecimal.
	EncryptedOldPrivateKey *string        `json:"encrypted_old_private_key" from:"change_wallet_key_data."` // The private key that the wallet accepted before, encrypted with the new one, in hexadecimal.
}

// Kind implements [Details].
func (*ChangeWalletKey) Kind() string { return "change_wallet_key" }

// GaslessRequest is a request of a wallet's owner that a relayer delivered and paid the gas for. The actions of the request are
// beside it.
type GaslessRequest struct {
	Source      *chain.Address `json:"source"`      // The relayer.
	Destination *chain.Address `json:"destination"` // The wallet.
	Value       *Number        `json:"value"`       // Nanotons that the relayer attached.
}

// Kind implements [Details].
func (*GaslessRequest) Kind() string { return "gasless_request" }

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
