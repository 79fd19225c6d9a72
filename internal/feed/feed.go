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
	// Poll is the polling interval without notifications; default 1 s.
	Poll time.Duration
	// GapTimeout is how long a stream waits for missing masterchain blocks while later ones are indexed; default 30 s. Then
	// it ends with an error.
	GapTimeout time.Duration
	// MaxBehind is how many masterchain blocks a stream may begin before the head; default 100,000.
	MaxBehind uint32
	// PendingSource provides pending traces; nil: streams deliver only indexed rows.
	PendingSource PendingSource
	Logger        *slog.Logger
}

const (
	defaultPoll       = time.Second
	defaultGapTimeout = 30 * time.Second
	defaultMaxBehind  = 100_000

	// cachedBatches is the number of cached batches: those that streams near the head use again, and those of a few streams
	// that catch up together.
	cachedBatches = 64
	// apart is the minimum time between two reads of the indexed ranges.
	apart = 5 * time.Millisecond
)

// Feed follows the indexed ranges of one database. Safe for concurrent use.
type Feed struct {
	index *store.Reader
	opts  Options
	hints chan uint32 // the newest hint; one slot

	mu     sync.Mutex
	ranges []chain.SeqnoRange // as last read
	read   bool               // the ranges have been read
	moved  chan struct{}      // closed when the ranges have changed

	batches    *lru.Cache[chain.SeqnoRange, *Batch]
	remembered atomic.Int64 // bytes of shared responses of all batches

	watch *watch // nil without PendingSource
}

// New returns a feed over an index. It does nothing until Run is called.
func New(index *store.Reader, o Options) *Feed {
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.GapTimeout <= 0 {
		o.GapTimeout = defaultGapTimeout
	}
	if o.MaxBehind == 0 {
		o.MaxBehind = defaultMaxBehind
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	batches, err := lru.NewWithEvict(cachedBatches, func(_ chain.SeqnoRange, b *Batch) { b.remembered.forget() })
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

// Run watches the indexed ranges until ctx ends, which is no error.
func (f *Feed) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	if f.opts.Listen != nil {
		wg.Go(func() { f.listen(ctx) })
	}
	if f.watch != nil {
		wg.Go(func() { f.watch.run(ctx) })
	}
	var wanted uint32 // a notified seqno that the reading database does not have yet: a replica lags
	for {
		head, err := f.look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			f.opts.Logger.Warn("indexed ranges cannot be read, live events are delayed", "err", err)
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

// hint notifies Run of a seqno. A later hint replaces an unread one, unless it is lower.
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

// look reads the indexed ranges, wakes all followers when they have changed, and returns the highest seqno.
func (f *Feed) look(ctx context.Context) (head uint32, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	ranges, err := f.index.Ranges(ctx)
	if err != nil {
		return 0, err //nolint:wrapcheck // the store's error names the query
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.read || !slices.Equal(ranges, f.ranges) {
		f.ranges, f.read = ranges, true
		close(f.moved)
		f.moved = make(chan struct{})
	}
	if n := len(ranges); n > 0 {
		head = ranges[n-1].Last
	}
	return head, nil
}

// now returns the indexed ranges, whether they have been read, and a channel that is closed when they change.
func (f *Feed) now() (ranges []chain.SeqnoRange, read bool, moved <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ranges, f.read, f.moved
}

// batch returns the batch of consecutive masterchain blocks, the same one for all streams.
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

// makeRoom evicts the least recently used batches when shared responses take too much memory.
func (f *Feed) makeRoom() {
	for f.remembered.Load() > maxResponsesOfFeed-maxResponses && f.batches.Len() > 1 {
		f.batches.RemoveOldest()
	}
}
