package chain

// Transaction is one executed transaction as the chain records it (transaction$0111), with the block that holds it.
// Its messages and account states are rows of their own, see [FullTransaction].
type Transaction struct {
	Account           Address
	LT                uint64
	Hash              Hash
	PrevHash          Hash // hash and LT of the account's transaction before this one; zero for the first
	PrevLT            uint64
	Now               uint32
	OrigStatus        AccountStatus
	EndStatus         AccountStatus
	TotalFees         Coins
	TotalFeesExtra    ExtraCurrencies
	StateHashBefore   Hash
	StateHashAfter    Hash
	Block             BlockID
	McSeqno           uint32
	InMsg             *MessageKey // nil for tick-tock and other transactions without a message
	OutMsgCount       uint16      // out-messages have LT+1 … LT+OutMsgCount on this account
	Verification      Verification
	Description       TransactionDescription
	TraceID           *Hash // nil until the trace is known
	TraceExternalHash *Hash // hash of the trace's first in-message; nil until known and for tick-tock traces
	Raw               BOC   // the raw transaction, as far as the index has it at hand; it is never changed
	// States are the account states around the transaction as the index stores them, as far as it has them at hand. Only the package
	// of the store reads them.
	States []byte
	// Finality is Finalized for indexed transactions. An emulated transaction names the block after whose state it was
	// executed, and the masterchain block that was the newest one then.
	Finality Finality
}

// TransactionKey is a transaction's natural key: no account has two transactions with one LT.
type TransactionKey struct {
	Account Address
	LT      uint64
}

// Key is the transaction's natural key.
func (t *Transaction) Key() TransactionKey { return TransactionKey{Account: t.Account, LT: t.LT} }

// FullTransaction is a transaction with everything that REST responses nest into it.
type FullTransaction struct {
	Transaction
	InMessage   *Message
	OutMessages []Message // by creation LT
	// StateBefore and StateAfter hold only their Hash when the state itself is not in the index.
	StateBefore AccountState
	StateAfter  AccountState
}

// Verification says how far we checked a transaction ourselves.
type Verification uint8

// The levels of verification. Every indexed transaction lies in a block whose hash was checked against a proven id.
const (
	Proven     Verification = iota // part of a proven block; not executed by us
	Replayed                       // executed again by our TVM: transaction hash and new state hash are equal
	Mismatch                       // our TVM came to another result than the chain; see Mismatch rows
	Unverified                     // our TVM exceeded its budget before there was a result; see UnverifiedTransaction rows
	OldRules                       // part of a proven block; made by rules of a global version before 8 that we do not execute
)

// Verifications is the number of levels.
const Verifications = int(OldRules) + 1

// String is the level's lower-case name.
func (v Verification) String() string {
	switch v {
	case Proven:
		return "proven"
	case Replayed:
		return "replayed"
	case Mismatch:
		return "mismatch"
	case Unverified:
		return "unverified"
	case OldRules:
		return "old_rules"
	default:
		return "proven"
	}
}

// ReplayMismatch records a transaction whose re-execution did not give the chain's result.
type ReplayMismatch struct {
	TransactionKey
	McSeqno  uint32
	Hash     Hash  // the chain's transaction hash
	Got      *Hash // ours; nil when execution gave no transaction
	GotState *Hash // our new state hash
	Reason   string
}

// UnverifiedTransaction records a transaction whose re-execution exceeded its budget.
type UnverifiedTransaction struct {
	TransactionKey
	McSeqno uint32
	Hash    Hash   // the chain's transaction hash
	Reason  string // the resource of the budget: time, memory or cells
	Limit   string // how much of it was allowed, for people: 10s, 512 MiB
}

// TransactionKind is the constructor of transaction_descr, spelled as v3 prints it.
type TransactionKind uint8

// The kinds of transaction.
const (
	Ordinary TransactionKind = iota
	Storage
	TickTock
	SplitPrepare
	SplitInstall
	MergePrepare
	MergeInstall
)

var transactionKinds = [...]string{"ord", "storage", "tick_tock", "split_prepare", "split_install", "merge_prepare", "merge_install"}

// String is v3's name: ord, storage, tick_tock, split_prepare, split_install, merge_prepare, merge_install.
func (k TransactionKind) String() string {
	if int(k) < len(transactionKinds) {
		return transactionKinds[k]
	}
	return "ord"
}

// TransactionDescription is the outcome of a transaction (transaction_descr). A nil phase did not take place.
type TransactionDescription struct {
	Kind        TransactionKind
	CreditFirst bool // ord
	IsTock      bool // tick_tock
	Aborted     bool
	Destroyed   bool
	Installed   bool // split_install, merge_install
	Storage     *StoragePhase
	Credit      *CreditPhase
	Compute     *ComputePhase
	Action      *ActionPhase
	Bounce      *BouncePhase
	Split       *SplitInfo // split_* and merge_*
}

// StatusChange is what the storage or action phase did to the account: unchanged, frozen, deleted.
type StatusChange uint8

// The status changes.
const (
	StatusUnchanged StatusChange = iota
	StatusFrozen
	StatusDeleted
)

