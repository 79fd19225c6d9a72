package indexer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/loglimit"
	"tonql/internal/store"
	"tonql/internal/store/locks"
)

// Indexer fills one database from one network. Its methods are safe for concurrent use, but only one Run at a time.
type Indexer struct {
	src     chain.Source
	db      *store.DB
	opts    Options
	net     *replay.Network
	metrics *metrics
	status  *tracker
	// digestPause is digestPause; tests replace it.
	digestPause time.Duration
	// reviewBytes is latestBytes; tests replace it.
	reviewBytes int

	overruns *loglimit.Limiter // of transactions over budget
	failures *loglimit.Limiter // of batches that fail
	failing  failingBatches

	// minSweep is minSweep; tests replace it.
	minSweep uint64

	first atomic.Uint32 // lowest masterchain seqno to retain, as last determined
	sizes blockSizes

	detector *detect.Detector // of the current Run; nil when detection is off
}

// New returns an Indexer. It does nothing before Run.
func New(src chain.Source, db *store.DB, opts Options) *Indexer {
	opts = opts.withDefaults()
	db.Writer().SetClassifier(trace.Classifier{Failed: func(id chain.Hash, err error) {
		opts.Logger.Warn("trace classification failed", "trace", id.String(), "err", err)
	}})
	x := &Indexer{
		src: src, db: db, opts: opts,
		net:     replay.NewNetwork(src),
		metrics: newMetrics(),
		status:  newTracker(),

		digestPause: digestPause, reviewBytes: latestBytes, minSweep: minSweep,

		sizes: blockSizes{},

		overruns: loglimit.New(20, time.Minute),
		failures: loglimit.New(20, time.Minute),
		failing:  failingBatches{batches: map[uint32]*failingBatch{}},
	}
	if opts.Registerer != nil {
		if err := opts.Registerer.Register(x.metrics); err != nil {
			opts.Logger.Warn("registration of indexer metrics failed", "err", err)
		}
	}
	return x
}

// Status returns what the indexer is doing now.
func (x *Indexer) Status() Status { return x.status.snapshot() }

// Run indexes until ctx ends, and only then returns. It reports failures through [Indexer.Status] and the log, and continues.
func (x *Indexer) Run(ctx context.Context) error {
	return x.sessions(ctx, func(ctx context.Context) (bool, error) { return false, x.session(ctx) })
}

// sessions runs sessions until one is done or ctx ends.
func (x *Indexer) sessions(ctx context.Context, session func(context.Context) (done bool, err error)) error {
	defer x.status.enter(Stopped)
	if x.opts.Detect == Detect {
		x.detector = detect.New(x.src, x.net, x.opts.Contracts)
		defer x.detector.Close()
	}
	// The progress is also reported between sessions, so that the lag grows while the database is lost.
	reporting, stop := context.WithCancel(ctx)
	var report sync.WaitGroup
	report.Go(func() { x.report(reporting) })
	defer report.Wait()
	defer stop()
	pause := newPause()
	for {
		before := x.status.written()
		done, err := session(ctx)
		if done || ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, errSweepDue) {
			continue
		}
		if x.status.written() > before {
			pause.Reset() // this failure is a new one
		}
		wait := pause.NextBackOff()
		x.status.trouble("session", chain.PublicMessage(err))
		x.opts.Logger.Warn("indexing interrupted, retrying", "err", err, "pause", wait.Round(time.Millisecond))
		if !ctxtime.Sleep(ctx, wait) {
			return nil
		}
	}
}

