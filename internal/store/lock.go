package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/sqlbuild"
)

// Lock is the right to index into this database, which one process has at a time. It belongs to a separate connection
// and ends with it.
type Lock struct{ conn *pgxpool.Conn }

// Lock waits for the right to index. The caller returns it with Release.
func (w *Writer) Lock(ctx context.Context) (*Lock, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "indexer's lock", err)
	}
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, lockIndexer); err != nil {
		l := &Lock{conn: conn}
		l.Release() // the server may have given the lock just as the wait ended
		return nil, sqlbuild.Fault(ctx, "indexer's lock", err)
	}
	return &Lock{conn: conn}, nil
}

// TryLock is Lock without waiting: false when another process has the right.
func (w *Writer) TryLock(ctx context.Context) (*Lock, bool, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return nil, false, sqlbuild.Fault(ctx, "indexer's lock", err)
	}
	l := &Lock{conn: conn}
	var got bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lockIndexer).Scan(&got); err != nil {
		l.Release()
		return nil, false, sqlbuild.Fault(ctx, "indexer's lock", err)
	}
	if !got {
		l.Release()
		return nil, false, nil
	}
	return l, true, nil
}

// Check reports an error when the connection that holds the lock is lost. Another process may have the lock then.
func (l *Lock) Check(ctx context.Context) error {
	return sqlbuild.Fault(ctx, "indexer's lock", l.conn.Ping(ctx))
}

// Release returns the right by closing the connection, which works for a broken connection too.
func (l *Lock) Release() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = l.conn.Hijack().Close(ctx) // the connection is not used any more
}