// String is v3's name.
func (c StatusChange) String() string {
	switch c {
	case StatusFrozen:
		return "frozen"
	case StatusDeleted:
		return "deleted"
	case StatusUnchanged:
		return "unchanged"
	default:
		return "unchanged"
	}
}

// StoragePhase is tr_phase_storage.
type StoragePhase struct {
	FeesCollected Coins
	FeesDue       *Coins
	StatusChange  StatusChange
}

// CreditPhase is tr_phase_credit.
type CreditPhase struct {
	DueFeesCollected *Coins
	Credit           Coins
	CreditExtra      ExtraCurrencies
}

// CreditExtraCurrencies lists [CreditPhase.CreditExtra].
func (p *CreditPhase) CreditExtraCurrencies() []ExtraCurrency { return p.CreditExtra.List() }

// SkipReason says why the compute phase did not run.
type SkipReason uint8

// The reasons to skip.
const (
	SkipNoState SkipReason = iota
	SkipBadState
	SkipNoGas
	SkipSuspended
)

// String is v3's name.
func (r SkipReason) String() string {
	switch r {
	case SkipBadState:
		return "bad_state"
	case SkipNoGas:
		return "no_gas"
	case SkipSuspended:
		return "suspended"
	case SkipNoState:
		return "no_state"
	default:
		return "no_state"
	}
}

// ComputePhase is tr_phase_compute. When Skipped, only Reason is set.
type ComputePhase struct {
	Skipped          bool
	Reason           SkipReason
	Success          bool
	MsgStateUsed     bool
	AccountActivated bool
	GasFees          Coins
	GasUsed          uint64
	GasLimit         uint64
	GasCredit        *uint64
	Mode             int8
	ExitCode         int32
	ExitArg          *int32
	VMSteps          uint32
	VMInitStateHash  Hash
	VMFinalStateHash Hash
}

// ActionPhase is tr_phase_action.
type ActionPhase struct {
	Success        bool
	Valid          bool
	NoFunds        bool
	StatusChange   StatusChange
	TotalFwdFees   *Coins
	TotalFees      *Coins
	ResultCode     int32
	ResultArg      *int32
	TotalActions   uint16
	SpecActions    uint16
	SkippedActions uint16
	MsgsCreated    uint16
	ActionListHash Hash
	MsgSize        MessageSize
}

// MessageSize is storage_used_short: what messages weigh.
type MessageSize struct {
	Cells uint64
	Bits  uint64
}

// BounceKind is the constructor of tr_phase_bounce.
type BounceKind uint8

// The kinds of bounce phase.
const (
	BounceNegFunds BounceKind = iota
	BounceNoFunds
	BounceOK
)

// String is v3's name.
func (k BounceKind) String() string {
	switch k {
	case BounceNoFunds:
		return "nofunds"
	case BounceOK:
		return "ok"
	case BounceNegFunds:
		return "negfunds"
	default:
		return "negfunds"
	}
}

// BouncePhase is tr_phase_bounce.
type BouncePhase struct {
	Kind       BounceKind
	MsgSize    MessageSize // nofunds and ok
	ReqFwdFees Coins       // nofunds
	MsgFees    Coins       // ok
	FwdFees    Coins       // ok
}

// SplitInfo is split_merge_info.
type SplitInfo struct {
	CurShardPfxLen uint8
	AccSplitDepth  uint8
	ThisAddr       Hash
	SiblingAddr    Hash
}

// TransactionFilter selects transactions; nil and empty fields do not restrict, all others combine with AND.
// Ranges are inclusive.
type TransactionFilter struct {
	Workchain       *int32
	Shard           *Shard
	Seqno           *uint32
	McSeqno         *uint32
	Accounts        []Address
	ExcludeAccounts []Address
	Hashes          []Hash
	LT              *uint64
	StartUtime      *uint32 // on Now
	EndUtime        *uint32
	StartLT         *uint64
	EndLT           *uint64
	Message         *TransactionMessage
}

// TransactionMessage selects transactions by one message that they received or sent; nil and empty fields do not restrict, all
// others combine with AND.
type TransactionMessage struct {
	Hashes      []Hash // plain or normalised
	BodyHash    *Hash
	Opcode      *uint32 // of the message that the transaction received
	Direction   Direction
	Source      *Address
	Destination *Address
}

// Any reports whether m restricts anything.
func (m *TransactionMessage) Any() bool {
	return m != nil && (len(m.Hashes) > 0 || m.BodyHash != nil || m.Opcode != nil || m.Direction != Both || m.Source != nil || m.Destination != nil)
}

// Direction is the side of a transaction a message is on.
type Direction uint8

// The directions; Both does not restrict.
const (
	Both Direction = iota
	In
	Out
)

// ParseDirection reads "in" and "out"; the empty text is Both.
func ParseDirection(s string) (Direction, error) {
	switch s {
	case "":
		return Both, nil
	case "in":
		return In, nil
	case "out":
		return Out, nil
	default:
		return Both, Invalidf("direction should be one of: in, out")
	}
}
