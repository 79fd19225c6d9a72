package feed

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// TraceUpdate is what has changed of one pending trace since the last update: its finality, pending and invalidated
// transactions, and actions that are not final. Finalized rows are events of their blocks.
type TraceUpdate struct {
	message  *watched
	asOf     uint32 // newest masterchain block at the time of the update
	last     bool   // no further update follows; only blocks do
	now      *chain.FullTrace
	emulated []*chain.FullTrace
	bytes    int // of emulated
	index    *store.Reader
	all      *atomic.Int64

	traces       []chain.Trace
	parties      map[chain.Hash][]chain.Address
	transactions []chain.Transaction
	received     map[chain.MessageKey]*chain.Message
	actions      []chain.Action

	mu       sync.Mutex
	batches  map[uint32]*Batch
	released bool // no response is cached any more
}

func (u *TraceUpdate) empty() bool { return len(u.traces)+len(u.transactions)+len(u.actions) == 0 }

// at returns the update as a batch for streams that have sent everything up to a masterchain block. The cursors of its
// events are the end of that block, so that a stream which resumes from one neither misses nor repeats events of blocks.
func (u *TraceUpdate) at(mcSeqno uint32) *Batch {
	u.mu.Lock()
	defer u.mu.Unlock()
	if b := u.batches[mcSeqno]; b != nil {
		return b
	}
	b := newBatch(u.index, chain.SeqnoRange{First: mcSeqno, Last: mcSeqno}, u.all)
	b.Emulated, b.update = u.emulated, u
	b.blocks.set(&List[chain.Block]{})
	b.messages.set(&List[Message]{})
	b.states.set(&List[State]{})
	b.received.set(u.received)
	b.parties.set(u.parties)
	b.traces.set(listAtEnd(b, u.traces, chain.TraceFeed))
	b.transactions.set(listAtEnd(b, u.transactions, chain.TransactionFeed))
	b.actions.set(listAtEnd(b, u.actions, chain.ActionFeed))
	if u.released {
		b.cache.release()
	}
	if u.batches == nil {
		u.batches = map[uint32]*Batch{}
	}
	u.batches[mcSeqno] = b
	return b
}

// listAtEnd returns a list whose events all have the end of the batch's block as their cursor.
func listAtEnd[T any](b *Batch, rows []T, feed chain.ListKind) *List[T] {
	end := chain.Cursor{ListKind: feed, McSeqno: b.Within.Last, Major: math.MaxUint64, Minor: strings.Repeat("\xff", chain.FeedMinor(feed))}
	l := &List[T]{Rows: rows, events: make([]*Event, len(rows))}
	for i := range rows {
		l.events[i] = &Event{Cursor: end, Node: &rows[i], Batch: b}
	}
	return l
}

// release releases the memory for cached responses.
func (u *TraceUpdate) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.released = true
	for _, b := range u.batches {
		b.cache.release()
	}
}
