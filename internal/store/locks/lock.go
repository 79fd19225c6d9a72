package locks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

// Lock is the right to index into this database. It belongs to a separate connection and ends with it, and so do the claims that were
// taken with it.
type Lock struct {
	mu      sync.Mutex // guards the following fields
	conn    *pgxpool.Conn
	claimed map[uint32]bool // PostgreSQL would give a lock to the same connection again

	filling sync.Mutex // held by the one that fills
}

// lockInterval is how often a process that waits for the lock tries to take it.
const lockInterval = 100 * time.Millisecond

// Indexer waits for the right to index everything, which one process has at a time. The caller returns it with Release. It tries again and
// again instead of waiting in the server: a statement that waits has a snapshot, for which VACUUM retains dead rows and CREATE
// INDEX CONCURRENTLY waits. It calls wait once, unless that is nil,
// if another process has the right.
func Indexer(ctx context.Context, pool *pgxpool.Pool, wait func()) (*Lock, error) {
	l, err := Claims(ctx, pool)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		var got bool
		err := l.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lockIndexer).Scan(&got)
		if got {
			return l, nil
		}
		if err == nil && first && wait != nil {
			wait()
		}
		if err == nil && !ctxtime.Sleep(ctx, lockInterval) {
			err = ctx.Err()
		}
		if err != nil {
			l.Release() // the server may have given the lock just as the context ended
			return nil, sqlbuild.Fault(ctx, "indexer's lock", err)
		}
	}
}

// Claims returns the right to fill what was claimed with it, and nothing else. Any number of processes have it. The caller returns
// it with Release.
func Claims(ctx context.Context, pool *pgxpool.Pool) (*Lock, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "indexer's lock", err)
	}
	return &Lock{conn: conn, claimed: map[uint32]bool{}}, nil
}

// Claim takes the sole right to fill a batch of masterchain blocks: false when another worker, of this or another process, has it.
// It lasts until Unclaim, or until its process ends.
func (l *Lock) Claim(ctx context.Context, batch uint32) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.claimed[batch] {
		return false, nil
	}
	var got bool
	if err := l.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, lockClaims, int32(batch)).Scan(&got); err != nil {
		return false, sqlbuild.Fault(ctx, fmt.Sprintf("claim of batch %d", batch), err)
	}
	if got {
		l.claimed[batch] = true
	}
	return got, nil
}

// Unclaim returns a claimed batch.
func (l *Lock) Unclaim(ctx context.Context, batch uint32) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.conn.Exec(ctx, `SELECT pg_advisory_unlock($1, $2)`, lockClaims, int32(batch)); err != nil {
		return sqlbuild.Fault(ctx, fmt.Sprintf("claim of batch %d", batch), err)
	}
	delete(l.claimed, batch)
	return nil
}

// Fill calls write, which writes blocks behind the head. Of all workers that fill, in any process, one at a time writes: the newest block
// waits for at most one transaction of theirs.
func (l *Lock) Fill(ctx context.Context, write func() error) error {
	l.filling.Lock()
	defer l.filling.Unlock()
	if err := l.exec(ctx, `SELECT pg_advisory_lock($1)`); err != nil {
		return err
	}
	err := write()
	if unlocked := l.exec(ctx, `SELECT pg_advisory_unlock($1)`); unlocked != nil {
		return errors.Join(err, unlocked) // the lock ends with its connection
	}
	return err
}

func (l *Lock) exec(ctx context.Context, statement string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.conn.Exec(ctx, statement, lockFilling)
	return sqlbuild.Fault(ctx, "lock of filling", err)
}

// Check reports an error when the connection that holds the lock is lost. Another process may have the lock then.
func (l *Lock) Check(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return sqlbuild.Fault(ctx, "lock of this process", l.conn.Ping(ctx))
}

// Release returns the right and all claims by closing the connection, which works for a broken connection too.
func (l *Lock) Release() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = l.conn.Hijack().Close(ctx) // the connection is not used any more
}
