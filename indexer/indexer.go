package indexer

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/detect"
	"tonql/indexer/replay"
	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store"
)

// Indexer fills one database from one network. Its methods are safe for concurrent use; Run runs once at a time.
type Indexer struct {
	src     chain.Source
	db      *store.DB
	opts    Options
	net     *replay.Network
	metrics *metrics
	status  *tracker

	overruns *ration // of log lines about transactions over budget

	detector *detect.Detector // of the current Run; nil when detection is off
}

// New makes an Indexer; nothing happens before Run.
func New(src chain.Source, db *store.DB, opts Options) *Indexer {
	opts = opts.withDefaults()
	db.Writer().SetClassifier(trace.Classifier{Failed: func(id chain.Hash, err error) {
		opts.Logger.Warn("a trace was left unclassified", "trace", id.String(), "err", err)
	}})
	x := &Indexer{
		src: src, db: db, opts: opts,
		net:     replay.NewNetwork(src),
		metrics: newMetrics(),
		status:  newTracker(),

		overruns: &ration{most: 20, period: time.Minute, now: time.Now},
	}
	if opts.Registerer != nil {
		if err := opts.Registerer.Register(x.metrics); err != nil {
			opts.Logger.Warn("the indexer's metrics are not published", "err", err)
		}
	}
	return x
}

// Status is what the indexer is doing right now.
func (x *Indexer) Status() Status { return x.status.snapshot() }

// Run indexes until ctx ends, which is its only way to return. What goes wrong is told by [Indexer.Status] and the log.
func (x *Indexer) Run(ctx context.Context) error {
	defer x.status.enter(Stopped)
	if x.opts.Detect == Detect {
		x.detector = detect.New(x.src, x.net, x.opts.Contracts)
		defer x.detector.Close()
	}
	pause := newPause()
	for {
		before := x.status.written()
		err := x.session(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if x.status.written() > before {
			pause.Reset() // it worked for a while; this is a new misfortune
		}
		wait := pause.NextBackOff()
		x.status.trouble("session", chain.PublicMessage(err))
		x.opts.Logger.Warn("indexing was interrupted", "err", err, "again_in", wait.Round(time.Millisecond))
		if !ctxtime.Sleep(ctx, wait) {
			return nil
		}
	}
}

// session holds the lock, follows the head and fills gaps, until the database or the lock is lost.
func (x *Indexer) session(ctx context.Context) error {
	x.status.enter(Standby)
	lock, err := x.db.Writer().Lock(ctx)
	if err != nil {
		return fmt.Errorf("right to index: %w", err)
	}
	defer lock.Release()

	x.status.enter(Starting)
	x.status.trouble("session", "")
	head, err := retry(ctx, x, "head", "head of the network", x.src.Head)
	if err != nil {
		return err
	}
	ledger, err := x.db.Reader().Ranges(ctx)
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if err := x.sameNetwork(ctx, head, ledger); err != nil {
		return err
	}
	p := newPlan(x.opts.From.floor(head.Seqno, ledger), head.Seqno, ledger)
	x.status.start(head.Seqno, ledger, p)
	x.opts.Logger.Info("indexing", "head", head.Seqno, "from", p.floor, "follow_from", p.follow, "missing", p.missing(),
		"verify", x.opts.Verify.String())

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return x.guard(ctx, lock) })
	group.Go(func() error { return x.follow(ctx, p.follow) })
	group.Go(func() error { return x.refill(ctx, p) })
	group.Go(func() error { return x.report(ctx) })
	x.status.enter(Following)
	return group.Wait()
}

// sameNetwork refuses to add one network's blocks to another's index: the newest block that both have must be the same.
func (x *Indexer) sameNetwork(ctx context.Context, head chain.BlockIDExt, ledger []chain.SeqnoRange) error {
	var seqno uint32
	for _, r := range ledger {
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
		return chain.Invalidf("the database holds another network: its masterchain block %d is %s, this network's is %s",
			seqno, rows[0].RootHash.Hex(), id.RootHash.Hex())
	}
	return nil
}

// guard ends the session when the connection that carries the lock is gone: another process may index by now.
func (x *Indexer) guard(ctx context.Context, lock *store.Lock) error {
	for ctxtime.Sleep(ctx, lockCheck) {
		if err := lock.Check(ctx); err != nil {
			return fmt.Errorf("right to index: %w", err)
		}
	}
	return ctx.Err()
}

const lockCheck = 2 * time.Second
