package chain

import (
	"encoding/json"
	"math/big"
)

// Trace is the tree of transactions that one message, or one tick or tock, caused. It is named by the hash of its root
// transaction.
type Trace struct {
	ID               Hash
	ExternalHash     *Hash // of the root's in-message, whatever its kind; nil for a tick or tock
	ExternalHashNorm *Hash // normalised, when that message is external-in
	Root             TransactionKey
	State            TraceState
	Classification   ClassificationState
	Finality         Finality

	// From the root transaction to the last one, by LT, time and the masterchain blocks that committed them.
	StartLT      uint64
	EndLT        uint64
	StartUtime   uint32
	EndUtime     uint32
	McSeqnoStart uint32
	McSeqnoEnd   uint32

	Transactions    int // nodes of the tree
	Messages        int // messages that were received, the root's included, and messages out of the chain
	PendingMessages int // sent to an account that has not received them
}

// TraceState is the completeness of a trace.
type TraceState uint8

// The states of a trace. The numbers are on disk: never renumber.
const (
	TraceComplete TraceState = iota // no message waits for its receiver
	TracePending                    // messages are in flight
	TraceBroken                     // it begins with a message whose sender is not in the index
)

// String is v3's name: complete, pending, broken.
func (s TraceState) String() string {
	switch s {
	case TracePending:
		return "pending"
	case TraceBroken:
		return "broken"
	case TraceComplete:
		return "complete"
	default:
		return "complete"
	}
}

// ClassificationState is the status of the classification of a trace.
type ClassificationState uint8

// The states of classification. The numbers are on disk: never renumber.
const (
	Unclassified         ClassificationState = iota // not complete, too large, or not looked at
	Classified                                      // its actions are in the index
	ClassificationFailed                            // the attempt failed; it has no actions
)

// String is v3's name: unclassified, ok, failed.
func (s ClassificationState) String() string {
	switch s {
	case Classified:
		return "ok"
	case ClassificationFailed:
		return "failed"
	case Unclassified:
		return "unclassified"
	default:
		return "unclassified"
	}
}

// Finality is how certain it is that an event stays as it is.
type Finality uint8

// The levels of finality, in the order in which a message passes them. The zero value is what the index holds.
const (
	Finalized   Finality = iota // committed by a masterchain block
	Pending                     // emulated, in no block
	Confirmed                   // in a block; the trace is not complete or no masterchain block has committed the block
	Invalidated                 // was pending, and expired or turned out otherwise
)

// emulated reports whether a transaction, trace or action of this finality is not on the chain.
func (f Finality) emulated() bool { return f == Pending || f == Invalidated }

// String is v3's name.
func (f Finality) String() string {
	switch f {
	case Pending:
		return "pending"
	case Confirmed:
		return "confirmed"
	case Invalidated:
		return "invalidated"
	case Finalized:
		return "finalized"
	default:
		return "finalized"
	}
}

// MaxTraceTransactions is the size up to which a trace is shown with its transactions and classified.
const MaxTraceTransactions = 4000

// FullTrace is a trace with its transactions.
type FullTrace struct {
	Trace

	// Transactions are the nodes by LT, then account; empty when TooLarge.
	Transactions []FullTransaction
	// Tree is the same as a tree; nil when TooLarge.
	Tree *TraceNode
	// TooLarge says that the trace has more than MaxTraceTransactions transactions, MissingNode that a message has a
	// receiver which the index does not hold.
	TooLarge    bool
	MissingNode bool
	// Actions by start LT, then end LT; nil unless requested.
	Actions []Action
	// Wallets are Jetton wallets that a simulated trace deployed, so that the index does not have them.
	Wallets []JettonWallet
}

// Incomplete reports whether transactions of the trace are missing.
func (t *FullTrace) Incomplete() bool { return t.TooLarge || t.MissingNode }

// Warning is v3's text for what is missing, "" for nothing.
func (t *FullTrace) Warning() string {
	const large, missing = "trace is too large", "missing node in trace found"
	switch {
	case t.TooLarge && t.MissingNode:
		return large + "," + missing
	case t.TooLarge:
		return large
	case t.MissingNode:
		return missing
	default:
		return ""
	}
}

// TraceNode is one transaction of the tree.
type TraceNode struct {
	Transaction *FullTransaction
	// Children received the transaction's out-messages, by LT, then account; messages without a receiver have none.
	Children []*TraceNode
}

// TraceStep is a transaction of a trace in brief.
type TraceStep struct {
	Hash          Hash
	Parent        *int32 // position of the transaction that sent the message; nil when it is not in the trace
	Address       Address
	Outcome       TransactionOutcome
	ExitCode      *int32
	SkipReason    *SkipReason
	ResultCode    *int32
	TotalFees     Coins
	BalanceChange *int64
	MessageKind   *MessageKind
	Value         *Coins
	MessageFee    *big.Int
	Opcode        *uint32
	DecodedOpcode *string
	Bounced       bool
}

// TraceFilter selects traces; nil and empty fields do not restrict, all others combine with AND. Ranges are inclusive
// and on the end of the trace. Lists hold complete traces; those requested by a hash are returned in every state.
type TraceFilter struct {
	Account    *Address // has a transaction in the trace
	IDs        []Hash
	TxHashes   []Hash
	MsgHashes  []Hash  // plain or normalised
	McSeqno    *uint32 // of the block that committed the last transaction
	StartUtime *uint32
	EndUtime   *uint32
	StartLT    *uint64
	EndLT      *uint64
}

// Validate refuses what the published interface refuses: more than one of account, trace, transaction and message.
func (f *TraceFilter) Validate() error {
	n := 0
	for _, set := range []bool{f.Account != nil, len(f.IDs) > 0, len(f.TxHashes) > 0, len(f.MsgHashes) > 0} {
		if set {
			n++
		}
	}
	if n > 1 {
		return Invalidf("only one of account, trace_id, tx_hash, msg_hash should be specified")
	}
	return nil
}

// ByHash reports whether the filter names its traces by hashes.
func (f *TraceFilter) ByHash() bool {
	return len(f.IDs) > 0 || len(f.TxHashes) > 0 || len(f.MsgHashes) > 0
}

// TraceInclude says what a full trace is to carry beside its transactions.
type TraceInclude struct {
	Actions bool
	// Supported are the types of action the client understands, see [ExpandActionTypes]; nil is the latest set.
	Supported []string
}

// Cursor is the trace's position in the list of traces.
func (t *Trace) Cursor() Cursor {
	return Cursor{ListKind: TraceList, Major: t.EndLT, Minor: string(t.ID[:])}
}

// BalanceChanges is what a trace, or one action of it, changed on the accounts it touched. Amounts are signed.
type BalanceChanges struct {
	Changes map[Address]Amount             // nanotons, fees included
	Fees    map[Address]Amount             // nanotons, part of Changes
	Jettons map[Address]map[Address]Amount // owner, then Jetton master; in the Jetton's smallest unit
}

// Amount is a signed decimal number of any size.
type Amount = json.Number
