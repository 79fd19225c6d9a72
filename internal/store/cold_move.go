package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/coldservers"
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
)

// coldStep is the step of a drop that moves rows to a cold server.
type coldStep struct {
	server   string
	number   int64
	there    *cold.Remote // from begin until close
	commits  func() bool  // from then on the end of the caller does not interrupt the step; false if it has ended
	verified []int64      // transactions by verification
}

// MoveCold moves the oldest indexed masterchain blocks up to bound to a cold server, in one database transaction: as many as have limit transactions, at
// least one. What is moved is what [Writer.Drop] would remove. It can run beside Apply and readers.
func (w *Writer) MoveCold(ctx context.Context, server string, bound uint32, limit int) (DropStep, error) {
	if err := coldservers.Reconcile(ctx, w.pool, server); err != nil {
		return DropStep{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return DropStep{}, sqlbuild.Fault(ctx, "move of blocks", err)
	}
	defer conn.Release()
	// A caller that ends while the servers commit, as by Ctrl-C, leaves no step that only one of them has, for which readers would wait.
	ending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	d := drop{w: w, to: &coldStep{server: server, commits: func() bool {
		if !stop() {
			return false
		}
		context.AfterFunc(ctx, func() { time.AfterFunc(commitTimeout, cancel) })
		return true
	}}}
	defer d.to.close(ctx)
	return d.do(ending, conn, bound, limit)
}

// commitTimeout is how long the commits of a step may take after the end of its caller.
const commitTimeout = 10 * time.Second

// begin makes the triggers collect what the transaction removes.
func (s *coldStep) begin(ctx context.Context, tx pgx.Tx) (err error) {
	s.verified = make([]int64, chain.Verifications)
	current, err := cold.Current(ctx, tx, s.server)
	switch {
	case err != nil:
		return err //nolint:wrapcheck // it names the server
	case !current: // the end of a transaction there was late
		return chain.Unavailablef(nil, "the cold server %s has a step that was interrupted; try again", s.server)
	}
	if err := tx.QueryRow(ctx, selectColdNext).Scan(&s.number); err != nil {
		return fmt.Errorf("steps of cold servers: %w", err)
	}
	if s.there, err = cold.Open(ctx, tx, s.server); err != nil {
		return err //nolint:wrapcheck // as above
	}
	return cold.Begin(ctx, tx, s.server, s.number) //nolint:wrapcheck // as above
}

// copy sends what the transaction has removed so far to the cold server, which writes it while the transaction continues.
func (s *coldStep) copy(ctx context.Context, tx pgx.Tx) error {
	if s == nil {
		return nil
	}
	return s.there.Copy(ctx, tx, s.number) //nolint:wrapcheck // it names the table
}

// commit commits the step on the cold server. The transaction of the index commits next.
func (s *coldStep) commit(ctx context.Context, tx pgx.Tx) error {
	if s.there == nil {
		return nil // nothing was left to move
	}
	if !s.commits() {
		return context.Canceled
	}
	return s.there.Commit(ctx, tx, s.number) //nolint:wrapcheck // it names the server
}

func (s *coldStep) close(ctx context.Context) {
	if s.there != nil {
		s.there.Close(ctx)
	}
}

// queue records the step.
func (s *coldStep) queue(b *pgx.Batch, d *drop) {
	first, last := int64(d.step.Blocks.First), int64(d.step.Blocks.Last)
	b.Queue(insertColdBlocks, s.number, s.server, first, last, d.endLT, d.utime, int64(d.step.Transactions), s.verified)
	b.Queue(growColdRange, first, last)
}
