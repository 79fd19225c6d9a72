package readers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/names"
	"tonql/internal/store/observe"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
)

// snapshot is a transaction without BEGIN and COMMIT. PostgreSQL runs all statements that it receives before a Sync message
// as one transaction, in the isolation level of the connection, and returns the results of a part of them on a Flush message.
// A snapshot therefore costs no additional statement and no additional round trip.
type snapshot struct {
	from     *Set
	asOf     func(mcSeqno uint32)
	replica  *replica // nil until the first query, like the next five
	home     *replica // the database that replica reads
	conn     *pgxpool.Conn
	pipe     *pgconn.Pipeline
	prepared *statements
	bound    bound
	begun    bool // the first query was sent
	ended    bool // the last query was sent
	lost     bool // the session is another one
	err      error

	minSeqno uint32 // the masterchain block that the request needs
	cold     bool   // the index has cold servers
	alone    bool   // the head was read without looking for them
	coldSent string // what was sent about them; empty for nothing

	sent    time.Time       // when the statements were sent whose first result is awaited; zero: none, or not measured
	sentFor context.Context //nolint:containedctx // the request that they are for
	waiting []string        // texts of the statements that were sent last, if measured
	results int             // how many of them have a result

	names   *names.Cache
	version int64 // version of the names, -1 while the index is empty; read with the first query
}

// SelectHead reads the newest masterchain block from indexed_ranges, which has few rows.
const SelectHead = `SELECT r.last, (SELECT n.version FROM names_version n), ` + coldHere + ` FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1`

// selectHeadMarked is [SelectHead] on a connection through a pooler. It also reads the mark of the session, which another session
// does not have.
const selectHeadMarked = `SELECT r.last, (SELECT n.version FROM names_version n), ` + coldHere + `, current_setting('` + session.Marker + `', true)
	FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1`

// selectHeadAlone is [SelectHead] while it was read shortly before that there are no cold servers: looking again costs a fifth of the query.
const selectHeadAlone = `SELECT r.last, (SELECT n.version FROM names_version n) FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1`

var errEnded = errors.New("a query after the last one of a snapshot")

// Snapshot implements [Source].
func (s *snapshot) Snapshot(*names.Cache, func(uint32)) (Source, func()) { return s, func() {} }

// Last implements [Source].
func (s *snapshot) Last() Source { return finalQuery{s} }

// Immutable returns the pool before the snapshot has begun and after its last query, whose rows have been read: rows that never
// change need no snapshot. The connection is released first, because all of the pool could be waiting for another one.
func (s *snapshot) Immutable() sqlbuild.Queryer {
	if s.begun && !s.ended {
		return s
	}
	s.done()
	return s.from
}

// finalQuery is a snapshot whose next query ends it.
type finalQuery struct{ *snapshot }

// Last implements [Source].
func (f finalQuery) Last() Source { return f }

// Query sends a statement and the end of the snapshot.
func (f finalQuery) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return f.query(ctx, true, sql, args)
}

// SendBatch sends several statements and the end of the snapshot.
func (f finalQuery) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return f.sendBatch(ctx, true, b)
}

var errClosed = errors.New("the connection of a snapshot is closed")

// endTimeout limits how long the end of a connection may take.
const endTimeout = time.Second

// done ends the transaction and returns the connection to the pool. It closes a connection that could not end it. A query after it
// needs [snapshot.restart].
func (s *snapshot) done() {
	if s.conn == nil {
		return
	}
	if !s.ended && !s.conn.Conn().IsClosed() { // a cancelled query closes it, which takes a while and writes to it
		_ = s.pipe.Sync()
	}
	s.ended = true
	if err := s.pipe.Close(); s.lost || s.prepared.outdated(err) || s.prepared.outdated(s.err) {
		ending, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_ = s.conn.Conn().Close(ending) // the pool opens another one
	}
	s.conn.Release()
	s.conn = nil
}

// start sends queries together and reads no result. The first queries are preceded by the query for the head; the last
// ones are followed by the end.
func (s *snapshot) start(ctx context.Context, last bool, queries []*pgx.QueuedQuery) error {
	if s.ended {
		return errEnded
	}
	if err := ctx.Err(); err != nil {
		return err //nolint:wrapcheck // the caller adds the name of the query
	}
	s.sentFor = ctx
	if s.begun {
		if err := s.checkCover(queries); err != nil {
			return err
		}
		return s.send(last, queries)
	}
	if s.conn == nil {
		s.home, _ = s.from.pinned(ctx)
		var err error
		if s.replica, s.minSeqno, err = s.from.of(ctx); err != nil {
			return err
		}
		if s.replica.head.Load() < s.minSeqno { // as was read last
			if _, err := s.from.reaching(ctx); err != nil {
				return err
			}
		}
		conn, err := s.replica.pool.Acquire(ctx)
		if err != nil {
			s.replica.observe(err)
			return err //nolint:wrapcheck // the caller adds the name of the query
		}
		if err := s.home.refuseCold(ctx); err != nil { // while this request waited for a connection
			conn.Release()
			return err
		}
		pg := conn.Conn().PgConn()
		s.conn, s.pipe, s.prepared = conn, pg.StartPipeline(ctx), statementsOf(pg)
	}
	s.begun = true
	head := SelectHead
	exist, fresh := s.from.cold.recent()
	s.alone = false
	switch {
	case session.Of(s.conn.Conn()).Mark != "":
		head = selectHeadMarked
	case fresh && !exist:
		head, s.alone = selectHeadAlone, true
	}
	sent := append(s.coldQueries([]*pgx.QueuedQuery{{SQL: head}}), queries...)
	if err := s.send(last, sent); err != nil {
		return s.completeFault(err)
	}
	if err := s.readHead(); err != nil {
		return s.completeFault(err)
	}
	s.err = errors.Join(s.err, s.readCold(), s.checkCover(queries))
	return s.err
}

