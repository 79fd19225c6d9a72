package feed

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store"
)

// Options configure a [Feed]; the zero value of each field means its default.
type Options struct {
	// Listen calls hint with the masterchain seqno of each commit until ctx ends, and lost with each failure; see
	// [store.DB.Listen]. Nil: the feed only polls the indexed ranges.
	Listen func(ctx context.Context, hint func(mcSeqno uint32), lost func(error))
	// Poll is how often the ledger is looked at without a hint; default 1 s.
	Poll time.Duration
	// GapTimeout is how long a stream waits for masterchain blocks that are missing while later ones are there; default
	// 30 s. Then it ends with an error that says so.
	GapTimeout time.Duration
	// MaxBehind is how many masterchain blocks a stream may begin before the head; default 100,000.
	MaxBehind uint32
	// PendingSource knows what is pending; nil: streams tell only what blocks hold.
	PendingSource PendingSource
	Logger        *slog.Logger
}

const (
	defaultPoll       = time.Second
	defaultPatience   = 30 * time.Second
	defaultMostBehind = 100_000

	// kept is how many batches stay in memory: those that streams near the head need again, and those of a few streams
	// that catch up together.
	kept = 64
	// apart is the least time between two looks at the ledger.
	apart = 5 * time.Millisecond
)

// Feed follows the ledger of one database. Safe for concurrent use.
type Feed struct {
	index *store.Reader
	opts  Options
	hints chan uint32 // the newest hint; one slot

	mu     sync.Mutex
	ledger []chain.SeqnoRange // as last read
	read   bool               // the ledger has been read
	moved  chan struct{}      // closed when the ledger has changed

	batches    *lru.Cache[chain.SeqnoRange, *Batch]
	remembered atomic.Int64 // bytes of answers that batches keep

	watch *watch // nil without foresight
}

// New makes a feed over an index. It stands still until Run is called.
func New(index *store.Reader, o Options) *Feed {
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.GapTimeout <= 0 {
		o.GapTimeout = defaultPatience
	}
	if o.MaxBehind == 0 {
		o.MaxBehind = defaultMostBehind
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	batches, err := lru.NewWithEvict(kept, func(_ chain.SeqnoRange, b *Batch) { b.remembered.forget() })
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	f := &Feed{index: index, opts: o, hints: make(chan uint32, 1), moved: make(chan struct{}), batches: batches}
	if o.PendingSource != nil {
		f.watch = newWatch(f)
	}
	return f
}

// MaxBehind is how many masterchain blocks a stream may begin before the head.
func (f *Feed) MaxBehind() uint32 { return f.opts.MaxBehind }

// Run watches the ledger until ctx ends, which is no error.
func (f *Feed) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	if f.opts.Listen != nil {
		wg.Go(func() { f.listen(ctx) })
	}
	if f.watch != nil {
		wg.Go(func() { f.watch.run(ctx) })
	}
	var wanted uint32 // a hint that the reading database does not show yet: a replica lags behind
	for {
		head, err := f.look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			f.opts.Logger.Warn("the ledger cannot be read; live events wait", "err", err)
		}
		pause := f.opts.Poll
		if head < wanted {
			pause = min(pause, 20*time.Millisecond)
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case seqno := <-f.hints:
			wanted = max(wanted, seqno)
		case <-timer.C:
			if head >= wanted {
				wanted = 0
			}
		}
		timer.Stop()
		if !ctxtime.Sleep(ctx, apart) {
			return nil
		}
	}
}

// listen receives the indexer's notifications until ctx ends.
func (f *Feed) listen(ctx context.Context) {
	f.opts.Listen(ctx, f.hint, func(err error) {
		f.opts.Logger.Warn("LISTEN failed, polling indexed ranges", "err", err)
	})
}

// hint leaves word that there is something new. A later hint replaces one that nobody has seen, unless it is lower.
func (f *Feed) hint(seqno uint32) {
	for {
		select {
		case f.hints <- seqno:
			return
		case older := <-f.hints:
			seqno = max(seqno, older)
		}
	}
}

// look reads the ledger, tells everybody when it has changed, and gives the highest seqno.
func (f *Feed) look(ctx context.Context) (head uint32, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	ledger, err := f.index.Ranges(ctx)
	if err != nil {
		return 0, err //nolint:wrapcheck // the store has named what was asked
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.read || !slices.Equal(ledger, f.ledger) {
		f.ledger, f.read = ledger, true
		close(f.moved)
		f.moved = make(chan struct{})
	}
	if n := len(ledger); n > 0 {
		head = ledger[n-1].Last
	}
	return head, nil
}

// now is the ledger, whether it has been read at all, and what is closed when it changes.
func (f *Feed) now() (ledger []chain.SeqnoRange, read bool, moved <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ledger, f.read, f.moved
}

// batch gives what a run of masterchain blocks holds, the same to everybody.
func (f *Feed) batch(within chain.SeqnoRange) *Batch {
	if b, ok := f.batches.Get(within); ok {
		return b
	}
	f.makeRoom()
	b := newBatch(f.index, within, &f.remembered)
	if other, found, _ := f.batches.PeekOrAdd(within, b); found {
		return other
	}
	return b
}

// makeRoom lets the batches go that were not needed for longest, when answers to them take much memory: those that are
// needed next are worth more.
func (f *Feed) makeRoom() {
	for f.remembered.Load() > maxAnswersOfFeed-maxAnswers && f.batches.Len() > 1 {
		f.batches.RemoveOldest()
	}
}
