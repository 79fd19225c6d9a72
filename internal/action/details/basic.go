package details

import "tonql/internal/chain"

var basicKinds = []Details{
	&CallContract{}, &ContractDeploy{}, &TonTransfer{}, &TickTock{}, &Unknown{},
}

// CallContract is a message to a contract that nothing more specific explains. Messages from outside have neither source
// nor value.
type CallContract struct {
	Opcode          *Opcode        `json:"opcode,omitempty"`
	Source          *chain.Address `json:"source,omitempty"`
	Destination     *chain.Address `json:"destination,omitempty"`
	Value           *Number        `json:"value,omitempty"`
	ExtraCurrencies Currencies     `json:"extra_currencies" from:"value_extra_currencies"`
}

// Kind implements [Details].
func (*CallContract) Kind() string { return "call_contract" }

// ContractDeploy is a message that made its receiver a contract.
type ContractDeploy struct {
	Opcode      *Opcode        `json:"opcode,omitempty"`
	Source      *chain.Address `json:"source,omitempty"`
	Destination *chain.Address `json:"destination,omitempty"`
	Value       *Number        `json:"value,omitempty"`
}

// Kind implements [Details].
func (*ContractDeploy) Kind() string { return "contract_deploy" }

// TonTransfer is a transfer of coins, with or without a comment.
type TonTransfer struct {
	Source               *chain.Address `json:"source"`
	Destination          *chain.Address `json:"destination"`
	Value                *Number        `json:"value"`
	ValueExtraCurrencies Currencies     `json:"value_extra_currencies"`
	Comment              *string        `json:"comment" from:"ton_transfer_data.content"` // Text, or base64 of the bytes of an encrypted comment.
	Encrypted            *bool          `json:"encrypted" from:"ton_transfer_data."`      // Whether the comment is encrypted.
}

// Kind implements [Details].
func (*TonTransfer) Kind() string { return "ton_transfer" }

// TickTock is a contract that the masterchain ran by itself.
type TickTock struct {
	Account *chain.Address `json:"account,omitempty" from:"-"` // Never filled.
}

// Kind implements [Details].
func (*TickTock) Kind() string { return "tick_tock" }

// Unknown is a trace in which nothing was recognised.
type Unknown struct {
	Error string `json:"error" from:"-"` // Says that this type has no details.
}

// Kind implements [Details].
func (*Unknown) Kind() string { return "unknown" }

func (u *Unknown) complete(r *row) {
	u.Error = unsupported(r.kind)
}

// unsupported is what the published interface answers for types without details.
func unsupported(kind string) string { return "unsupported action type: '" + kind + "'" }
