package readers

import (
	"context"
	"sync"
	"time"

	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

const (
	// lagPoll is the interval at which the head of a reader that lacks a block is read, maxLag the time for which.
	lagPoll = 10 * time.Millisecond
	maxLag  = 300 * time.Millisecond
)

// pin is the reader that the queries of one request use.
type pin struct {
	minSeqno uint32 // masterchain block that the request names; 0 is any

	mu      sync.Mutex
	seen    uint32 // newest masterchain block that the request has seen; see [Require]
	of      *Set
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
func (rs *Set) of(ctx context.Context) (r *replica, minSeqno uint32, err error) {
	r, minSeqno = rs.pinned(ctx)
	if cover := sqlbuild.CoverOf(ctx); cover != nil && cover.Complete {
		r, err = rs.completeFor(ctx, r, cover)
	}
	return r, minSeqno, err
}

// pinned returns the database for a query, and the masterchain block that it should have.
func (rs *Set) pinned(ctx context.Context) (r *replica, minSeqno uint32) {
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

// reaching returns the reader for a query outside a snapshot, once it has the masterchain block that the request needs. It reads the
// head: what is remembered of it is older than what a standby has replayed, and newer after a failover. A block that is not there would be
// read as one without rows.
func (rs *Set) reaching(ctx context.Context) (*replica, error) {
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
