package moves

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
)

// dropMovedAccounts drops the tables that the move of account keys replaces when the last row was moved at least keep ago, and reports
// whether they are gone.
func (m *Runner) dropMovedAccounts(ctx context.Context, keep time.Duration) (dropped bool, err error) {
	err = locks.Transaction(ctx, m.pool, func(tx pgx.Tx) (err error) {
		dropped, err = traces.DropReplaced(ctx, tx, keep)
		return err
	})
	return dropped && err == nil, sqlbuild.Fault(ctx, "drop of moved tables", err)
}

const (
	selectFreed = `SELECT m.freed FROM transactions_move m`

	// VACUUM leaves rows that a reader still sees, and returns the pages at the end of the table, which are all when no row is left.
	vacuumOutside = `VACUUM (TRUNCATE true, INDEX_CLEANUP on) transaction_bocs`

	selectOutside = `SELECT pg_relation_size('transaction_bocs') = 0, EXISTS (SELECT FROM transaction_bocs)`

	// The index of an empty table is empty, too, but VACUUM returns no page of it. Readers wait only for a moment.
	limitLockWait  = `SET LOCAL lock_timeout = '1s'`
	reindexOutside = `REINDEX TABLE transaction_bocs`
	updateFreed    = `UPDATE transactions_move SET freed = true`
)

// freeMovedTransactions gives back the room of transaction_bocs when no row of it is left, and reports true when there is nothing more
// to give back. The other tables of the move have rows between those that it removed, whose room is used again for new ones.
func (m *Runner) freeMovedTransactions(ctx context.Context) (freed bool, err error) {
	conn, err := m.pool.Acquire(ctx)
	if err != nil {
		return false, sqlbuild.Fault(ctx, "room of moved transactions", err)
	}
	defer conn.Release()
	freed, err = freeTransactionBOCs(ctx, conn)
	return freed, sqlbuild.Fault(ctx, "room of moved transactions", err)
}

func freeTransactionBOCs(ctx context.Context, conn *pgxpool.Conn) (freed bool, err error) {
	if err := conn.QueryRow(ctx, selectFreed).Scan(&freed); err != nil || freed {
		return freed, err
	}
	if _, err := conn.Exec(ctx, vacuumOutside); err != nil {
		return false, fmt.Errorf("vacuum: %w", err)
	}
	var empty, rows bool
	if err := conn.QueryRow(ctx, selectOutside).Scan(&empty, &rows); err != nil || !empty && !rows {
		return false, err
	}
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		if empty {
			for _, s := range [...]string{limitLockWait, reindexOutside} {
				if _, err := tx.Exec(ctx, s); err != nil {
					return fmt.Errorf("index: %w", err)
				}
			}
		}
		_, err := tx.Exec(ctx, updateFreed)
		return err
	})
	return err == nil, err
}
