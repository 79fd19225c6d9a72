package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/observe"
	"tonql/internal/store/sqlbuild"
)

// replica is one database to read from: the primary or a standby.
type replica struct {
	name   string // host and database, for the log and metrics
	pool   *pgxpool.Pool
	head   atomic.Uint32  // newest masterchain block that was read
	failed ctxtime.Moment // the last failure; zero after a success
	checks singleflight.Group

	checked ctxtime.Moment // when the last successful check began

	open   func(schema string) (*pgxpool.Pool, error) // a pool whose tables are the views of the schema
	mu     sync.Mutex
	closed bool
	parts  map[string]*replica // the same database with the rows of cold servers, by schema; each is opened when it is used
	health coldHealth
}

// readers are the databases to read from. Each query or request reads one of them. Safe for concurrent use.
type readers struct {
	list     []*replica
	observer *observe.Observer // of the statements of snapshots; nil: not measured
	next     atomic.Uint32     // begins the next choice, so that equal ones alternate
	cold     coldState
	ctx      context.Context //nolint:containedctx // of what runs in the background
	stop     context.CancelFunc
	done     sync.WaitGroup
}

const (
	// maxBehind is how many masterchain blocks a reader may be behind the newest one and still be chosen by its load.
	maxBehind = 3
	// watchInterval is the time between two checks of the readers, watchTimeout the limit of one.
	watchInterval = 300 * time.Millisecond
	watchTimeout  = 2 * time.Second
	// setAside is how long a failed reader is avoided without a successful check.
	setAside = 2 * time.Second
)

func newReaders(list []*replica, observer *observe.Observer) *readers {
	ctx, stop := context.WithCancel(context.Background())
	rs := &readers{list: list, observer: observer, ctx: ctx, stop: stop}
	if len(list) > 1 {
		for _, r := range list {
			rs.done.Go(func() { r.watch(ctx) })
		}
	}
	return rs
}

func (rs *readers) close() {
	rs.stop()
	rs.done.Wait()
	for _, r := range rs.list {
		r.closeParts()
		r.pool.Close()
	}
}

// ping checks that a reader responds.
func (rs *readers) ping(ctx context.Context) error {
	var first error
	for _, r := range rs.list {
		_, err := r.check(ctx)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return sqlbuild.Fault(ctx, "reading database", first)
}

// watch checks a reader until ctx ends.
func (r *replica) watch(ctx context.Context) {
	for ctxtime.Sleep(ctx, watchInterval) {
		bounded, cancel := context.WithTimeout(ctx, watchTimeout)
		if _, err := r.check(bounded); err != nil && ctx.Err() == nil {
			r.failed.Set(time.Now())
		}
		cancel()
	}
}

// check reads the head; 0 for an empty index.
func (r *replica) check(ctx context.Context) (uint32, error) {
	var head int64
	begun := time.Now()
	err := r.pool.QueryRow(ctx, `SELECT coalesce((SELECT r.last FROM indexed_ranges r ORDER BY r.first DESC LIMIT 1), 0)`).Scan(&head)
	if missing := (*pgconn.PgError)(nil); errors.As(err, &missing) && missing.Code == sqlbuild.CodeUndefinedTable {
		err = nil // not migrated yet
	}
	if err == nil {
		r.head.Store(uint32(head)) // lower than before after a failover
		r.checked.Set(begun)
		r.failed.Clear()
	}
	return uint32(head), err
}

// sharedCheck is check, at most once in lagPoll for all requests: those that wait for a standby do not slow it down further.
func (r *replica) sharedCheck(ctx context.Context) (uint32, error) {
	if time.Since(r.checked.Time()) < lagPoll {
		return r.head.Load(), nil
	}
	wait := r.checks.DoChan("", func() (any, error) {
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), watchTimeout)
		defer cancel()
		return r.check(shared)
	})
	select {
	case <-ctx.Done():
		return 0, ctx.Err() //nolint:wrapcheck // the caller adds the name of the query
	case result := <-wait:
		head, _ := result.Val.(uint32)
		return head, result.Err //nolint:wrapcheck // as above
	}
}

