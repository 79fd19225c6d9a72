package indexer

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
)

// Completion is the progress of [Indexer.Complete].
type Completion struct {
	McSeqno uint32 // the last masterchain block done; a run may continue after it
	Blocks  int64  // that got a frame, masterchain and shards
	States  int64  // account states that got a rest
}

// Complete adds to blocks that earlier versions indexed what building them from their rows requires: frames, and the rest of account
// states. It reads these blocks from the network again, and executes them, or proves their states, as Options.Verify says. States that
// the network no longer has stay as they are. An indexer and gateways can run at the same time: it writes one database transaction for
// each masterchain block, and calls progress after each of them.
func (x *Indexer) Complete(ctx context.Context, within chain.SeqnoRange, progress func(Completion)) (Completion, error) {
	var done Completion
	for first := uint64(within.First); first <= uint64(within.Last); first += store.MaxIncomplete {
		seqnos, err := x.db.Reader().Incomplete(ctx, chain.SeqnoRange{First: uint32(first), Last: within.Last})
		if err != nil {
			return done, err
		}
		for _, run := range consecutive(seqnos) {
			err := x.completeRun(ctx, run, &done, progress)
			for errors.Is(err, cellsweep.ErrSwept) {
				run.First = max(run.First, done.McSeqno+1)
				err = x.completeRun(ctx, run, &done, progress)
			}
			if err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// consecutive groups ascending seqnos into ranges.
func consecutive(seqnos []uint32) (runs []chain.SeqnoRange) {
	for _, n := range seqnos {
		if last := len(runs) - 1; last >= 0 && runs[last].Last+1 == n {
			runs[last].Last = n
			continue
		}
		runs = append(runs, chain.SeqnoRange{First: n, Last: n})
	}
	return runs
}

// completeRun completes consecutive masterchain blocks, which it reads ahead as indexing does. No other run of this process may write.
func (x *Indexer) completeRun(ctx context.Context, run chain.SeqnoRange, done *Completion, progress func(Completion)) error {
	x.db.Writer().RenewCells()
	group, ctx := errgroup.WithContext(ctx)
	slots := x.stream(ctx, group, run.First, run.Last)
	runner := x.newRunner()
	group.Go(func() error {
		return inOrder(ctx, slots, func(m *decode.Master) error {
			if err := runner.run(ctx, m); err != nil {
				return err
			}
			frames, states, err := x.db.Writer().ApplyComplete(ctx, m.MasterBlock)
			if err != nil {
				return fmt.Errorf("masterchain block %d: %w", m.Block.Seqno, err)
			}
			done.McSeqno, done.Blocks, done.States = m.Block.Seqno, done.Blocks+frames, done.States+states
			progress(*done)
			return nil
		})
	})
	return group.Wait()
}
