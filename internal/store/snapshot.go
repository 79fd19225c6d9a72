package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// source is where a [Reader] reads: the pool, each question from the newest state; or a snapshot, all from one.
type source interface {
	queryer
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error)
}

const (
	beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	selectHead    = `SELECT b.seqno FROM blocks b WHERE b.workchain = -1 AND b.shard = '-9223372036854775808'::bigint
		ORDER BY b.seqno DESC LIMIT 1`
)

// endTimeout bounds the end of a snapshot, which must not die with the request that took it.
const endTimeout = time.Second

// Snapshot gives a Reader that answers every question from one state of the index, and the masterchain seqno which that
// state has reached, 0 while the index is empty. It keeps a connection until done is called, which must be. Its questions
// follow one another: it is for one goroutine.
func (r *Reader) Snapshot(ctx context.Context) (at *Reader, mcSeqno uint32, done func(), err error) {
	pool, ok := r.pool.(*pgxpool.Pool)
	if !ok {
		return nil, 0, nil, errors.New("a snapshot of a snapshot")
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, 0, nil, fault(ctx, "snapshot", err)
	}
	done = sync.OnceFunc(func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		_, _ = conn.Conn().PgConn().Exec(ending, "COMMIT").ReadAll() // a connection that cannot end is not used again
		conn.Release()
	})
	b := &pgx.Batch{}
	b.Queue(beginSnapshot)
	b.Queue(selectHead).Query(func(rows pgx.Rows) error {
		return visitRows(rows, func(r *row) { mcSeqno = r.u32() })
	})
	if err := conn.SendBatch(ctx, b).Close(); err != nil {
		done()
		return nil, 0, nil, fault(ctx, "snapshot", err)
	}
	return &Reader{pool: conn}, mcSeqno, done, nil
}
