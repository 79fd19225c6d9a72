package indexer

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/replay"
	"tonql/internal/chain"
)

// read fetches and decodes one masterchain block.
func (x *Indexer) read(ctx context.Context, seqno uint32) (*decode.Master, error) {
	what := fmt.Sprintf("masterchain block %d", seqno)
	return retry(ctx, x, what, what, func(ctx context.Context) (*decode.Master, error) {
		raw, err := x.src.MasterBlock(ctx, seqno)
		if err != nil {
			return nil, err
		}
		return decode.MasterBlock(ctx, raw)
	})
}

// stream reads masterchain blocks first … last (0: no end) ahead, at most Ahead at once, and returns a channel of slots in
// the order of the blocks. Each slot receives its block once it is read. The goroutines run in group.
func (x *Indexer) stream(ctx context.Context, group *errgroup.Group, first, last uint32) <-chan chan *decode.Master {
	slots := make(chan chan *decode.Master, x.opts.Ahead-1)
	group.Go(func() error {
		defer close(slots)
		for seqno := first; last == 0 || seqno <= last; seqno++ {
			if last == 0 {
				if err := x.await(ctx, seqno); err != nil {
					return err
				}
			}
			slot := make(chan *decode.Master, 1)
			if err := send(ctx, slots, slot); err != nil {
				return err
			}
			group.Go(func() error {
				m, err := x.read(ctx, seqno)
				if err == nil {
					slot <- m
				}
				return err
			})
		}
		return nil
	})
	return slots
}

// await returns once the network has masterchain block seqno.
func (x *Indexer) await(ctx context.Context, seqno uint32) error {
	head, err := retry(ctx, x, "wait", fmt.Sprintf("masterchain block %d", seqno),
		func(ctx context.Context) (chain.BlockIDExt, error) { return x.src.Wait(ctx, seqno) })
	if err == nil {
		x.status.sawHead(head.Seqno)
	}
	return err
}

// runner replays blocks in ascending order. It is for one goroutine.
type runner struct {
	x        *Indexer
	replayer *replay.Replayer
	epochs   map[uint32]bool // key blocks whose configuration this runner has added to a block
}

func (x *Indexer) newRunner() *runner {
	return &runner{x: x, replayer: replay.New(x.net, x.opts.Replay), epochs: map[uint32]bool{}}
}

// replayBlocks replays the blocks of slots and sends them to replayed, which it closes when it returns.
func (x *Indexer) replayBlocks(ctx context.Context, slots <-chan chan *decode.Master, replayed chan<- *decode.Master) error {
	defer close(replayed)
	r := x.newRunner()
	return inOrder(ctx, slots, func(m *decode.Master) error {
		if err := r.run(ctx, m); err != nil {
			return err
		}
		return send(ctx, replayed, m)
	})
}

// run adds the states and the configuration to a decoded block.
func (r *runner) run(ctx context.Context, m *decode.Master) error {
	began := time.Now()
	what := fmt.Sprintf("states of masterchain block %d", m.Block.Seqno)
	stats, err := retry(ctx, r.x, what, what, func(ctx context.Context) (replay.Stats, error) {
		if r.x.opts.Verify == Proof {
			return r.replayer.Prove(ctx, m)
		}
		return r.replayer.Run(ctx, m)
	})
	if err != nil {
		return err
	}
	if err := r.configure(ctx, m); err != nil {
		return err
	}
	r.x.metrics.replaying.Observe(time.Since(began).Seconds())
	r.x.metrics.replay(stats)
	r.x.logReplay(m, stats)
	return nil
}

// configure adds the configuration that was in force to the first block of each key block epoch, so that an index that
// starts between two key blocks has it as well. It leaves out a configuration that the network no longer has.
func (r *runner) configure(ctx context.Context, m *decode.Master) error {
	if m.Config != nil {
		r.epochs[m.Config.McSeqno] = true
		return nil
	}
	epoch := m.Block.PrevKeyBlockSeqno
	if r.epochs[epoch] {
		return nil
	}
	config, err := retry(ctx, r.x, "config", fmt.Sprintf("configuration of key block %d", epoch),
		func(ctx context.Context) (*chain.Config, error) {
			root, err := r.x.net.ConfigOf(ctx, epoch)
			if err != nil && chain.KindOf(err) == chain.NotFound {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			return decode.NewConfig(epoch, root), nil
		})
	if err != nil {
		return err
	}
	m.Config, r.epochs[epoch] = config, true
	return nil
}

// logReplay logs the transactions that did not replay. Every mismatch has a line, because it is an error of this program
// or of the network. Lines for transactions over budget are limited, because anybody can send such transactions.
// Transactions that were not executed are counted by reason.
func (x *Indexer) logReplay(m *decode.Master, stats replay.Stats) {
	for i := range m.Mismatches {
		mm := &m.Mismatches[i]
		x.opts.Logger.Error("transaction replay mismatch", "account", mm.Account.String(), "lt", mm.LT,
			"hash", mm.Hash.String(), "mc_seqno", mm.McSeqno, "reason", mm.Reason)
	}
	for i := range m.Unverified {
		u := &m.Unverified[i]
		skipped, ok := x.overruns.Take()
		if !ok {
			continue
		}
		x.opts.Logger.Warn("transaction replay over budget", "account", u.Account.String(), "lt", u.LT, "hash", u.Hash.String(),
			"mc_seqno", u.McSeqno, "reason", u.Reason, "limit", u.Limit, "lines_skipped", skipped)
	}
	if x.opts.Verify == Proof {
		return
	}
	for rule, n := range stats.OldRules {
		x.opts.Logger.Warn("transactions made by old rules", "mc_seqno", m.Block.Seqno, "count", n, "rule", rule)
	}
	for reason, n := range stats.Proven {
		x.opts.Logger.Warn("transactions not executed", "mc_seqno", m.Block.Seqno, "count", n, "reason", reason)
	}
}
