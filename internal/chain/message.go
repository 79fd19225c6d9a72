package chain

import (
	"math/big"
	"strconv"
)

// MessageKind is the constructor of CommonMsgInfo.
type MessageKind uint8

// The kinds of message.
const (
	InternalMessage MessageKind = iota
	ExternalIn
	ExternalOut
)

// String is the kind's name: internal, external_in, external_out.
func (k MessageKind) String() string {
	switch k {
	case ExternalIn:
		return "external_in"
	case ExternalOut:
		return "external_out"
	case InternalMessage:
		return "internal"
	default:
		return "internal"
	}
}

// MessageKey is a message's natural key. Every message takes one logical time on one account: its creation LT on its
// source, or, for a message that no transaction sent (external-in, and system messages from [SystemAddress]), the LT of
// the transaction that accepted it on its destination. (One external-in message may be accepted more than once; each
// acceptance is a row.)
type MessageKey struct {
	Account Address
	LT      uint64
}

// SystemAddress is -1:000…0, the source of the masterchain's own messages (fee recovery, minting).
var SystemAddress = Address{Workchain: MasterchainID}

// TransactionRef names a transaction of a known account by LT and hash.
type TransactionRef struct {
	LT   uint64
	Hash Hash
}

// Message is one message, seen from the sending side, the receiving side or both.
type Message struct {
	Key         MessageKey
	Hash        Hash
	HashNorm    *Hash // normalised hash (TEP-467) of an external-in message, nil otherwise
	Kind        MessageKind
	Source      *Address // nil for external-in
	Destination *Address // nil for external-out
	Value       *Coins   // nil for externals, as the fees below
	ValueExtra  ExtraCurrencies
	FwdFee      *Coins
	IHRFee      *Coins
	ImportFee   *big.Int // external-in only; chosen by the sender, so it may exceed any balance
	CreatedLT   *uint64  // nil for external-in
	CreatedAt   *uint32  // nil for external-in
	IHRDisabled *bool    // these flags are nil for externals
	Bounce      *bool
	Bounced     *bool
	ExtraFlags  *big.Int // internal messages: VarUInteger 16 in the place of the old IHR fee
	Opcode      *uint32  // first 32 bits of the body; nil when the body is shorter
	BodyHash    Hash
	Body        BOC // see BodyBOC
	InitHash    *Hash
	Init        BOC             // nil when there is no state-init; see InitBOC
	Large       *LargeContent   // nil, or body and state-init, which Body and Init do not hold
	SentBy      *TransactionRef // transaction of Source; nil when unknown or external-in
	ReceivedBy  *TransactionRef // transaction of Destination; nil when unknown, not yet received, or external-out
	Emulated    bool            // only emulated transactions send and receive it
}

// LargeContent is the content of a message that is made when it is read: messages that one transaction sends may share cells, and are a
// hundred times its size as bags of cells of their own. Safe for concurrent use.
type LargeContent struct {
	Of   BOC // the raw transaction that it is made from, which stays in memory with it
	Body func() BOC
	Init func() BOC // nil when there is no state-init
}

// BodyBOC returns the body. That of a large message is made by each call.
func (m *Message) BodyBOC() BOC {
	if m.Large != nil {
		return m.Large.Body()
	}
	return m.Body
}

// InitBOC returns the state-init, nil when there is none. That of a large message is made by each call.
func (m *Message) InitBOC() BOC {
	if m.Large != nil && m.InitHash != nil {
		return m.Large.Init()
	}
	return m.Init
}

// ValueExtraCurrencies lists [Message.ValueExtra].
func (m *Message) ValueExtraCurrencies() []ExtraCurrency { return m.ValueExtra.List() }

// MessageFilter selects messages; nil and empty fields do not restrict, all others combine with AND.
type MessageFilter struct {
	Hashes           []Hash // plain or normalised
	BodyHash         *Hash
	Source           *Address
	NoSource         bool // external-in only
	Destination      *Address
	NoDestination    bool // external-out only
	Opcode           *uint32
	Direction        Direction // In: received by a known transaction; Out: sent by one
	Kind             *MessageKind
	ExcludeExternals bool    // drops external-in messages
	OnlyExternals    bool    // keeps external-in messages only
	StartUtime       *uint32 // on CreatedAt, inclusive; excludes external-in, as the LT range
	EndUtime         *uint32
	StartLT          *uint64 // on CreatedLT, inclusive
	EndLT            *uint64
}

// FormatOpcode formats an opcode as the published interfaces print it: 0x and eight lower-case hex digits.
func FormatOpcode(op uint32) string {
	text := strconv.FormatUint(uint64(op), 16)
	return "0x00000000"[:10-len(text)] + text
}
