package chain

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Event announces one row when its masterchain block is indexed.
type Event[T any] struct {
	Cursor  string // position of the event in its feed
	McSeqno uint32 // the masterchain block
	Node    T
}

// The events of each feed.
type (
	// BlockEvent announces a block.
	BlockEvent = Event[*Block]
	// TransactionEvent announces a transaction.
	TransactionEvent = Event[*Transaction]
	// MessageEvent announces a message.
	MessageEvent = Event[*Message]
	// AccountStateEvent announces the new state of an account.
	AccountStateEvent = Event[*AccountState]
	// TraceEvent announces a complete trace.
	TraceEvent = Event[*Trace]
	// ActionEvent announces an action of a complete trace.
	ActionEvent = Event[*Action]
)

// The feeds that have cursors. In each of them events go by masterchain seqno, then Major, then Minor as bytes, and the
// cursor's McSeqno is the event's own.
const (
	BlockFeed        ListKind = 32 // Minor: workchain, shard, seqno
	TransactionFeed  ListKind = 33 // Major: lt; Minor: account
	MessageFeed      ListKind = 34 // Major: lt of the key; Minor: account of the key
	AccountStateFeed ListKind = 35 // Major: lt; Minor: account
	TraceFeed        ListKind = 36 // Major: end lt; Minor: trace id
	ActionFeed       ListKind = 37 // Major: end lt of the trace; Minor: trace id, end lt, action id
)

// FeedMinor is the length of Minor in cursors of a feed, in bytes; 0 for other lists.
func FeedMinor(n ListKind) int {
	switch n {
	case BlockFeed:
		return blockMinor
	case TransactionFeed, MessageFeed, AccountStateFeed:
		return AddressSize
	case TraceFeed:
		return len(Hash{})
	case ActionFeed:
		return 2*len(Hash{}) + 8
	default:
		return 0
	}
}

const blockMinor = 16

// EventCursor is the block's position in the feed of blocks.
func (b *Block) EventCursor() Cursor {
	return Cursor{ListKind: BlockFeed, McSeqno: b.McSeqno, Minor: b.Cursor().Minor}
}

// EventCursor is the transaction's position in the feed of transactions.
func (t *Transaction) EventCursor() Cursor {
	return Cursor{ListKind: TransactionFeed, McSeqno: t.McSeqno, Major: t.LT, Minor: string(t.Account.Bytes())}
}

// EventCursor is the trace's position in the feed of complete traces.
func (t *Trace) EventCursor() Cursor {
	return Cursor{ListKind: TraceFeed, McSeqno: t.McSeqnoEnd, Major: t.EndLT, Minor: string(t.ID[:])}
}

// EventCursor is the action's position in the feed of actions.
func (a *Action) EventCursor() Cursor {
	minor := binary.BigEndian.AppendUint64(slices.Clone(a.TraceID[:]), a.EndLT)
	return Cursor{ListKind: ActionFeed, McSeqno: a.TraceMcSeqnoEnd, Major: a.TraceEndLT, Minor: string(append(minor, a.ID[:]...))}
}

// BlockEventWhere selects events of blocks; nil fields do not restrict.
type BlockEventWhere struct {
	Workchain  *int32
	Shard      *Shard
	KeyBlock   *bool
	StartUtime *uint32 // on GenUtime, inclusive
	EndUtime   *uint32
}

// EventRange restricts events to a range of times and LTs, both ends included; nil fields do not restrict.
type EventRange struct {
	StartUtime *uint32
	EndUtime   *uint32
	StartLT    *uint64
	EndLT      *uint64
}

// Holds reports whether a time and an LT are in the range. What has none, as external-in messages, is in no range that restricts it.
func (r *EventRange) Holds(utime *uint32, lt *uint64) bool {
	return between(utime, r.StartUtime, r.EndUtime) && between(lt, r.StartLT, r.EndLT)
}

func between[T cmp.Ordered](v, least, most *T) bool {
	if least == nil && most == nil {
		return true
	}
	return v != nil && (least == nil || *v >= *least) && (most == nil || *v <= *most)
}

// TransactionEventWhere selects events of transactions; nil and empty fields do not restrict.
type TransactionEventWhere struct {
	Accounts        []Address
	ExcludeAccounts []Address

	EventRange // of the transaction
	TransactionMatch
}

// MessageEventWhere selects events of messages; nil and empty fields do not restrict.
type MessageEventWhere struct {
	Accounts     []Address // source or destination
	Sources      []Address
	Destinations []Address
	BodyHash     *Hash
	Opcode       *uint32
	Kind         *MessageKind

	EventRange // of the creation; external-in messages have none
	MessageMatch
}

// TraceEventWhere selects events of traces; nil and empty fields do not restrict.
type TraceEventWhere struct {
	Accounts []Address // with a transaction in the trace

	EventRange // of the end
}

// ActionEventWhere selects events of actions; nil and empty fields do not restrict.
type ActionEventWhere struct {
	Accounts     []Address // that take part
	Types        []string
	ExcludeTypes []string
	Supported    []string // as in [ActionFilter], not expanded

	EventRange // of the end of the trace
	ActionMatch
}
