package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/cold"
	"tonql/internal/store/contracts"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
	"tonql/internal/store/verdicts"
)

// What is dropped with masterchain blocks are the traces that end in them, with their transactions, messages, actions, transfers and
// burns, and the rows of the blocks themselves. A trace that ends later stays complete, with the transactions that it has in dropped
// blocks. The newest states of accounts and contracts, names, cells, libraries, metadata and the sums per day stay. Of the history of a
// balance or an owner, and of account states with a row of their own, the newest row up to the dropped blocks stays, as it holds until
// the first change after them.

// DropStep is the result of a step of [Writer.Drop].
type DropStep struct {
	Blocks       chain.SeqnoRange // dropped masterchain blocks, zero when nothing is left to drop
	Transactions int
	Piece        bool // the step dropped transactions of a large trace, of blocks that were dropped before
	// Locked is how long other writers had to wait for the step.
	Locked time.Duration
}

// Nothing reports that there was nothing to drop.
func (s *DropStep) Nothing() bool { return s.Blocks.Last == 0 && !s.Piece }

const (
	// The first masterchain blocks of a range: as many as have limit transactions, at least one.
	selectDropEnd = `SELECT max(s.mc_seqno) FROM (SELECT b.mc_seqno, sum(sum(b.tx_count)) OVER (ORDER BY b.mc_seqno) AS total
			FROM (SELECT * FROM blocks WHERE mc_seqno BETWEEN $1 AND $2) b GROUP BY b.mc_seqno) s
		WHERE s.total <= $3 OR s.mc_seqno = $1`
	// dropAhead is the number of masterchain blocks that one step drops at most.
	dropAhead = 1000

	selectDroppedBlock = `SELECT b.end_lt, b.gen_utime FROM blocks b WHERE b.workchain = -1
		AND b.shard = '-9223372036854775808'::bigint AND b.seqno = $1`

	// Transactions without a trace: their blocks are all that they belong to. Those of traces that end later, and of large ones, stay.
	selectUntraced = `SELECT t.account, t.lt FROM transactions t WHERE t.mc_seqno BETWEEN $1 AND $2
		AND (t.trace_id IS NULL OR NOT EXISTS (SELECT FROM traces r WHERE r.trace_id = t.trace_id)
			AND NOT EXISTS (SELECT FROM dropped_traces d WHERE d.trace_id = t.trace_id))`

	dropFrames = `DELETE FROM frames f USING blocks b WHERE b.mc_seqno BETWEEN $1 AND $2
		AND f.workchain = b.workchain AND f.shard = b.shard AND f.seqno = b.seqno`
	dropBlocks  = `DELETE FROM blocks WHERE mc_seqno BETWEEN $1 AND $2`
	dropShards  = `DELETE FROM shards WHERE mc_seqno BETWEEN $1 AND $2`
	dropConfigs = `DELETE FROM configs c WHERE c.mc_seqno < (SELECT max(n.mc_seqno) FROM configs n WHERE n.mc_seqno <= $1)`
	dropWants   = `DELETE FROM trace_wants WHERE mc_seqno_end <= $1`
	dropDigests = `DELETE FROM range_digests WHERE number <= $1::bigint / $2::bigint`

	dropLibraryRanges = `DELETE FROM library_ranges WHERE last <= $1`
	cutLibraryRange   = `UPDATE library_ranges SET first = $1::bigint + 1 WHERE first <= $1::bigint`

	// What lies between the dropped blocks and the next ones that are dropped, from $1 on, was never indexed.
	updateGap     = `UPDATE dropped_blocks SET gap_last = $1::bigint - 1, gap_lt = end_lt WHERE last < $1::bigint - 1`
	updateDropped = `INSERT INTO dropped_blocks (last, end_lt, gen_utime) VALUES ($1, $2, $3)
		ON CONFLICT (singleton) DO UPDATE SET last = excluded.last, end_lt = excluded.end_lt, gen_utime = excluded.gen_utime`
)

// Drop drops the oldest indexed masterchain blocks up to bound, in one database transaction: as many as have limit transactions, at least
// one. A trace of more than limit transactions is dropped in pieces, by the next calls. It can run beside Apply and readers; a dropped block is not indexed again. While cells are swept it returns [cellsweep.ErrSweeping].
func (w *Writer) Drop(ctx context.Context, bound uint32, limit int) (DropStep, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return DropStep{}, sqlbuild.Fault(ctx, "drop of blocks", err)
	}
	defer conn.Release()
	d := drop{w: w}
	return d.do(ctx, conn, bound, limit)
}

// do runs the step in a database transaction.
func (d *drop) do(ctx context.Context, conn *pgxpool.Conn, bound uint32, limit int) (DropStep, error) {
	w := d.w
	var locked time.Time
	err := locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		if d.to != nil {
			if err := locks.Cold(ctx, tx); err != nil {
				return err
			}
		}
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		locked = time.Now()
		if err := d.run(ctx, tx, bound, limit); err != nil || d.to == nil {
			return err
		}
		return d.to.commit(ctx, tx)
	})
	if err != nil {
		w.forget()
		return DropStep{}, sqlbuild.Fault(ctx, d.what(), err)
	}
	switch {
	case d.step.Blocks.Last == 0:
	case w.rangesRead && indexrange.Contains(d.before, w.ranges) && indexrange.Contains(w.ranges, d.before):
		w.ranges, w.dropped = d.after, d.step.Blocks.Last // nothing that the writer holds in memory was dropped
	default:
		w.forget()
	}
	d.step.Locked = time.Since(locked)
	return d.step, nil
}

