package details

import "tonql/internal/chain"

var basicKinds = []Details{
	&CallContract{}, &ContractDeploy{}, &TonTransfer{}, &TickTock{}, &Unknown{},
}

// CallContract is a call of a contract that no other type of action describes. External messages have neither source nor
// value.
type CallContract struct {
	Opcode          *Opcode        `json:"opcode,omitempty"`
	Source          *chain.Address `json:"source,omitempty"`
	Destination     *chain.Address `json:"destination,omitempty"`
	Value           *Number        `json:"value,omitempty"`
	ExtraCurrencies Currencies     `json:"extra_currencies" from:"value_extra_currencies"`
}

// Kind implements [Details].
func (*CallContract) Kind() string { return "call_contract" }

// ContractDeploy is a message that deployed a contract on the receiving account.
type ContractDeploy struct {
	Opcode      *Opcode        `json:"opcode,omitempty"`
	Source      *chain.Address `json:"source,omitempty"`
	Destination *chain.Address `json:"destination,omitempty"`
	Value       *Number        `json:"value,omitempty"`
}

// Kind implements [Details].
func (*ContractDeploy) Kind() string { return "contract_deploy" }

// TonTransfer is a transfer of TON, with or without a comment.
type TonTransfer struct {
	Source               *chain.Address `json:"source"`
	Destination          *chain.Address `json:"destination"`
	Value                *Number        `json:"value"`
	ValueExtraCurrencies Currencies     `json:"value_extra_currencies"`
	Comment              *string        `json:"comment" from:"ton_transfer_data.content"` // The comment: text, or base64 of the bytes of an encrypted comment.
	Encrypted            *bool          `json:"encrypted" from:"ton_transfer_data."`      // Whether the comment is encrypted.
}

// Kind implements [Details].
func (*TonTransfer) Kind() string { return "ton_transfer" }

// TickTock is a tick or tock transaction: the masterchain runs a special contract without a message.
type TickTock struct {
	Account *chain.Address `json:"account,omitempty" from:"-"` // Always null.
}

// Kind implements [Details].
func (*TickTock) Kind() string { return "tick_tock" }

// Unknown is a trace in which no action was recognized.
type Unknown struct {
	Error string `json:"error" from:"-"` // States that this type has no details.
}

// Kind implements [Details].
func (*Unknown) Kind() string { return "unknown" }

func (u *Unknown) complete(r *row) {
	u.Error = unsupported(r.kind)
}

// unsupported returns the text that the published API has for types without details.
func unsupported(kind string) string { return "unsupported action type: '" + kind + "'" }