// observe records an error of a query.
func (r *replica) observe(err error) {
	if !sqlbuild.IsServerLost(err) {
		return
	}
	now := time.Now()
	if before := r.failed.Swap(now); now.Sub(before) > setAside/2 {
		r.pool.Reset() // the other connections were probably lost too; new ones replace them
	}
}

// usable reports whether the last use of a reader succeeded, or is long ago.
func (r *replica) usable(now time.Time) bool {
	return now.Sub(r.failed.Time()) > setAside
}

// load is the share of connections in use.
func (r *replica) load() float64 {
	s := r.pool.Stat()
	return float64(s.AcquiredConns()) / float64(max(1, s.MaxConns()))
}

// choose returns the reader with the lowest load among those that work, are near the newest block, and have block minSeqno. Without
// one it returns the newest.
func (rs *readers) choose(minSeqno uint32) *replica {
	if len(rs.list) == 1 {
		return rs.list[0]
	}
	now, newest := time.Now(), uint32(0)
	for _, r := range rs.list {
		if r.usable(now) {
			newest = max(newest, r.head.Load())
		}
	}
	first := int(rs.next.Add(1))
	var best, fallback *replica
	var lowest float64
	for i := range rs.list {
		r := rs.list[(first+i)%len(rs.list)]
		head := r.head.Load()
		switch {
		case !r.usable(now):
			continue
		case fallback == nil || head > fallback.head.Load():
			fallback = r
		}
		if head+maxBehind < newest || head < minSeqno {
			continue
		}
		if load := r.load(); best == nil || load < lowest {
			best, lowest = r, load
		}
	}
	switch {
	case best != nil:
		return best
	case fallback != nil:
		return fallback
	}
	return rs.list[first%len(rs.list)]
}

// pin is the reader that the queries of one request use.
type pin struct {
	minSeqno uint32 // masterchain block that the request names; 0 is any

	mu      sync.Mutex
	seen    uint32 // newest masterchain block that the request has seen; see [Require]
	of      *readers
	chosen  *replica
	reached uint32 // masterchain block that chosen has
}

type pinKey struct{}

// Pin returns a context whose queries all read the same reader, one that has masterchain block minSeqno if any has; 0 is any.
func Pin(ctx context.Context, minSeqno uint32) context.Context {
	return context.WithValue(ctx, pinKey{}, &pin{minSeqno: minSeqno})
}

// Require lets the further queries of a pinned request read no state before masterchain block mcSeqno, which the request knows to be in the
// index: by a cached head, perhaps, that another reader has and its own does not.
func Require(ctx context.Context, mcSeqno uint32) {
	if p, ok := ctx.Value(pinKey{}).(*pin); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen = max(p.seen, mcSeqno)
	}
}

// of returns the reader for a query, and the masterchain block that it should have.
func (rs *readers) of(ctx context.Context) (r *replica, minSeqno uint32, err error) {
	r, minSeqno = rs.pinned(ctx)
	if cover := sqlbuild.CoverOf(ctx); cover != nil && cover.Complete {
		r, err = rs.completeFor(ctx, r, cover)
	}
	return r, minSeqno, err
}

// pinned returns the database for a query, and the masterchain block that it should have.
func (rs *readers) pinned(ctx context.Context) (r *replica, minSeqno uint32) {
	p, ok := ctx.Value(pinKey{}).(*pin)
	if !ok {
		return rs.choose(0), 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	needed := p.minSeqno
	if len(rs.list) > 1 { // what a request has seen comes from the only reader
		needed = max(needed, p.seen)
	}
	if p.chosen == nil || p.of != rs {
		p.of, p.chosen, p.reached = rs, rs.choose(needed), 0
	}
	return p.chosen, needed
}

// reached returns an error when a snapshot has read an older state than its request needs.
func (r *replica) reached(ctx context.Context, head, minSeqno uint32) error {
	r.head.Store(head)
	if head < minSeqno {
		return chain.Transientf(nil, "masterchain block %d is not there yet: the index has reached %d", minSeqno, head)
	}
	if p, ok := ctx.Value(pinKey{}).(*pin); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.chosen == r {
			p.reached = max(p.reached, head)
		}
	}
	return nil
}