// what names the step in errors.
func (d *drop) what() string {
	if d.to != nil {
		return "move of blocks to " + d.to.server
	}
	return "drop of blocks"
}

// drop is one step.
type drop struct {
	w             *Writer
	to            *coldStep // nil: the rows are removed for good
	step          DropStep
	before, after []chain.SeqnoRange
	endLT, utime  int64 // of the last block
}

func (d *drop) run(ctx context.Context, tx pgx.Tx, bound uint32, limit int) (err error) {
	if d.before, err = indexrange.Read(ctx, tx); err != nil {
		return err
	}
	traceLimit := limit
	if d.to != nil {
		traceLimit = math.MaxInt32 // a trace moves in one step
	} else if found, err := d.piece(ctx, tx, limit); found || err != nil {
		return err
	}
	if len(d.before) == 0 || d.before[0].First > bound {
		return nil
	}
	if err := cellsweep.Refuse(ctx, tx); err != nil {
		return err
	}
	oldest := d.before[0]
	within := chain.SeqnoRange{First: oldest.First, Last: min(oldest.Last, bound, oldest.First+dropAhead-1)}
	var last int64
	if err := tx.QueryRow(ctx, selectDropEnd, int64(within.First), int64(within.Last), int64(limit)).Scan(&last); err != nil {
		return fmt.Errorf("transactions of the blocks: %w", err)
	}
	within.Last = uint32(last)
	d.after = append([]chain.SeqnoRange{}, d.before[1:]...)
	if within.Last < oldest.Last {
		d.after = append([]chain.SeqnoRange{{First: within.Last + 1, Last: oldest.Last}}, d.after...)
	}
	if err := tx.QueryRow(ctx, selectDroppedBlock, last).Scan(&d.endLT, &d.utime); err != nil {
		return fmt.Errorf("masterchain block %d: %w", last, err)
	}
	if d.to != nil {
		if err := d.to.begin(ctx, tx); err != nil {
			return err
		}
	} else if err := cold.RefuseMoved(ctx, tx); err != nil {
		return err
	}
	d.step.Blocks = within
	if err := d.content(ctx, tx, within, traceLimit); err != nil {
		return err
	}
	return d.blocks(ctx, tx, within)
}

// content drops traces and transactions.
func (d *drop) content(ctx context.Context, tx pgx.Tx, within chain.SeqnoRange, limit int) error {
	tables := d.w.traceTables(batch.Outdated{})
	keys, err := tables.DropEnded(ctx, tx, within, limit)
	if err == nil {
		err = d.to.copy(ctx, tx)
	}
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectUntraced, int64(within.First), int64(within.Last))
	if err != nil {
		return fmt.Errorf("transactions without a trace: %w", err)
	}
	if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		account := r.Address()
		keys.Add(&account, r.LT())
	}); err != nil {
		return fmt.Errorf("transactions without a trace: %w", err)
	}
	b := &pgx.Batch{}
	contracts.QueueDropHistory(b, within)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("history of contracts: %w", err)
	}
	return d.transactions(ctx, tx, keys)
}

// transactions drops transactions.
func (d *drop) transactions(ctx context.Context, tx pgx.Tx, keys sqlbuild.KeyArrays) error {
	if keys.Len() == 0 {
		return nil
	}
	dropper := transactions.Dropper{Copies: &d.w.copies, Dictionaries: d.w.dictionaries, Removed: d.to.copy}
	counts, err := dropper.Drop(ctx, tx, keys, uint64(d.endLT))
	if err != nil {
		return err
	}
	b := &pgx.Batch{}
	contracts.QueueDropOrders(b, keys)
	verdicts.QueueDrop(b, keys)
	for i, n := range counts {
		d.step.Transactions += int(n)
		counts[i] = -n
		if d.to != nil {
			d.to.verified[i] = n
		}
	}
	if d.to == nil {
		verdicts.QueueCounts(b, counts)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("rows of transactions: %w", err)
	}
	return nil
}

// blocks drops the rows of blocks, and records that they are dropped.
func (d *drop) blocks(ctx context.Context, tx pgx.Tx, within chain.SeqnoRange) error {
	first, last := int64(within.First), int64(within.Last)
	b := &pgx.Batch{}
	b.Queue(dropFrames, first, last)
	if d.to != nil {
		d.to.queue(b, d)
		b.Queue(moveBlocks, first, last)
	} else {
		b.Queue(dropBlocks, first, last)
	}
	b.Queue(dropShards, first, last)
	b.Queue(dropWants, last)
	b.Queue(dropDigests, last, int64(chain.DigestBlocks))
	if d.to == nil {
		b.Queue(dropConfigs, last)
		b.Queue(dropLibraryRanges, last)
		b.Queue(cutLibraryRange, last)
		b.Queue(cellsweep.AddDropped, int64(d.step.Transactions))
		b.Queue(updateGap, first)
	}
	b.Queue(updateDropped, last, d.endLT, d.utime)
	indexrange.Queue(b, d.before, d.after)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("blocks: %w", err)
	}
	return nil
}