func (s *snapshot) readHead() error {
	rows, err := s.next()
	if err != nil {
		return err
	}
	head := uint32(0)
	s.version = -1
	var lost error
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		head, s.version = r.Uint32(), r.Int8()
		if s.cold = false; !s.alone {
			s.cold = r.Bool()
		}
		if at := session.Of(s.conn.Conn()); at.Mark != "" {
			lost = at.Check(r.Text())
		}
	})
	if err == nil && lost != nil {
		s.err, s.lost = lost, true
		return lost
	}
	s.names.Check(s.version)
	if s.asOf != nil {
		s.asOf(head)
	}
	s.asOf = nil
	if err == nil {
		err = s.replica.reached(s.sentFor, head, s.minSeqno)
		s.err = err
	}
	return err
}

// restart begins again after the last query: further queries read the newest state, which may be another one.
func (s *snapshot) restart(ctx context.Context) error {
	if s.conn == nil {
		s.begun, s.ended = false, false
		return nil
	}
	if err := s.pipe.Close(); err != nil {
		return err //nolint:wrapcheck // the caller adds the name of the query
	}
	s.pipe = s.conn.Conn().PgConn().StartPipeline(ctx)
	s.begun, s.ended = false, false
	return nil
}

func (s *snapshot) send(last bool, queries []*pgx.QueuedQuery) error {
	if s.conn.Conn().IsClosed() {
		return errors.Join(errClosed, s.err)
	}
	if err := s.prepared.prepare(s.pipe, queries); err != nil {
		return err
	}
	for _, q := range queries {
		statement := s.prepared.byText[q.SQL]
		if err := s.bound.bind(s.conn.Conn().TypeMap(), statement, q.Arguments); err != nil {
			return fmt.Errorf("values of a statement: %w", err)
		}
		s.pipe.SendQueryStatement(statement, s.bound.values, s.bound.formats, binaryFormat)
	}
	if s.from.observer != nil {
		s.waiting, s.results = s.waiting[:0], 0
		for _, q := range queries {
			s.waiting = append(s.waiting, q.SQL)
		}
		s.sent = time.Now()
	}
	if last {
		s.ended = true
		return s.pipe.Sync() //nolint:wrapcheck // the caller adds the name of the query
	}
	s.pipe.SendFlushRequest()
	err := s.pipe.Flush()
	if err != nil {
		s.replica.observe(err)
	}
	return err //nolint:wrapcheck // the caller adds the name of the query
}

// next returns the result of the next query that was sent.
func (s *snapshot) next() (pgx.Rows, error) {
	since := s.sent
	if s.from.observer != nil && since.IsZero() {
		since = time.Now()
	}
	results, err := s.pipe.GetResults()
	if s.from.observer != nil && s.results < len(s.waiting) {
		text := s.waiting[s.results]
		s.results++
		s.from.observer.Observe(s.sentFor, observe.Statement{
			Kind: observe.SnapshotRead, SQL: text, Took: time.Since(since), Follows: s.sent.IsZero(), Err: err,
		})
		s.sent = time.Time{}
	}
	if err != nil {
		s.err = err
		s.replica.observe(err)
		return nil, err //nolint:wrapcheck // the caller adds the name of the query
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return nil, errors.New("a snapshot has no more results")
	}
	return &boundedRows{Rows: pgx.RowsFromResultReader(s.conn.Conn().TypeMap(), reader)}, nil
}

// Query sends a statement.
func (s *snapshot) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return s.query(ctx, false, sql, args)
}

func (s *snapshot) query(ctx context.Context, last bool, sql string, args []any) (pgx.Rows, error) {
	if err := s.start(ctx, last, []*pgx.QueuedQuery{{SQL: sql, Arguments: args}}); err != nil {
		return nil, err
	}
	return s.next()
}

// SendBatch sends several statements at once.
func (s *snapshot) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return s.sendBatch(ctx, false, b)
}

func (s *snapshot) sendBatch(ctx context.Context, last bool, b *pgx.Batch) *batchResults {
	return &batchResults{snapshot: s, queries: b.QueuedQueries, err: s.start(ctx, last, b.QueuedQueries)}
}

// BeginTx always fails: a snapshot is a transaction already.
func (s *snapshot) BeginTx(context.Context, pgx.TxOptions) (pgx.Tx, error) {
	return nil, errors.New("a transaction in a snapshot")
}

// batchResults are the results of a batch. The functions that were queued with its queries read them.
type batchResults struct {
	pgx.BatchResults
	snapshot *snapshot
	queries  []*pgx.QueuedQuery
	err      error
}

// Query returns the result of the next query. A failed query has rows too, because the queued functions read them.
func (a *batchResults) Query() (pgx.Rows, error) {
	rows, err := a.snapshot.next()
	if err != nil {
		return failedRows{err: err}, err
	}
	return rows, nil
}

// failedRows are the rows of a failed query.
type failedRows struct {
	pgx.Rows
	err error
}

func (failedRows) Close()       {}
func (failedRows) Next() bool   { return false }
func (f failedRows) Err() error { return f.err }

// Close reads all results.
func (a *batchResults) Close() error {
	for _, q := range a.queries {
		if a.err == nil {
			a.err = q.Fn(a)
		}
	}
	a.queries = nil
	return a.err
}
