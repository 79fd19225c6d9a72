package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/sqlbuild"
)

var (
	// A step of the blocks [$1, $2]. Blocks after those that are on cold servers extend their last range.
	insertColdBlocks = `INSERT INTO cold_blocks (step, server, first, last, end_lt, gen_utime, transactions, verified, dropped_last, dropped_end_lt, dropped_gen_utime, first_mc_seqno, first_lt, first_utime)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, d.last, d.end_lt, d.gen_utime, least($3, f.mc_seqno), f.lt, f.utime FROM (SELECT ` + cold.SelectFirst() + `) f(mc_seqno, lt, utime), (VALUES (1)) v LEFT JOIN dropped_blocks d ON d.singleton`
	growColdRange = `WITH grown AS (UPDATE cold_ranges SET last = $2 WHERE last = $1::bigint - 1 RETURNING last)
		INSERT INTO cold_ranges (first, last) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM grown)`
	// The first masterchain block of each server stays: every response about the masterchain names the oldest one.
	moveBlocks = `DELETE FROM blocks WHERE mc_seqno BETWEEN $1 AND $2
		AND NOT (workchain = -1 AND mc_seqno IN (SELECT min(first) FROM cold_blocks GROUP BY server))`
	selectColdNext = `SELECT greatest((SELECT max(step) FROM cold_blocks), (SELECT max(newest_step) FROM cold_servers), 0) + 1`
	existsCold     = `SELECT EXISTS (SELECT FROM cold_blocks)`
)

// coldStep is the step of a drop that moves rows to a cold server.
type coldStep struct {
	server   string
	number   int64
	verified []int64 // transactions by verification
}

// MoveCold moves the oldest indexed masterchain blocks up to bound to a cold server, in one database transaction: as many as have limit transactions, at
// least one. What is moved is what [Writer.Drop] would remove. It can run beside Apply and readers.
func (w *Writer) MoveCold(ctx context.Context, server string, bound uint32, limit int) (DropStep, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return DropStep{}, sqlbuild.Fault(ctx, "move of blocks", err)
	}
	defer conn.Release()
	d := drop{w: w, to: &coldStep{server: server}}
	return d.do(ctx, conn, bound, limit)
}

// begin makes the triggers copy what the transaction removes.
func (s *coldStep) begin(ctx context.Context, tx pgx.Tx) error {
	s.verified = make([]int64, chain.Verifications)
	if err := cold.Reconcile(ctx, tx, s.server); err != nil {
		return err //nolint:wrapcheck // it names the server
	}
	if err := tx.QueryRow(ctx, selectColdNext).Scan(&s.number); err != nil {
		return fmt.Errorf("steps of cold servers: %w", err)
	}
	return cold.Begin(ctx, tx, s.server, s.number) //nolint:wrapcheck // as above
}

// queue records the step.
func (s *coldStep) queue(b *pgx.Batch, d *drop) {
	first, last := int64(d.step.Blocks.First), int64(d.step.Blocks.Last)
	b.Queue(insertColdBlocks, s.number, s.server, first, last, d.endLT, d.utime, int64(d.step.Transactions), s.verified)
	b.Queue(growColdRange, first, last)
}

// refuseCold returns an error when older blocks are on a cold server: what is retained would have a gap.
func refuseCold(ctx context.Context, tx pgx.Tx) error {
	var exists bool
	if err := tx.QueryRow(ctx, existsCold).Scan(&exists); err != nil {
		return fmt.Errorf("steps of cold servers: %w", err)
	}
	if exists {
		return chain.Invalidf("older blocks are on cold servers: blocks are not dropped before these are, see tonql range")
	}
	return nil
}
