package readers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/cold"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/sqlbuild"
)

const (
	// coldHere is an expression: whether the index has cold servers.
	coldHere = `EXISTS (SELECT FROM cold_servers)`
	// selectColdEnd reads the newest block whose rows are on a cold server, in the tables of the index.
	selectColdEnd = `SELECT last, end_lt, gen_utime FROM cold_blocks ORDER BY step DESC LIMIT 1`
	// selectColdSteps finds cold servers whose newest step is another one than here, among the rows of all servers.
	selectColdSteps = `SELECT count(*), count(*) FILTER (WHERE step < expected) FROM cold_steps WHERE step <> expected`
	selectColdHere  = `SELECT ` + coldHere
)

// coldState is what a process knows of the cold servers of the index.
type coldState struct {
	mu    sync.Mutex
	exist bool
	read  time.Time // when it was read last
}

// coldAge is how long the absence of cold servers is remembered. The first step comes later after the first server was connected.
const coldAge = time.Second

// note records whether there are cold servers, as a snapshot has read it.
func (c *coldState) note(exist bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.exist, c.read = exist, time.Now()
}

// recent returns whether there are cold servers, and whether that was read recently enough.
func (c *coldState) recent() (exist, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.exist, c.exist || time.Since(c.read) < coldAge
}

// NoteCold records that the index has cold servers, for what this process reads next.
func (rs *Set) NoteCold() { rs.cold.note(true) }

// complete returns the reader of the rows of all servers: the same database, with other connections.
func (r *replica) complete() *replica {
	return r.part(cold.CompleteSchema)
}

// part returns the reader of the views of a schema; nil at the end.
func (r *replica) part(schema string) *replica {
	r.mu.Lock()
	defer r.mu.Unlock()
	if part := r.parts[schema]; part != nil || r.closed {
		return part
	}
	pool, err := r.open(schema)
	if err != nil {
		return nil // its configuration was good for the other pool: cannot happen
	}
	if r.parts == nil {
		r.parts = map[string]*replica{}
	}
	r.parts[schema] = &replica{name: r.name, pool: pool}
	return r.parts[schema]
}

// closeParts closes the pools of all parts.
func (r *replica) closeParts() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, part := range r.parts {
		part.pool.Close()
	}
}

// coldQueries adds to the first queries of a snapshot what says which rows are on cold servers.
func (s *snapshot) coldQueries(queries []*pgx.QueuedQuery) []*pgx.QueuedQuery {
	s.coldSent = ""
	cover := sqlbuild.CoverOf(s.sentFor)
	exist, _ := s.from.cold.recent()
	switch {
	case cover == nil:
		return queries
	case cover.Complete:
		s.coldSent = selectColdSteps
	case exist:
		s.coldSent = selectColdEnd
	default:
		return queries
	}
	if cover.Complete {
		if without := cover.LeftOut(); len(without) > 0 {
			queries = append(queries, &pgx.QueuedQuery{SQL: selectMissing, Arguments: []any{without}})
		}
	}
	return append(queries, &pgx.QueuedQuery{SQL: s.coldSent})
}

// readCold reads the result of what [snapshot.coldQueries] has added.
func (s *snapshot) readCold() error {
	if !s.alone {
		s.from.cold.note(s.cold)
	}
	cover := sqlbuild.CoverOf(s.sentFor)
	if cover == nil {
		return nil
	}
	if s.coldSent == "" {
		if s.cold {
			return chain.Transientf(nil, "blocks begin to be moved to another server; try again in a moment")
		}
		return nil
	}
	if cover.Complete {
		return s.readSteps(cover)
	}
	rows, err := s.next()
	if err != nil {
		return err
	}
	var end sqlbuild.Moved
	if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { end.Dropped = indexrange.ScanDropped(r) }); err != nil {
		return fmt.Errorf("moved blocks: %w", err)
	}
	cover.SetCold(end)
	return nil
}

// readSteps reads what a complete run leaves out, and whether the cold servers that it reads are as the index records them.
func (s *snapshot) readSteps(cover *sqlbuild.Cover) error {
	if len(cover.LeftOut()) > 0 {
		rows, err := s.next()
		if err == nil {
			err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { cover.SetCold(scanMissing(r)) })
		}
		if err != nil {
			return fmt.Errorf("moved blocks: %w", err)
		}
	}
	var differ, lost int64
	rows, err := s.next()
	if err == nil {
		err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { differ, lost = r.Int8(), r.Int8() })
	}
	if err == nil && differ > 0 {
		err = errMoving(lost)
	}
	if lost > 0 {
		s.home.health.fail()
	}
	return s.home.coldFault(cover, err)
}

