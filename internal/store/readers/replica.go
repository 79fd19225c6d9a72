package readers

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

const (
	// watchInterval is the time between two checks of the readers, watchTimeout the limit of one.
	watchInterval = 300 * time.Millisecond
	watchTimeout  = 2 * time.Second
	// setAside is how long a failed reader is avoided without a successful check.
	setAside = 2 * time.Second
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
