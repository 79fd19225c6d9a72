package indexer

import (
	"maps"
	"slices"
	"sync"
	"time"

	"tonql/internal/chain"
)

// State is the state of the indexer; see the diagram in the package comment.
type State uint8

// The states.
const (
	Stopped State = iota
	Standby
	Starting
	Following
	Filling
)

// String returns the lower-case name of the state.
func (s State) String() string {
	return [...]string{"stopped", "standby", "starting", "following", "filling"}[min(s, Filling)]
}

// Status describes what the indexer is doing, for /readyz and the log.
type Status struct {
	State        State
	Head         uint32             // newest masterchain block of the network; 0 at first
	Indexed      uint32             // newest masterchain block written; 0 when none is
	IndexedAt    time.Time          // time of that block
	LagBlocks    uint32             // Head - Indexed; 0 while only a range is filled, and in a standby
	LagSeconds   float64            // age of the newest written block, also at the head; 0 where LagBlocks always is
	Gaps         []chain.SeqnoRange // missing ranges to index, ascending
	Remaining    uint32             // masterchain blocks in Gaps
	Blocks       uint64             // masterchain blocks written by this process
	Transactions uint64             // written by this process
	Rows         uint64             // of blocks, transactions, messages and account states written by this process
	Rate         float64            // transactions written per second, smoothed over some seconds
	Mismatches   uint64             // transactions replayed by this process with another result
	Unverified   uint64             // transactions whose replay by this process exceeded the budget
	Trouble      []string           // one sentence for each thing that the indexer waits for; empty when it works
}

// liveLag is the number of blocks that an indexer which follows the head can be behind at a moment.
const liveLag = 10

// Live reports whether nothing is missing up to the head, and nothing is waited for.
func (s *Status) Live() bool {
	return s.Remaining == 0 && s.LagBlocks <= liveLag && len(s.Trouble) == 0
}

// tracker collects Status from the goroutines of a session.
type tracker struct {
	mu       sync.Mutex
	state    State
	head     uint32
	newest   chain.Block
	gaps     []chain.SeqnoRange
	blocks   uint64
	txs      uint64
	rows     uint64
	mismatch uint64
	overrun  uint64
	troubles map[string]string
	rate     float64
}

func newTracker() *tracker { return &tracker{troubles: map[string]string{}} }

func (t *tracker) enter(s State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state = s
}

// trouble records under a key why something waits; an empty sentence removes it. Sentences are public.
func (t *tracker) trouble(key, sentence string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if sentence == "" {
		delete(t.troubles, key)
		return
	}
	t.troubles[key] = sentence
}

func (t *tracker) start(head uint32, newest chain.Block, p *plan) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = max(t.head, head)
	if newest.Seqno > t.newest.Seqno {
		t.newest = newest
	}
	t.gaps = p.gaps()
}

// startFill begins the status of a process that only fills gaps.
func (t *tracker) startFill(head uint32, gaps []chain.SeqnoRange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = max(t.head, head)
	t.gaps = gaps
}

func (t *tracker) sawHead(seqno uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = max(t.head, seqno)
}

func (t *tracker) setGaps(gaps []chain.SeqnoRange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gaps = gaps
}

// wrote counts committed blocks.
func (t *tracker) wrote(blocks []*chain.MasterBlock) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range blocks {
		if m.Block.Seqno >= t.newest.Seqno {
			t.newest = m.Block
		}
		t.blocks++
		t.txs += uint64(len(m.Transactions))
		t.rows += uint64(1 + len(m.ShardBlocks) + len(m.Transactions) + len(m.Messages) + len(m.States))
		t.mismatch += uint64(len(m.Mismatches))
		t.overrun += uint64(len(m.Unverified))
	}
}

// written returns the number of masterchain blocks that this process has committed.
func (t *tracker) written() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.blocks
}

func (t *tracker) setRate(perSecond float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rate = perSecond
}

func (t *tracker) snapshot() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Status{
		State: t.state, Head: t.head, Indexed: t.newest.Seqno, Gaps: slices.Clone(t.gaps),
		Blocks: t.blocks, Transactions: t.txs, Rows: t.rows, Rate: t.rate, Mismatches: t.mismatch, Unverified: t.overrun,
		Trouble: slices.Sorted(maps.Values(t.troubles)),
	}
	follows := s.State == Following || s.Indexed > 0 && s.State != Filling && s.State != Standby
	if s.Head > s.Indexed && follows {
		s.LagBlocks = s.Head - s.Indexed
	}
	if t.newest.GenUtime > 0 {
		s.IndexedAt = time.Unix(int64(t.newest.GenUtime), 0).UTC()
		// Liteservers that are behind return an old head: the age shows it, the number of blocks does not.
		if follows {
			s.LagSeconds = max(0, time.Since(s.IndexedAt).Seconds())
		}
	}
	for _, g := range s.Gaps {
		s.Remaining += g.Len()
	}
	return s
}
