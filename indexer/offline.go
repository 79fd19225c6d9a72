package indexer

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// VerifyRows checks the rows of masterchain blocks without a network. It builds every block and every account state again from
// the rows and compares their hashes with the root hashes of the blocks and with the hashes that transactions name; it decodes what
// it has built and compares every column that follows from it; and it compares the references between blocks, messages,
// transactions and traces. It also checks all dictionaries and libraries, whatever the range. Up to workers blocks are checked at once (0: as many as there are processors). It writes nothing.
//
// The rows of transactions have columns that do not follow from the chain: the verification, and the rows of mismatches and of
// unverified transactions. They are compared with each other only.
func VerifyRows(ctx context.Context, db *store.Reader, within chain.SeqnoRange, workers int) (Report, error) {
	r := Report{Range: within, Offline: true}
	indexed, err := db.Ranges(ctx)
	if err != nil {
		return r, fmt.Errorf("indexed ranges: %w", err)
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if err := verifyShared(ctx, db, &r); err != nil {
		return r, err
	}
	var present []chain.SeqnoRange
	present, r.Missing = split(within, indexed)
	for _, run := range present {
		if err := verifyRowsOf(ctx, db, run, workers, indexed, &r); err != nil {
			return r, err
		}
	}
	if err := r.unreadable(ctx, 0, "day_ranges", verifyDays(ctx, db, within, &r)); err != nil {
		return r, err
	}
	err = r.unreadable(ctx, 0, "range_digests", verifyDigests(ctx, db, within, &r))
	return r, err
}

// verifyShared checks the rows that blocks share and that name themselves by a hash of their content: dictionaries of raw
// transactions and of actions, and libraries. The report has no masterchain block for them.
func verifyShared(ctx context.Context, db *store.Reader, r *Report) error {
	for _, c := range []struct {
		table   string
		damaged func(context.Context) ([]string, error)
	}{{"dictionaries", db.DamagedDictionaries}, {"action_dictionaries", db.DamagedActionDictionaries}} {
		damaged, err := c.damaged(ctx)
		if err != nil {
			if err = refused(ctx, err); err != nil {
				return fmt.Errorf("%s: %w", c.table, err)
			}
			damaged = []string{"(unreadable)"}
		}
		for _, id := range damaged {
			r.differ(Difference{Table: c.table, Key: id, What: "the id or the number is not that of the content"})
		}
	}
	err := db.EachLibrary(ctx, func(l chain.Library) {
		root, err := rebuild.Exact(l.BOC, decode.SerializeState)
		if err != nil || chain.Hash(root.HashKey()) != l.Hash {
			r.differ(Difference{Table: "libraries", Key: l.Hash.Hex(), What: "the hash is not that of the cells"})
		}
	})
	if err != nil {
		if err = refused(ctx, err); err != nil {
			return fmt.Errorf("libraries: %w", err)
		}
		r.differ(Difference{Table: "libraries", Key: "(unreadable)", What: "cannot be read"})
	}
	return nil
}

// verifyRowsOf checks consecutive masterchain blocks. The parts of the report come in the order of the blocks.
func verifyRowsOf(ctx context.Context, db *store.Reader, run chain.SeqnoRange, workers int, indexed []chain.SeqnoRange, r *Report) error {
	group, ctx := errgroup.WithContext(ctx)
	slots := make(chan chan *Report, workers-1)
	group.Go(func() error {
		defer close(slots)
		for seqno := uint64(run.First); seqno <= uint64(run.Last); seqno++ {
			slot := make(chan *Report, 1)
			if err := send(ctx, slots, slot); err != nil {
				return err
			}
			group.Go(func() error {
				part := &Report{Offline: true}
				err := verifyRows(ctx, db, uint32(seqno), indexed, part)
				if err != nil {
					return fmt.Errorf("masterchain block %d: %w", seqno, err)
				}
				slot <- part
				return nil
			})
		}
		return nil
	})
	group.Go(func() error {
		return inOrder(ctx, slots, func(part *Report) error {
			r.add(part)
			return nil
		})
	})
	return group.Wait()
}

// refused returns nil for an error that a damaged row explains, and the error otherwise.
func refused(ctx context.Context, err error) error {
	if ctx.Err() != nil || chain.KindOf(err) == chain.Unavailable || errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
