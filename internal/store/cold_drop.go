package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/verdicts"
)

const (
	// The newest block of a server, and the sums over its steps. It has a row when no other server has blocks that are older than that block.
	selectColdOf = `SELECT count(*), coalesce(max(c.last), 0)::bigint, coalesce(sum(c.transactions), 0)::bigint
		FROM cold_blocks c WHERE c.server = $1 HAVING NOT EXISTS (SELECT FROM cold_blocks o WHERE o.server <> $1 AND o.step < (SELECT max(m.step) FROM cold_blocks m WHERE m.server = $1))`
	selectColdVerified = `SELECT v.n::int - 1, sum(v.transactions)::bigint FROM cold_blocks c, unnest(c.verified) WITH ORDINALITY v(transactions, n) WHERE c.server = $1 GROUP BY 1`
	// The newest gap before blocks of the server, which nothing fills any more.
	updateColdGap = `UPDATE dropped_blocks d SET gap_last = c.first - 1, gap_lt = c.dropped_end_lt
		FROM (SELECT first, dropped_end_lt FROM cold_blocks WHERE server = $1 AND dropped_last < first - 1 ORDER BY step DESC LIMIT 1) c`
	deleteColdOf   = `DELETE FROM cold_blocks WHERE server = $1`
	endColdRanges  = `DELETE FROM cold_ranges WHERE last <= $1`
	beginColdRange = `UPDATE cold_ranges SET first = $1::bigint + 1 WHERE first <= $1`
	dropOldBlocks  = `DELETE FROM blocks WHERE mc_seqno <= $1`
)

// DropCold drops the blocks of a cold server for good, and forgets the server, in one database transaction here. Its database is left as it is. Only the
// server with the oldest blocks, and none that are newer than some of another one, can be dropped: otherwise the error is of kind Invalid. For a server that was dropped before, it
// changes nothing and returns the same number.
func (w *Writer) DropCold(ctx context.Context, name string) (transactions int64, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return 0, sqlbuild.Fault(ctx, "drop of a cold server", err)
	}
	defer conn.Release()
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		transactions, err = dropServer(ctx, tx, name)
		return err
	})
	w.forget()
	return transactions, sqlbuild.Fault(ctx, "drop of a cold server", err)
}

func dropServer(ctx context.Context, tx pgx.Tx, name string) (transactions int64, err error) {
	transactions, dropped, err := cold.Dropped(ctx, tx, name)
	if err != nil || dropped {
		return transactions, err //nolint:wrapcheck // it says what it reads
	}
	var steps, last int64
	oldest := false
	rows, err := tx.Query(ctx, selectColdOf, name)
	if err == nil {
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			steps, last, transactions, oldest = r.Int8(), r.Int8(), r.Int8(), true
		})
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("blocks of the server: %w", err)
	case !oldest:
		return 0, chain.Invalidf("another cold server has older blocks than the newest of %s: they are dropped first, or the newest are moved back until it has none", name)
	}
	if steps > 0 {
		if err := dropSteps(ctx, tx, name, last, transactions); err != nil {
			return 0, err
		}
	}
	return transactions, cold.Disconnect(ctx, tx, name, transactions) //nolint:wrapcheck // it names the server
}

func dropSteps(ctx context.Context, tx pgx.Tx, name string, last, transactions int64) error {
	var counts [chain.Verifications]int64
	rows, err := tx.Query(ctx, selectColdVerified, name)
	if err == nil {
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			if v, n := int(r.Int4()), r.Int8(); v < len(counts) {
				counts[v] = -n
			}
		})
	}
	if err != nil {
		return fmt.Errorf("verified transactions: %w", err)
	}
	b := &pgx.Batch{}
	b.Queue(updateColdGap, name)
	b.Queue(deleteColdOf, name)
	b.Queue(endColdRanges, last)
	b.Queue(beginColdRange, last)
	b.Queue(dropOldBlocks, last)
	b.Queue(dropConfigs, last)
	b.Queue(dropLibraryRanges, last)
	b.Queue(cutLibraryRange, last)
	b.Queue(cellsweep.AddDropped, transactions)
	verdicts.QueueCounts(b, counts)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("blocks: %w", err)
	}
	return nil
}
