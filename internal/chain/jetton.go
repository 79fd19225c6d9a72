package chain

import "math/big"

// JettonMaster is the contract that issues a Jetton (TEP-74).
type JettonMaster struct {
	Address        Address
	TotalSupply    *big.Int // in the Jetton's smallest unit
	Mintable       bool
	Admin          *Address // nil when nobody may mint
	Content        Content
	WalletCodeHash Hash
	MintlessRoot   *Hash    // root of the tree of unclaimed amounts of a mintless Jetton (TEP-177)
	MintlessAPIs   []string // where a wallet requests the proof of its amount; from on-chain content only
	CodeHash       Hash
	DataHash       Hash
	LastTxLT       uint64
}

// JettonWallet holds one owner's balance of a Jetton. A record exists only when the master names this very address as
// the owner's.
type JettonWallet struct {
	Address  Address
	Balance  *big.Int
	Owner    Address
	Jetton   Address // the master
	Mintless *MintlessInfo
	Claimed  *bool // mintless only: the owner has taken the amount
	CodeHash *Hash
	DataHash *Hash
	LastTxLT uint64
	McSeqno  *uint32 // masterchain block at which it was read; nil for the newest state
}

// MintlessInfo is an amount of a mintless Jetton that its owner has not claimed yet.
type MintlessInfo struct {
	Amount            *big.Int
	StartFrom         *uint64 // unix time; nil when the tree does not say
	ExpireAt          *uint64
	CustomPayloadAPIs []string
}

// JettonTransfer is a transfer as the sending Jetton wallet was ordered to make it.
type JettonTransfer struct {
	QueryID             uint64
	Source              Address  // the owner, who sent the order
	Destination         *Address // the new owner; nil is addr_none
	Amount              *big.Int
	SourceWallet        Address
	Jetton              Address
	TxHash              Hash
	TxLT                uint64
	TxNow               uint32
	TxAborted           bool
	ResponseDestination *Address // nil is addr_none
	ForwardAmount       *big.Int // nanotons
	CustomPayload       BOC      // nil when absent
	ForwardPayload      BOC      // nil when it is stored in place rather than in a reference
	TraceID             *Hash
}

// JettonBurn is a burn as the Jetton wallet was ordered to make it.
type JettonBurn struct {
	QueryID             uint64
	Owner               Address
	JettonWallet        Address
	Jetton              Address
	TxHash              Hash
	TxLT                uint64
	TxNow               uint32
	TxAborted           bool
	Amount              *big.Int
	ResponseDestination *Address // nil is addr_none
	CustomPayload       BOC
	TraceID             *Hash
}

// TransferDirection is the direction of a transfer as its owner sees it.
type TransferDirection uint8

// The directions; the zero value is both.
const (
	AnyDirection TransferDirection = iota
	Incoming
	Outgoing
)

// ParseTransferDirection reads v3's parameter: in, and everything else that is neither empty nor both counts as out.
func ParseTransferDirection(s string) TransferDirection {
	switch s {
	case "", "both":
		return AnyDirection
	case "in":
		return Incoming
	default:
		return Outgoing
	}
}

// CanMint reports whether anybody may still mint: the contract allows it and has an admin who can. Contracts whose
// admin was given up often still say that they are mintable.
func (m *JettonMaster) CanMint() bool { return m.Mintable && m.Admin != nil }

// JettonMasterFilter selects masters; the fields combine with AND, empty ones select everything.
type JettonMasterFilter struct {
	Addresses []Address
	Admins    []Address
}

// JettonWalletFilter selects Jetton wallets.
type JettonWalletFilter struct {
	Addresses   []Address
	Owners      []Address
	Jettons     []Address
	ExcludeZero bool // keep wallets with a balance or an unclaimed mintless amount
	ByBalance   bool // order by balance in the page's direction
}

// Validate checks the combination of fields.
func (f JettonWalletFilter) Validate() error {
	if len(f.Jettons) > 1 && len(f.Owners) != 1 {
		return Invalidf("exact one owner_address required for multiple jetton_address")
	}
	return nil
}

// TransferRange bounds transfers by the transaction they belong to; both ends are inclusive, nil is open.
type TransferRange struct {
	StartUtime *uint32
	EndUtime   *uint32
	StartLT    *uint64
	EndLT      *uint64
}

// JettonTransferFilter selects transfers.
type JettonTransferFilter struct {
	Owners        []Address
	JettonWallets []Address // the sending side
	Jetton        *Address
	Direction     TransferDirection // relative to Owners
	TransferRange
}

// JettonBurnFilter selects burns.
type JettonBurnFilter struct {
	Owners        []Address
	JettonWallets []Address
	Jetton        *Address
	TransferRange
}
