package chain

import "math/big"

// Multisig is a wallet that several signers command (multisig v2).
type Multisig struct {
	Address        Address
	NextOrderSeqno *big.Int // -1 when orders may have any number
	Threshold      int
	Signers        []Address // in the order of their indexes
	Proposers      []Address
	CodeHash       Hash
	DataHash       Hash
	LastTxLT       uint64

	Orders []MultisigOrder // filled by the index on request
}

// MultisigOrder collects approvals for a list of actions. A record exists only when its multisig names this very
// address for the order's number. Everything after Seqno is nil until the order is initialised.
type MultisigOrder struct {
	Address          Address
	Multisig         Address
	Seqno            *big.Int
	Threshold        *int
	SentForExecution *bool
	ApprovalsMask    *big.Int // bit i: signer i approved
	ApprovalsNum     *int
	Expiration       *int64 // unix time
	Order            BOC
	Signers          []Address
	CodeHash         Hash
	DataHash         Hash
	LastTxLT         uint64

	Actions []OrderAction // filled on request
}

// OrderAction is one action of an order.
type OrderAction struct {
	Destination *Address // nil for an update of parameters
	Value       *big.Int // nanotons; nil for an update of parameters
	SendMode    uint8
	BodyRaw     BOC // nil for an update of parameters
	Parsed      bool
	Error       string // empty when parsed
	BodyType    string // v3's parsed_body_type
	Body        []byte // JSON object with the members of BodyType; nil when there are none
	Addresses   []Address
}

// MultisigFilter selects multisig wallets.
type MultisigFilter struct {
	Addresses []Address
	Members   []Address // signers or proposers
	Orders    bool      // also load the orders
}

// Validate checks that something is selected.
func (f MultisigFilter) Validate() error {
	if len(f.Addresses) == 0 && len(f.Members) == 0 {
		return Invalidf("At least one of address or wallet_address should be specified")
	}
	return nil
}

// OrderFilter selects orders.
type OrderFilter struct {
	Addresses []Address
	Multisigs []Address
	Actions   bool // also parse the actions
}

// Validate checks that something is selected.
func (f OrderFilter) Validate() error {
	if len(f.Addresses) == 0 && len(f.Multisigs) == 0 {
		return Invalidf("At least one of address or multisig_address should be specified")
	}
	return nil
}
