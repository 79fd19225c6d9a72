package devnet

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/internal/devnet/ledger"
)

// begin mines the first block of a new chain, because there is nothing to serve before
// it, and switches the consensus of a stored one. A driven scenario sends the batch after the newest block again, because waiting
// messages do not survive the process.
func (d *Devnet) begin(ctx context.Context) error {
	d.advancing.Lock()
	defer d.advancing.Unlock()
	if d.Chain.Head() == nil {
		if _, err := d.mine(ctx); err != nil {
			return err
		}
	} else if d.opts.Consensus != "" {
		if err := d.SetConsensus(ctx, d.opts.Consensus); err != nil {
			return fmt.Errorf("devnet: %w", err)
		}
	}
	return d.stepScenario(ctx)
}

// Run makes blocks and traffic until ctx ends, which is no error.
func (d *Devnet) Run(ctx context.Context) error {
	if d.opts.driven() {
		return d.runDriven(ctx)
	}
	g, ctx := errgroup.WithContext(ctx)
	miner := ledger.Miner{
		Chain:    d.Chain,
		Interval: d.opts.Interval,
		Instant:  d.opts.Instant,
		Failed:   func(err error) { d.opts.Log.Error("devnet block failed", "err", err) },
	}
	g.Go(func() error { return miner.Run(ctx) })
	if d.Scenario != nil {
		g.Go(func() error { return d.Scenario.Run(ctx) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("devnet: %w", err)
	}
	return nil
}

// runDriven advances at every interval, or only waits for ctx on a network driven by hand.
func (d *Devnet) runDriven(ctx context.Context) error {
	if d.opts.Interval < 0 {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(d.opts.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if _, err := d.Advance(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// Advance makes one masterchain block. On a driven network it then sends a batch of the
// scenario; on others the scenario follows the blocks by itself.
func (d *Devnet) Advance(ctx context.Context) (*ledger.Block, error) {
	d.advancing.Lock()
	defer d.advancing.Unlock()
	b, err := d.mine(ctx)
	if err != nil {
		return nil, err
	}
	return b, d.stepScenario(ctx)
}

func (d *Devnet) mine(ctx context.Context) (*ledger.Block, error) {
	if d.opts.Deterministic {
		d.clock.Add(d.step(d.nextSeqno()))
	}
	b, err := d.Chain.Mine(ctx)
	if err != nil {
		return nil, fmt.Errorf("devnet block: %w", err)
	}
	return b, nil
}

// step returns the seconds by which a deterministic clock advances for a block. The sum up to a block is the time of that
// many steps, so the chain is the same after a restart.
func (d *Devnet) step(seqno uint32) uint32 {
	at := func(n uint32) uint64 { return uint64(n) * uint64(d.opts.ClockStep) / uint64(time.Second) }
	return uint32(at(seqno) - at(seqno-1))
}

// nextSeqno is the seqno of the next masterchain block.
func (d *Devnet) nextSeqno() uint32 {
	if head := d.Chain.Head(); head != nil {
		return head.ID.SeqNo + 1
	}
	return 1
}

func (d *Devnet) stepScenario(ctx context.Context) error {
	if d.Scenario == nil || !d.opts.driven() {
		return nil
	}
	if err := d.Scenario.Step(ctx, d.Chain.Head().ID.SeqNo); err != nil {
		return fmt.Errorf("devnet: %w", err)
	}
	return nil
}
