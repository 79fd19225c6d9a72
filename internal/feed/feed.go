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
	"tonql/internal/pending"
	"tonql/internal/store"
)

// Options configure a [Feed]; the zero value of each field means its default.
type Options struct {
	// Listen calls hint with the masterchain seqno of each commit until ctx ends, and lost with each failure; see
	// [store.DB.Listen]. Nil: the feed only polls the indexed ranges.
	Listen func(ctx context.Context, hint func(mcSeqno uint32), lost func(error))
	// Poll is the interval at which the indexed ranges are read without a hint; default 1 s.
	Poll time.Duration
	// GapTimeout is how long a stream waits for missing masterchain blocks while later ones are indexed; default 30 s. Then
	// the stream ends with an error that names the blocks.
	GapTimeout time.Duration
	// MaxBehind is the maximum number of masterchain blocks before the head at which a stream may start; default 100,000.
	MaxBehind uint32
	// Pending emulates pending traces; nil: streams have events of blocks only.
	Pending *pending.Tracker
	Logger  *slog.Logger
}

const (
	defaultPoll       = time.Second
	defaultGapTimeout = 30 * time.Second
	defaultMaxBehind  = 100_000

	// maxBatches is the number of cached batches: those that streams near the head need, and those of a few streams that
	// catch up together.
	maxBatches = 64
	// minInterval is the minimum time between two reads of the indexed ranges.
	minInterval = 5 * time.Millisecond
)

// Feed follows the indexed ranges of one database. Safe for concurrent use.
type Feed struct {
	index *store.Reader
	opts  Options
	hints chan uint32 // the newest hint; one slot

	mu     sync.Mutex
	ranges []chain.SeqnoRange // indexed ranges, as last read
	read   bool               // ranges has been read
	moved  chan struct{}      // closed when ranges changes

	batches     *lru.Cache[chain.SeqnoRange, *Batch]
	cachedBytes atomic.Int64 // of the responses that batches cache

	streams atomic.Int64 // open ones

	watch *watch // nil without a tracker of pending traces
}

// New returns a feed over an index. It has no events until Run is called.
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
	batches, err := lru.NewWithEvict(maxBatches, func(_ chain.SeqnoRange, b *Batch) { b.cache.release() })
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	f := &Feed{index: index, opts: o, hints: make(chan uint32, 1), moved: make(chan struct{}), batches: batches}
	if o.Pending != nil {
		f.watch = newWatch(f)
	}
	return f
}

// Streams returns the number of open streams: the subscriptions of clients.
func (f *Feed) Streams() int { return int(f.streams.Load()) }

// EmulatesPending reports whether streams can include pending traces.
func (f *Feed) EmulatesPending() bool { return f.watch != nil }

// MaxBehind returns the maximum number of masterchain blocks before the head at which a stream may start.
func (f *Feed) MaxBehind() uint32 { return f.opts.MaxBehind }

// Run watches the indexed ranges until ctx ends; then it returns nil.
func (f *Feed) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	if f.opts.Listen != nil {
		wg.Go(func() { f.listen(ctx) })
	}
	if f.watch != nil {
		wg.Go(func() { f.watch.run(ctx) })
	}
	var wanted uint32 // newest hint, which a replica may not have yet
	for {
		head, err := f.refresh(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			f.opts.Logger.Warn("reading indexed ranges failed, live events are delayed", "err", err)
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
		if !ctxtime.Sleep(ctx, minInterval) {
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

// hint passes a hint to Run. It replaces an older hint that Run has not received yet, unless that one is higher.
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

// refresh reads the indexed ranges, wakes all streams if they have changed, and returns the highest seqno; 0 for an empty
// index.
func (f *Feed) refresh(ctx context.Context) (head uint32, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	ranges, err := f.index.Ranges(ctx)
	if err != nil {
		return 0, err //nolint:wrapcheck // the store names the query
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

// batch returns the batch of a range of masterchain blocks, which all streams share.
func (f *Feed) batch(within chain.SeqnoRange) *Batch {
	if b, ok := f.batches.Get(within); ok {
		return b
	}
	f.makeRoom()
	b := newBatch(f.index, within, &f.cachedBytes)
	if other, found, _ := f.batches.PeekOrAdd(within, b); found {
		return other
	}
	return b
}

// makeRoom evicts the least recently used batches if cached responses use much memory, because the responses to the next
// batch are more useful.
func (f *Feed) makeRoom() {
	for f.cachedBytes.Load() > maxFeedBytes-maxBatchBytes && f.batches.Len() > 1 {
		f.batches.RemoveOldest()
	}
}