// checkSteps returns the error of a database transaction that reads the rows of all servers while they differ.
func checkSteps(ctx context.Context, tx pgx.Tx) error {
	cover := sqlbuild.CoverOf(ctx)
	if cover == nil || !cover.Complete {
		return nil
	}
	if len(cover.LeftOut()) > 0 {
		return cover.Miss() // what the transaction reads is checked by nobody
	}
	var differ, lost int64
	if err := tx.QueryRow(ctx, selectColdSteps).Scan(&differ, &lost); err != nil {
		return err //nolint:wrapcheck // the caller adds the name of the query
	}
	if differ > 0 {
		return errMoving(lost)
	}
	return nil
}

// errSteps is the cause of the error of a read between the two commits of a move.
var errSteps = errors.New("the steps of a cold server are ahead of those of the index")

// errMoving is the error about rows that are on their way between servers, or were lost by so many of them.
func errMoving(lost int64) error {
	cause := errSteps
	if lost > 0 {
		cause = errors.New("a cold server lacks steps that the index records")
	}
	return chain.Transientf(cause, "blocks are being moved to another server; try again in a moment")
}

// maxMoving is how long a command waits for the end of a step, and for the indexer to undo one that was interrupted.
const maxMoving = 2 * time.Minute

// betweenSteps reads for a command that reads the rows of all servers, for hours, and is not repeated because a step of a move is between its two commits: the read is. Requests
// are repeated by [Try].
func betweenSteps(ctx context.Context, read func() error) error {
	for end, pause := time.Now().Add(maxMoving), firstPause; ; pause = min(2*pause, maxPause) {
		err := read()
		if !errors.Is(err, errSteps) || sqlbuild.CoverOf(ctx).Partial || time.Now().After(end) || !ctxtime.Sleep(ctx, pause) {
			return err
		}
	}
}

// checkCover returns the error of queries that may lack rows.
func (s *snapshot) checkCover(queries []*pgx.QueuedQuery) error {
	cover := sqlbuild.CoverOf(s.sentFor)
	if cover.Cold().Last == 0 {
		return nil
	}
	for _, q := range queries {
		if err := cover.Check(s.sentFor, q.SQL); err != nil {
			return err //nolint:wrapcheck // of a kind
		}
	}
	return nil
}

// completeFault is the error of a complete run before it has read the steps: its views are missing while the schema changes, or the time was over before cold servers
// responded, as all results of a round trip come together.
func (s *snapshot) completeFault(err error) error {
	if cover := sqlbuild.CoverOf(s.sentFor); cover != nil && cover.Complete {
		return s.home.coldFault(cover, err)
	}
	return err
}

// coldFault is the error of the first query of a snapshot that reads cold servers, whose rows it reads in an instant: one of them does not respond,
// when postgres_fdw says so or the time of a statement is over, or its views are missing.
func (r *replica) coldFault(cover *sqlbuild.Cover, err error) error {
	const foreign, connection, cancelled, noTable = "HV", "08", "57014", sqlbuild.CodeUndefinedTable
	if pgconn.Timeout(err) || errors.Is(err, context.DeadlineExceeded) {
		r.health.fail() // the next request has the servers checked first
		return err
	}
	pg := (*pgconn.PgError)(nil)
	if !errors.As(err, &pg) || len(pg.Code) != 5 || pg.Code[:2] != foreign && pg.Code[:2] != connection && pg.Code != cancelled && pg.Code != noTable {
		return err
	}
	r.health.fail()
	cover.Fail()
	return sqlbuild.NoResponse(cover.Cold(), err)
}

// refuseCold is the error of a request that reads all cold servers after one did not respond. Otherwise such requests, of which anybody can send any
// number, would take the places of others while they wait for it.
func (r *replica) refuseCold(ctx context.Context) error {
	cover := sqlbuild.CoverOf(ctx)
	if cover == nil || !cover.Partial || len(cover.LeftOut()) > 0 || !r.health.failing() {
		return nil
	}
	cover.Fail()
	return sqlbuild.NoResponse(sqlbuild.Moved{}, nil)
}
