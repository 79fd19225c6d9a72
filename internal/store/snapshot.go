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

// snapshot is a transaction that costs no round trip of its own: it begins together with the first question and, when
// that is known beforehand, ends together with the last one. Where the first is the last one, nothing begins or ends it:
// statements sent together are a transaction anyway, in the isolation that readSettings name.
type snapshot struct {
	pool  *pgxpool.Pool
	conn  *pgxpool.Conn // nil until the first question
	asOf  func(mcSeqno uint32)
	last  bool // the next question is the last one
	alone bool // the first question is
	ended bool
}

const (
	beginSnapshot = `BEGIN` // isolation and access are those of readSettings
	endSnapshot   = `COMMIT`
	selectHead    = `SELECT b.seqno FROM blocks b WHERE b.workchain = -1 AND b.shard = '-9223372036854775808'::bigint
		ORDER BY b.seqno DESC LIMIT 1`
)

var errEnded = errors.New("a question after the last one of a snapshot")

// Snapshot gives a Reader that answers every question from one state of the index. asOf is told, with the first answer, the
// masterchain seqno which that state has reached, 0 while the index is empty. From the first question on a connection is
// kept until done is called, which must be. Questions follow one another: it is for one goroutine.
func (r *Reader) Snapshot(ctx context.Context, asOf func(mcSeqno uint32)) (at *Reader, done func()) {
	pool, ok := r.pool.(*pgxpool.Pool)
	if !ok { // a snapshot already
		return r, func() {}
	}
	s := &snapshot{pool: pool, asOf: asOf}
	return &Reader{pool: s}, sync.OnceFunc(func() { s.done(ctx) })
}

// Last says that the next question is the last one asked of a snapshot, which then ends with it. Of another Reader it says
// nothing.
func (r *Reader) Last() *Reader {
	if s, ok := r.pool.(*snapshot); ok {
		s.last = true
	}
	return r
}

// endTimeout bounds the end of a snapshot, which must not die with the request that took it.
const endTimeout = time.Second

const idle = 'I' // status of a connection outside transactions

func (s *snapshot) done(ctx context.Context) {
	if s.conn == nil {
		return
	}
	if pg := s.conn.Conn().PgConn(); !pg.IsClosed() && pg.TxStatus() != idle {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		_, _ = pg.Exec(ending, endSnapshot).ReadAll() // the pool drops a connection that cannot end its transaction
	}
	s.conn.Release()
}

// wrap puts around a batch what begins and what ends the transaction.
func (s *snapshot) wrap(ctx context.Context, b *pgx.Batch) (*pgx.Batch, error) {
	if s.ended {
		return nil, errEnded
	}
	whole := &pgx.Batch{}
	if s.conn == nil {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return nil, err //nolint:wrapcheck // the caller names what was asked
		}
		s.conn = conn
		if s.alone = s.last; !s.alone {
			whole.Queue(beginSnapshot)
		}
		whole.Queue(selectHead).Query(func(rows pgx.Rows) error {
			head := uint32(0)
			err := visitRows(rows, func(r *row) { head = r.u32() })
			s.asOf(head)
			return err
		})
	}
	whole.QueuedQueries = append(whole.QueuedQueries, b.QueuedQueries...)
	if s.last {
		s.ended = true
		if !s.alone {
			whole.Queue(endSnapshot)
		}
	}
	return whole, nil
}

// SendBatch asks several questions at once.
func (s *snapshot) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	whole, err := s.wrap(ctx, b)
	if err != nil {
		return failedBatch{err: err}
	}
	return s.conn.SendBatch(ctx, whole)
}

// Query asks one question.
func (s *snapshot) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if s.conn != nil && !s.last && !s.ended {
		return s.conn.Query(ctx, sql, args...) //nolint:wrapcheck // the caller names what was asked
	}
	b := &pgx.Batch{}
	b.Queue(sql, args...)
	begins := s.conn == nil
	whole, err := s.wrap(ctx, b)
	if err != nil {
		return nil, err
	}
	results := s.conn.SendBatch(ctx, whole)
	if begins {
		if err := s.begun(results, whole); err != nil {
			return nil, errors.Join(err, results.Close())
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return &batchRows{Rows: rows, results: results}, nil
}

// begun reads the answers to what begins the transaction.
func (s *snapshot) begun(results pgx.BatchResults, whole *pgx.Batch) error {
	if s.alone {
		return whole.QueuedQueries[0].Fn(results)
	}
	if _, err := results.Exec(); err != nil {
		return err //nolint:wrapcheck // the caller names what was asked
	}
	return whole.QueuedQueries[1].Fn(results)
}

// BeginTx is for a pool: a snapshot is a transaction already.
func (s *snapshot) BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error) {
	return nil, errors.New("a transaction in a snapshot")
}

// batchRows are the rows of one statement of a batch, the last whose rows are read.
type batchRows struct {
	pgx.Rows
	results pgx.BatchResults
	err     error
}

// Close reads the rest of the batch.
func (r *batchRows) Close() {
	r.Rows.Close()
	r.err = r.results.Close()
}

// Err is what went wrong with the rows.
func (r *batchRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err //nolint:wrapcheck // the caller names what was asked
	}
	return r.err
}

// failedBatch is a batch that could not be sent.
type failedBatch struct {
	pgx.BatchResults
	err error
}

// Close gives the reason.
func (f failedBatch) Close() error { return f.err }
