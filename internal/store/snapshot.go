package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// source is where a [Reader] reads: the pool, each question from the newest state; or a snapshot, all from one.
type source interface {
	queryer
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error)
}

// snapshot is a transaction that nothing begins or ends: whatever is sent before the server is told to synchronise is one
// transaction, in the isolation that readSettings name, and the answers to a part of it can be read before the rest is
// asked. So it costs no statement and no round trip of its own.
type snapshot struct {
	pool  *pgxpool.Pool
	asOf  func(mcSeqno uint32)
	conn  *pgxpool.Conn // nil until the first question, and these with it
	pipe  *pgconn.Pipeline
	known *statements
	bound bound
	begun bool // the first question was asked
	last  bool // the next question is the last one
	ended bool
	err   error // a refusal

	names   *nameCache
	version int64 // of the names, -1 while the index is empty; told with the first answer

	naming   bool       // see [Reader.Naming]
	foreseen *foresight // nil unless it was asked for together with the transactions
}

// selectHead asks the ledger, which has few rows, for the newest masterchain block; blocks would say the same.
const selectHead = `SELECT r.last, (SELECT n.version FROM names_version n) FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1`

var errEnded = errors.New("a question after the last one of a snapshot")

// Snapshot gives a Reader that answers every question from one state of the index. asOf is told, with the first answer, the
// masterchain seqno which that state has reached, 0 while the index is empty. From the first question on a connection is
// kept until done is called, which must be. Questions follow one another: it is for one goroutine, and its answers are read
// before the next question.
func (r *Reader) Snapshot(_ context.Context, asOf func(mcSeqno uint32)) (at *Reader, done func()) {
	pool, ok := r.pool.(*pgxpool.Pool)
	if !ok { // a snapshot already
		return r, func() {}
	}
	s := &snapshot{pool: pool, asOf: asOf, names: r.names}
	return &Reader{pool: s, names: r.names}, sync.OnceFunc(s.done)
}

// Last says that the next question is the last one asked of a snapshot, which then ends with it. Of another Reader it says
// nothing.
func (r *Reader) Last() *Reader {
	if s, ok := r.pool.(*snapshot); ok {
		s.last = true
	}
	return r
}

// endTimeout bounds the end of a connection.
const endTimeout = time.Second

// done ends the transaction and gives the connection back; the pool drops one that could not end it.
func (s *snapshot) done() {
	if s.conn == nil {
		return
	}
	if !s.ended {
		_ = s.pipe.Sync()
	}
	s.ended = true
	if err := s.pipe.Close(); s.known.outdated(err) || s.known.outdated(s.err) {
		ending, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_ = s.conn.Conn().Close(ending) // the pool makes another one
	}
	s.conn.Release()
}

// ask sends questions together and reads the answer to none of them. Before the first comes the question for the head,
// after the last one the end.
func (s *snapshot) ask(ctx context.Context, questions []*pgx.QueuedQuery) error {
	if s.ended {
		return errEnded
	}
	if err := ctx.Err(); err != nil {
		return err //nolint:wrapcheck // the caller names what was asked
	}
	if s.begun {
		return s.send(questions)
	}
	if s.conn == nil {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return err //nolint:wrapcheck // the caller names what was asked
		}
		pg := conn.Conn().PgConn()
		s.conn, s.pipe, s.known = conn, pg.StartPipeline(ctx), statementsOf(pg)
	}
	s.begun = true
	if err := s.send(append([]*pgx.QueuedQuery{{SQL: selectHead}}, questions...)); err != nil {
		return err
	}
	return s.readHead()
}

func (s *snapshot) readHead() error {
	rows, err := s.next()
	if err != nil {
		return err
	}
	head := uint32(0)
	s.version = -1
	err = visitRows(rows, func(r *row) { head, s.version = r.u32(), r.int8() })
	s.names.meet(s.version)
	if s.asOf != nil {
		s.asOf(head)
	}
	s.asOf = nil
	return err
}

// again begins anew after the last question: what follows is answered from the newest state, which in between may have
// become another.
func (s *snapshot) again(ctx context.Context) error {
	if err := s.pipe.Close(); err != nil {
		return err //nolint:wrapcheck // the caller names what was asked
	}
	s.pipe = s.conn.Conn().PgConn().StartPipeline(ctx)
	s.begun, s.ended = false, false
	return nil
}

func (s *snapshot) send(questions []*pgx.QueuedQuery) error {
	if err := s.known.prepare(s.pipe, questions); err != nil {
		return err
	}
	for _, q := range questions {
		statement := s.known.byText[q.SQL]
		if err := s.bound.bind(s.conn.Conn().TypeMap(), statement, q.Arguments); err != nil {
			return fmt.Errorf("values of a statement: %w", err)
		}
		s.pipe.SendQueryStatement(statement, s.bound.values, s.bound.formats, binaryFormat)
	}
	if s.last {
		s.ended = true
		return s.pipe.Sync() //nolint:wrapcheck // the caller names what was asked
	}
	s.pipe.SendFlushRequest()
	return s.pipe.Flush() //nolint:wrapcheck // the caller names what was asked
}

// next is the answer to the next question that was sent.
func (s *snapshot) next() (pgx.Rows, error) {
	results, err := s.pipe.GetResults()
	if err != nil {
		s.err = err
		return nil, err //nolint:wrapcheck // the caller names what was asked
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return nil, errors.New("more answers are read than questions were asked")
	}
	return pgx.RowsFromResultReader(s.conn.Conn().TypeMap(), reader), nil
}

// Query asks one question.
func (s *snapshot) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := s.ask(ctx, []*pgx.QueuedQuery{{SQL: sql, Arguments: args}}); err != nil {
		return nil, err
	}
	return s.next()
}

// SendBatch asks several questions at once.
func (s *snapshot) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return &answers{snapshot: s, questions: b.QueuedQueries, err: s.ask(ctx, b.QueuedQueries)}
}

// BeginTx is for a pool: a snapshot is a transaction already.
func (s *snapshot) BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error) {
	return nil, errors.New("a transaction in a snapshot")
}

// answers are what a batch brings, read by the functions that were queued with its questions.
type answers struct {
	pgx.BatchResults
	snapshot  *snapshot
	questions []*pgx.QueuedQuery
	err       error
}

// Query is the answer to the next question. There are rows also of a failure, since the functions are called with them.
func (a *answers) Query() (pgx.Rows, error) {
	rows, err := a.snapshot.next()
	if err != nil {
		return failed{err: err}, err
	}
	return rows, nil
}

// failed are the rows of a question that has failed.
type failed struct {
	pgx.Rows
	err error
}

func (failed) Close()       {}
func (failed) Next() bool   { return false }
func (f failed) Err() error { return f.err }

// Close reads all answers.
func (a *answers) Close() error {
	for _, q := range a.questions {
		if a.err == nil {
			a.err = q.Fn(a)
		}
	}
	a.questions = nil
	return a.err
}
