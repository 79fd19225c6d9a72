package readers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/observe"
	"tonql/internal/store/sqlbuild"
)

// Set is the databases to read from. Each query or request reads one of them. As a [Source] each of its queries reads the newest state. Safe
// for concurrent use.
type Set struct {
	list     []*replica
	observer *observe.Observer // of the statements of snapshots; nil: not measured
	next     atomic.Uint32     // begins the next choice, so that equal ones alternate
	cold     coldState
	ctx      context.Context //nolint:containedctx // of what runs in the background
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// Database is a database to read from: the primary or a standby.
type Database struct {
	Pool *pgxpool.Pool
	// Views opens a pool whose tables are the views of a schema, which have rows of cold servers.
	Views func(schema string) (*pgxpool.Pool, error)
}

// New returns the set of the databases, whose pools Close closes.
func New(list []Database, observer *observe.Observer) *Set {
	ctx, stop := context.WithCancel(context.Background())
	rs := &Set{observer: observer, ctx: ctx, stop: stop}
	for _, d := range list {
		at := d.Pool.Config().ConnConfig
		rs.list = append(rs.list, &replica{name: at.Host + "/" + at.Database, pool: d.Pool, open: d.Views})
	}
	if len(rs.list) > 1 {
		for _, r := range rs.list {
			rs.done.Go(func() { r.watch(ctx) })
		}
	}
	return rs
}

// Close ends what runs in the background and closes the pools.
func (rs *Set) Close() {
	rs.stop()
	rs.done.Wait()
	for _, r := range rs.list {
		r.closeParts()
		r.pool.Close()
	}
}

// Ping checks that a reader responds.
func (rs *Set) Ping(ctx context.Context) error {
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

// maxBehind is how many masterchain blocks a reader may be behind the newest one and still be chosen by its load.
const maxBehind = 3

// choose returns the reader with the lowest load among those that work, are near the newest block, and have block minSeqno. Without
// one it returns the newest.
func (rs *Set) choose(minSeqno uint32) *replica {
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

// State is the state of one database to read from.
type State struct {
	Name   string // host and database
	Usable bool   // its last use succeeded
	Head   uint32 // newest masterchain block that was read from it
}

// States returns the states of the databases.
func (rs *Set) States() []State {
	states := make([]State, len(rs.list))
	for i, r := range rs.list {
		states[i] = State{Name: r.name, Usable: r.usable(time.Now()), Head: r.head.Load()}
	}
	return states
}

// Pools returns the pools of the databases, without those of their views.
func (rs *Set) Pools() []*pgxpool.Pool {
	pools := make([]*pgxpool.Pool, len(rs.list))
	for i, r := range rs.list {
		pools[i] = r.pool
	}
	return pools
}
