package locks

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// The advisory locks. The numbers never change, and each is used for one purpose.
const (
	lockApply   int64 = 0x746f6e716c_01 // one transaction that writes blocks, or of what must not be beside it
	lockIndexer int64 = 0x746f6e716c_02 // the process that indexes everything
	lockMove    int64 = 0x746f6e716c_03 // a step of the move of transactions
	lockFilling int64 = 0x746f6e716c_04 // a write behind the head, see [Lock.Fill]
	lockOfCold  int64 = 0x746f6e716c_05 // a change of cold servers
	lockRanges  int64 = 0x746f6e716c_06 // a command that moves blocks between servers

	// lockClaims is the first of the two numbers of a claim, see [Lock.Claim].
	lockClaims int32 = 0x746f6e71

	takeLock = `SELECT pg_advisory_xact_lock($1)`
	// takeColdLock lets one database transaction at a time change cold servers. It is taken before that of Apply: new blocks do not wait while a claim is renewed. Statements that
	// change a cold server end after a time, as new blocks wait for them while it hangs. What is committed here before a cold server removes rows, or has the next claim, is on disk by then,
	// also where synchronous_commit is off: a crash that took it back would leave rows on neither server, or a claim that only the cold server has.
	takeColdLock = `SELECT set_config('statement_timeout', '120s', true), pg_advisory_xact_lock($1),
		set_config('synchronous_commit', CASE s WHEN 'off' THEN 'local' ELSE s END, true) FROM current_setting('synchronous_commit') s`
)

// Beginner starts transactions: the pool or a connection of it.
type Beginner interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Transaction runs fn in a read-committed transaction.
func Transaction(ctx context.Context, on Beginner, fn func(pgx.Tx) error) error {
	if err := pgx.BeginFunc(ctx, on, fn); err != nil {
		return fmt.Errorf("database transaction: %w", err)
	}
	return nil
}

// Apply takes the lock of the writer until the end of the transaction: no blocks are written beside it.
func Apply(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, takeLock, lockApply); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

// QueueApply adds [Apply] to a batch.
func QueueApply(b *pgx.Batch) { b.Queue(takeLock, lockApply) }

// Move takes the lock of the move of transactions until the end of the transaction.
func Move(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, takeLock, lockMove); err != nil {
		return fmt.Errorf("lock of the move: %w", err)
	}
	return nil
}

// Cold takes the lock of changes of cold servers until the end of the transaction. It comes before [Apply].
func Cold(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, takeColdLock, lockOfCold); err != nil {
		return fmt.Errorf("lock of cold servers: %w", err)
	}
	return nil
}