const (
	// lagPoll is the interval at which the head of a reader that lacks a block is read, maxLag the time for which.
	lagPoll = 10 * time.Millisecond
	maxLag  = 300 * time.Millisecond
)

// reaching returns the reader for a query outside a snapshot, once it has the masterchain block that the request needs. It reads the
// head: what is remembered of it is older than what a standby has replayed, and newer after a failover. A block that is not there would be
// read as one without rows.
func (rs *readers) reaching(ctx context.Context) (*replica, error) {
	r, minSeqno, err := rs.of(ctx)
	if minSeqno == 0 || err != nil {
		return r, err
	}
	p, _ := ctx.Value(pinKey{}).(*pin) // of has found it
	p.mu.Lock()
	done := p.chosen == r && p.reached >= minSeqno
	p.mu.Unlock()
	if done {
		return r, nil
	}
	for end := time.Now().Add(maxLag); ; {
		head, err := r.sharedCheck(ctx)
		if err != nil {
			r.observe(err)
			return r, err
		}
		if err = r.reached(ctx, head, minSeqno); err == nil || time.Now().After(end) || !ctxtime.Sleep(ctx, lagPoll) {
			return r, err
		}
	}
}

// poolSource is the readers as a source. Each query reads the newest state of one.
type poolSource struct{ readers *readers }

func (p poolSource) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if p.readers.divided(ctx) {
		return p.queryOnce(ctx, sql, args)
	}
	r, err := p.readers.reaching(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.pool.Query(ctx, sql, args...)
	if err != nil {
		r.observe(err)
	}
	return rows, err //nolint:wrapcheck // the caller adds the name of the query
}

func (p poolSource) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if p.readers.divided(ctx) {
		return p.sendOnce(ctx, b)
	}
	r, err := p.readers.reaching(ctx)
	if err != nil {
		return failedBatch{err}
	}
	return observedBatch{r.pool.SendBatch(ctx, b), r}
}

// failedBatch is the results of a batch that was not sent.
type failedBatch struct{ err error }

func (b failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }
func (b failedBatch) Query() (pgx.Rows, error)         { return nil, b.err }
func (b failedBatch) QueryRow() pgx.Row                { return b }
func (b failedBatch) Scan(...any) error                { return b.err }
func (b failedBatch) Close() error                     { return b.err }

// observedBatch records the error of a batch.
type observedBatch struct {
	pgx.BatchResults
	from *replica
}

func (b observedBatch) Close() error {
	err := b.BatchResults.Close()
	if err != nil {
		b.from.observe(err)
	}
	return err //nolint:wrapcheck // the caller adds the name of the query
}

func (p poolSource) BeginTx(ctx context.Context, opts pgx.TxOptions) (tx pgx.Tx, err error) {
	err = betweenSteps(ctx, func() error {
		tx, err = p.beginTx(ctx, opts)
		return err
	})
	return tx, err
}

func (p poolSource) beginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error) {
	r, err := p.readers.reaching(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := r.pool.BeginTx(ctx, opts)
	if err != nil {
		r.observe(err)
		return nil, err //nolint:wrapcheck // the caller adds the name of the query
	}
	if err := checkSteps(ctx, tx); err != nil {
		_ = tx.Rollback(ctx) // the first error is the cause
		return nil, err
	}
	return tx, nil
}

// ReaderState is the state of one database to read from.
type ReaderState struct {
	Name   string // host and database
	Usable bool   // its last use succeeded
	Head   uint32 // newest masterchain block that was read from it
}

// Readers returns the states of the databases to read from.
func (db *DB) Readers() []ReaderState {
	states := make([]ReaderState, len(db.read.list))
	for i, r := range db.read.list {
		states[i] = ReaderState{Name: r.name, Usable: r.usable(time.Now()), Head: r.head.Load()}
	}
	return states
}
