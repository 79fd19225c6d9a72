package feed

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/loaders"
)

// TraceUpdate is the change of one pending trace since it was published last: its finality, transactions that are in no block,
// actions that are not final, and those of them that were invalidated. Indexed rows are published with their blocks.
type TraceUpdate struct {
	message *watched
	asOf    uint32 // the newest masterchain block at the time of the update
	over    bool   // no further update follows
	loaders *loaders.Set
	index   *store.Reader
	all     *atomic.Int64

	traces       []chain.Trace
	parties      map[chain.Hash][]chain.Address
	transactions []chain.Transaction
	received     map[chain.MessageKey]*chain.Message
	actions      []chain.Action

	mu      sync.Mutex
	batches map[uint32]*Batch
}

func (n *TraceUpdate) empty() bool { return len(n.traces)+len(n.transactions)+len(n.actions) == 0 }

// at returns the update as a batch for streams that have published everything up to a masterchain block: the cursors are the
// end of that block, so that a stream that resumes from one neither misses nor repeats an event of the blocks.
func (n *TraceUpdate) at(mcSeqno uint32) *Batch {
	n.mu.Lock()
	defer n.mu.Unlock()
	if b := n.batches[mcSeqno]; b != nil {
		return b
	}
	b := newBatch(n.index, chain.SeqnoRange{First: mcSeqno, Last: mcSeqno}, n.all)
	b.Loaders = n.loaders
	b.blocks.set(&List[chain.Block]{})
	b.messages.set(&List[Message]{})
	b.states.set(&List[State]{})
	b.received.set(n.received)
	b.parties.set(n.parties)
	b.traces.set(updateList(b, n.traces, chain.TraceFeed))
	b.transactions.set(updateList(b, n.transactions, chain.TransactionFeed))
	b.actions.set(updateList(b, n.actions, chain.ActionFeed))
	if n.batches == nil {
		n.batches = map[uint32]*Batch{}
	}
	n.batches[mcSeqno] = b
	return b
}

// updateList returns a list of rows whose events all have the cursor of the end of the batch's block.
func updateList[T any](b *Batch, rows []T, feed chain.ListKind) *List[T] {
	end := chain.Cursor{ListKind: feed, McSeqno: b.Within.Last, Major: math.MaxUint64, Minor: strings.Repeat("\xff", chain.FeedMinor(feed))}
	l := &List[T]{Rows: rows, events: make([]*Event, len(rows))}
	for i := range rows {
		l.events[i] = &Event{Cursor: end, Node: &rows[i], Batch: b}
	}
	return l
}

// forget releases the memory of shared responses.
func (n *TraceUpdate) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, b := range n.batches {
		b.remembered.forget()
	}
}
