package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

const (
	selectColdNewest = `SELECT c.step, c.server, c.first, c.last, c.transactions, c.dropped_last, c.dropped_end_lt, c.dropped_gen_utime FROM cold_blocks c ORDER BY c.step DESC LIMIT 1`
	deleteColdStep   = `DELETE FROM cold_blocks WHERE step = $1`
	cutColdRange     = `WITH gone AS (DELETE FROM cold_ranges WHERE first = $1)
		UPDATE cold_ranges SET last = $1::bigint - 1 WHERE first < $1 AND last = $2`
	deleteDropped = `DELETE FROM dropped_blocks`
)

// coldBlocks is a row of cold_blocks.
type coldBlocks struct {
	step         int64
	server       string
	blocks       chain.SeqnoRange
	transactions int64
	dropped      *chain.Dropped // before the step
}

func (c *coldBlocks) scan(r *sqlbuild.Row) {
	c.step, c.server = r.Int8(), r.Text()
	c.blocks = chain.SeqnoRange{First: r.Uint32(), Last: r.Uint32()}
	c.transactions = r.Int8()
	if c.dropped = nil; r.Present(0) {
		c.dropped = &chain.Dropped{Last: r.Uint32(), EndLT: r.LT(), GenUtime: r.Uint32()}
		return
	}
	r.Skip(3)
}

// ThawCold moves the newest blocks that are on cold servers back, those of one step, and returns them: zero when there are none. Readers and Apply can run beside it.
func (w *Writer) ThawCold(ctx context.Context) (DropStep, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return DropStep{}, sqlbuild.Fault(ctx, "thaw of blocks", err)
	}
	defer conn.Release()
	var c coldBlocks
	var locked time.Time
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		if err := locks.Cold(ctx, tx); err != nil {
			return err
		}
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		locked = time.Now()
		return c.thaw(ctx, tx)
	})
	w.forget()
	if err != nil || c.step == 0 {
		return DropStep{}, sqlbuild.Fault(ctx, "thaw of blocks", err)
	}
	step := DropStep{Blocks: c.blocks, Transactions: int(c.transactions), Locked: time.Since(locked)}
	// The rows are here, and requests that read the server are refused until what is left of them there is removed: now, also when the caller ends, or by the indexer.
	ending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(commitTimeout, cancel) })()
	err = locks.Transaction(ending, conn, func(tx pgx.Tx) error {
		if err := locks.Cold(ending, tx); err != nil {
			return err
		}
		if err := locks.Apply(ending, tx); err != nil {
			return err
		}
		return cold.Reconcile(ending, tx, c.server) //nolint:wrapcheck // it names the server
	})
	return step, sqlbuild.Fault(ctx, "thaw of blocks", err)
}

func (c *coldBlocks) thaw(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, selectColdNewest)
	if err == nil {
		err = sqlbuild.VisitRows(rows, c.scan)
	}
	if err != nil || c.step == 0 {
		return err
	}
	if err := cold.Reconcile(ctx, tx, c.server); err != nil {
		return err //nolint:wrapcheck // it names the server
	}
	before, err := indexrange.Read(ctx, tx)
	if err != nil {
		return err
	}
	there, err := cold.Open(ctx, tx, c.server)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	defer there.Close(ctx)
	if err := there.Thaw(ctx, tx, c.step); err != nil {
		return err //nolint:wrapcheck // as above
	}
	b := &pgx.Batch{}
	b.Queue(deleteColdStep, c.step)
	b.Queue(cutColdRange, int64(c.blocks.First), int64(c.blocks.Last))
	if c.dropped == nil {
		b.Queue(deleteDropped)
	} else {
		b.Queue(updateDropped, int64(c.dropped.Last), int64(c.dropped.EndLT), int64(c.dropped.GenUtime))
	}
	indexrange.Queue(b, before, indexrange.MergeRanges(before, c.blocks))
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("blocks: %w", err)
	}
	return nil
}
