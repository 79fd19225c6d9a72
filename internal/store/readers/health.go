package readers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/cold"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/sqlbuild"
)

// coldHealth is what a process knows of the cold servers that do not respond, as one database of the index sees them. It checks them only after one
// has failed, until all respond again. Safe for concurrent use.
type coldHealth struct {
	mu      sync.Mutex
	suspect bool      // one may not respond
	checked time.Time // when the last check ended
	busy    chan struct{}
	down    []string       // servers that do not respond, in the order in which they were connected
	missing sqlbuild.Moved // their blocks
	all     int            // servers
}

// coldCheckTimeout bounds a check of the cold servers.
const coldCheckTimeout = 2 * time.Second

// fail records that a request has not got the rows of a cold server.
func (h *coldHealth) fail() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.suspect || time.Since(h.checked) > watchInterval { // otherwise of what the last check has found
		h.suspect, h.checked = true, time.Time{}
	}
}

// failing reports whether a cold server may not respond.
func (h *coldHealth) failing() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.suspect
}

// servers returns the servers that do not respond. While check runs, which callers wait for, they get the result of the last one after watchInterval,
// unless there is none.
func (h *coldHealth) servers(ctx context.Context, background func(func(ctx context.Context)), check func(ctx context.Context) coldCheck) []string {
	waited := time.NewTimer(watchInterval)
	defer waited.Stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.suspect && time.Since(h.checked) > setAside && ctx.Err() == nil {
		if h.busy == nil {
			busy := make(chan struct{})
			h.busy = busy
			background(func(ctx context.Context) {
				defer close(busy)
				h.set(check(ctx))
			})
		}
		busy, last := h.busy, waited.C
		if h.checked.IsZero() {
			last = nil
		}
		h.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
		case <-last:
			h.mu.Lock()
			return h.down
		}
		h.mu.Lock()
	}
	return h.down
}

// coldCheck is the result of a check.
type coldCheck struct {
	down    []string
	missing sqlbuild.Moved
	all     int
}

func (h *coldHealth) set(c coldCheck) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy, h.checked = nil, time.Now()
	h.down, h.missing, h.all = c.down, c.missing, c.all
	h.suspect = len(c.down) > 0
}

// refuse returns the error of requests while too many servers do not respond.
func (h *coldHealth) refuse(without []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(without) == 0 || cold.Omissible(len(without), h.all) {
		return nil
	}
	return sqlbuild.NoResponse(h.missing, nil)
}

const (
	selectColdServers = `SELECT name FROM cold_servers ORDER BY number`
	// What requests do not read without these servers. A position that a step lacks is lower than all others.
	selectMissing = `SELECT coalesce(max(last), 0)::bigint, coalesce(max(end_lt), 0)::bigint, coalesce(max(gen_utime), 0)::bigint, coalesce(min(first), 0)::bigint,
		coalesce(min(coalesce(first_mc_seqno, 0)), 0)::bigint, coalesce(min(coalesce(first_utime, 0)), 0)::bigint, coalesce(min(coalesce(first_lt, 0)), 0)::bigint
		FROM cold_blocks WHERE server = ANY($1::text[])`
)

func scanMissing(r *sqlbuild.Row) sqlbuild.Moved {
	return sqlbuild.Moved{Dropped: indexrange.ScanDropped(r), First: r.Uint32(), FirstMcSeqno: r.Uint32(), FirstUtime: r.Uint32(), FirstLT: r.LT()}
}

// checkCold reads from each cold server on a connection of its own, as those of the pools are for requests.
func (r *replica) checkCold(ctx context.Context) (c coldCheck) {
	ctx, cancel := context.WithTimeout(ctx, coldCheckTimeout)
	defer cancel()
	names, err := sqlbuild.Collect(ctx, r.pool, "cold servers", 2, func(r *sqlbuild.Row, name *string) { *name = r.Text() }, selectColdServers)
	if err != nil {
		return c // what the index itself lacks is for its own queries to report
	}
	c.all = len(names)
	failed := make([]bool, len(names))
	var group sync.WaitGroup
	for i, name := range names {
		group.Go(func() { failed[i] = r.readStep(ctx, name) != nil })
	}
	group.Wait()
	for i, name := range names {
		if failed[i] {
			c.down = append(c.down, name)
		}
	}
	if len(c.down) > 0 {
		// Without them the error of requests names no blocks.
		missing, _ := sqlbuild.Collect(context.WithoutCancel(ctx), r.pool, "cold servers", 1, func(r *sqlbuild.Row, m *sqlbuild.Moved) { *m = scanMissing(r) }, selectMissing, c.down)
		if len(missing) > 0 {
			c.missing = missing[0]
		}
	}
	return c
}

// stepTries is how often the step of a cold server is read that lacks one: it does so for a moment while rows are moved back.
const stepTries = 3

// readStep returns an error if a cold server does not respond, or lacks a step that the index records.
func (r *replica) readStep(ctx context.Context, server string) error {
	conn, err := pgx.ConnectConfig(ctx, r.pool.Config().ConnConfig)
	if err != nil {
		return err //nolint:wrapcheck // nobody reads it
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		_ = conn.Close(ending) // nothing is left to do on it
	}()
	for try := 1; ; try++ {
		var there, here int64
		if err := conn.QueryRow(ctx, `SELECT coalesce(max(step), 0) FROM cold_blocks WHERE server = $1`, server).Scan(&here); err != nil {
			return err //nolint:wrapcheck // as above
		}
		if err := conn.QueryRow(ctx, cold.SelectStep(server)).Scan(&there); err != nil {
			return err //nolint:wrapcheck // as above
		}
		if there >= here {
			return nil
		}
		if try == stepTries || !ctxtime.Sleep(ctx, firstPause) {
			return fmt.Errorf("%s lacks steps", server)
		}
	}
}

// completeFor returns the reader of a complete run.
func (rs *Set) completeFor(ctx context.Context, r *replica, cover *sqlbuild.Cover) (*replica, error) {
	without := cover.Without(func() []string {
		return slices.Clone(r.health.servers(ctx, rs.background, r.checkCold))
	})
	if err := r.health.refuse(without); err != nil {
		return nil, err
	}
	of := r.complete()
	if len(without) > 0 {
		of = r.part(cold.SchemaWithout(without))
	}
	if of == nil {
		return nil, chain.Unavailablef(nil, "the service is ending")
	}
	return of, nil
}

// background runs fn until the readers are closed, which waits for it.
func (rs *Set) background(fn func(ctx context.Context)) {
	rs.done.Go(func() { fn(rs.ctx) })
}

// ColdFailing returns the number of cold servers, and of those that do not respond or lack a step, as the first database sees them.
func (rs *Set) ColdFailing(ctx context.Context) (all, failing int) {
	c := rs.list[0].checkCold(ctx)
	return c.all, len(c.down)
}