// session takes the lock, follows the head and fills gaps until the database or the lock is lost.
func (x *Indexer) session(ctx context.Context) error {
	x.status.enter(Starting)
	lock, err := x.db.Writer().Lock(ctx, func() {
		x.status.trouble("session", "")
		x.status.enter(Standby)
		x.opts.Logger.Info("another process indexes into this database, waiting as a standby")
	})
	if err != nil {
		return fmt.Errorf("lock of the indexer: %w", err)
	}
	defer lock.Release()

	x.status.enter(Starting)
	head, indexed, err := x.begin(ctx)
	if err != nil {
		return err
	}
	first, err := x.firstRetained(ctx)
	if err != nil {
		return err
	}
	unclaimed, err := x.checkCold(ctx)
	if err != nil {
		return err
	}
	sweep := x.beginSweep(ctx)
	p := newPlan(max(x.opts.From.floor(head.Seqno, indexed), first), head.Seqno, indexed)
	p.first = first
	newest, err := x.newestIndexed(ctx, indexed)
	if err != nil {
		return err
	}
	x.status.start(head.Seqno, newest, p)
	x.opts.Logger.Info("indexing", "head", head.Seqno, "from", p.floor, "follow_from", p.follow, "missing", blocksIn(p.gaps()),
		"verify", x.opts.Verify.String())

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return x.guard(ctx, lock) })
	group.Go(func() error { return x.follow(ctx, p.follow) })
	group.Go(func() error { return x.refill(ctx, lock, p) })
	group.Go(func() error { return x.moveRows(ctx) })
	group.Go(func() error { return x.retain(ctx, sweep) })
	group.Go(func() error { return x.digests(ctx) })
	group.Go(func() error { return x.days(ctx) })
	group.Go(func() error { return x.claims(ctx, unclaimed, claimInterval) })
	group.Go(func() error { return x.tokens(ctx) })
	x.status.enter(Following)
	return group.Wait()
}

// begin returns the head of the network and the ranges that are indexed of it.
func (x *Indexer) begin(ctx context.Context) (head chain.BlockIDExt, indexed []chain.SeqnoRange, err error) {
	x.status.trouble("session", "")
	head, err = retry(ctx, x, "head", "head of the network", x.src.Head)
	if err != nil {
		return head, nil, err
	}
	indexed, err = x.db.Reader().Ranges(ctx)
	if err != nil {
		return head, nil, fmt.Errorf("indexed ranges: %w", err)
	}
	return head, indexed, x.sameNetwork(ctx, head, indexed)
}

// newestIndexed reads the newest masterchain block of the index; the zero block when it has none.
func (x *Indexer) newestIndexed(ctx context.Context, indexed []chain.SeqnoRange) (chain.Block, error) {
	if len(indexed) == 0 {
		return chain.Block{}, nil
	}
	seqno := indexed[len(indexed)-1].Last
	block, err := x.db.Reader().Block(ctx, chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno})
	if err == nil && block == nil {
		err = chain.NotFoundf("masterchain block %d has no row", seqno)
	}
	if err != nil {
		return chain.Block{}, fmt.Errorf("newest indexed block: %w", err)
	}
	return *block, nil
}

// sameNetwork checks that the newest block that the index and the network share has the same root hash. It refuses an
// index of another network.
func (x *Indexer) sameNetwork(ctx context.Context, head chain.BlockIDExt, indexed []chain.SeqnoRange) error {
	var seqno uint32
	for _, r := range indexed {
		if r.First <= head.Seqno {
			seqno = min(r.Last, head.Seqno)
		}
	}
	if seqno == 0 {
		return nil
	}
	rows, err := x.db.Reader().BlocksByID(ctx, []chain.BlockID{
		{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: seqno},
	})
	if err != nil || len(rows) == 0 {
		return err
	}
	id, err := retry(ctx, x, "network", fmt.Sprintf("id of masterchain block %d", seqno),
		func(ctx context.Context) (chain.BlockIDExt, error) { return x.src.MasterBlockID(ctx, seqno) })
	if err != nil {
		return err
	}
	if id.RootHash != rows[0].RootHash {
		return chain.Invalidf("the database is the index of another network: masterchain block %d is %s in the database and %s on this network",
			seqno, rows[0].RootHash.Hex(), id.RootHash.Hex())
	}
	return nil
}

// guard ends the session when the connection that holds the lock is lost, because another process may have taken the lock.
func (x *Indexer) guard(ctx context.Context, lock *locks.Lock) error {
	for ctxtime.Sleep(ctx, lockCheck) {
		if err := lock.Check(ctx); err != nil {
			return fmt.Errorf("lock of the indexer: %w", err)
		}
	}
	return ctx.Err()
}

const lockCheck = 2 * time.Second
