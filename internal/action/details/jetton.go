package details

import "tonql/internal/chain"

var jettonKinds = []Details{&JettonTransfer{}, &JettonBurn{}, &JettonMint{}}

// JettonTransfer is a transfer of Jettons between owners.
type JettonTransfer struct {
	Asset                *chain.Address `json:"asset"`
	Sender               *chain.Address `json:"sender" from:"source"`
	Receiver             *chain.Address `json:"receiver" from:"destination"`
	SenderJettonWallet   *chain.Address `json:"sender_jetton_wallet" from:"source_secondary"`
	ReceiverJettonWallet *chain.Address `json:"receiver_jetton_wallet" from:"destination_secondary"`
	Amount               *Number        `json:"amount"`
	Comment              *string        `json:"comment" from:"jetton_transfer_data."` // The comment: text, or base64 of the bytes of an encrypted comment.
	IsEncryptedComment   *bool          `json:"is_encrypted_comment" from:"jetton_transfer_data."`
	QueryID              *Number        `json:"query_id" from:"jetton_transfer_data."`
	ResponseDestination  *chain.Address `json:"response_destination" from:"jetton_transfer_data."`
	CustomPayload        chain.BOC      `json:"custom_payload" from:"jetton_transfer_data."`
	ForwardPayload       chain.BOC      `json:"forward_payload" from:"jetton_transfer_data."`
	ForwardAmount        *Number        `json:"forward_amount" from:"jetton_transfer_data."`
}

// Kind implements [Details].
func (*JettonTransfer) Kind() string { return "jetton_transfer" }

// JettonBurn is a burn of Jettons by their owner.
type JettonBurn struct {
	Owner             *chain.Address `json:"owner" from:"source"`
	OwnerJettonWallet *chain.Address `json:"owner_jetton_wallet" from:"source_secondary"`
	Asset             *chain.Address `json:"asset"`
	Amount            *Number        `json:"amount"`
}

// Kind implements [Details].
func (*JettonBurn) Kind() string { return "jetton_burn" }

// JettonMint is a mint of Jettons for an owner.
type JettonMint struct {
	Asset                *chain.Address `json:"asset"`
	Receiver             *chain.Address `json:"receiver" from:"destination"`
	ReceiverJettonWallet *chain.Address `json:"receiver_jetton_wallet" from:"destination_secondary"`
	Amount               *Number        `json:"amount"`
	TonAmount            *Number        `json:"ton_amount" from:"value"` // Nanotons sent with the Jettons.
}

// Kind implements [Details].
func (*JettonMint) Kind() string { return "jetton_mint" }
