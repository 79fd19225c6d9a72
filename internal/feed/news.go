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

// TraceUpdate is what has become known of one trace since it was told last: its own finality, transactions that no block holds,
// actions that are not final, and what of these came to nothing. What blocks bring is told by the blocks.
type TraceUpdate struct {
	message *watched
	asOf    uint32 // the newest masterchain block when it was known
	over    bool   // nothing follows but what blocks tell
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

// at gives the news as a batch for streams that have told everything up to a masterchain block: their cursors are the end
// of that block, so that who goes on from one misses nothing of the blocks and hears nothing of them twice.
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
	b.traces.set(newsOf(b, n.traces, chain.TraceFeed))
	b.transactions.set(newsOf(b, n.transactions, chain.TransactionFeed))
	b.actions.set(newsOf(b, n.actions, chain.ActionFeed))
	if n.batches == nil {
		n.batches = map[uint32]*Batch{}
	}
	n.batches[mcSeqno] = b
	return b
}

// newsOf is a list of rows whose events all stand at the end of the batch's block.
func newsOf[T any](b *Batch, rows []T, feed chain.ListKind) *List[T] {
	end := chain.Cursor{ListKind: feed, McSeqno: b.Within.Last, Major: math.MaxUint64, Minor: strings.Repeat("\xff", chain.FeedMinor(feed))}
	l := &List[T]{Rows: rows, events: make([]*Event, len(rows))}
	for i := range rows {
		l.events[i] = &Event{Cursor: end, Node: &rows[i], Batch: b}
	}
	return l
}

// forget gives back the memory for answers.
func (n *TraceUpdate) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, b := range n.batches {
		b.remembered.forget()
	}
}
