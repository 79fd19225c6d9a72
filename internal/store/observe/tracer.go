package observe

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// tracer observes the statements of a pool.
type tracer struct {
	inner    pgx.QueryTracer // called as well, unless it is nil
	kind     Kind
	observer *Observer
}

var (
	_ pgx.QueryTracer = (*tracer)(nil)
	_ pgx.BatchTracer = (*tracer)(nil)
)

type traceStart struct{}

// tracedStatement is a statement or a batch that was sent.
type tracedStatement struct {
	since   time.Time // when it was sent, or the last result of the batch was read
	sql     string
	follows bool
}

// TraceQueryStart implements [pgx.QueryTracer].
func (t *tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if t.inner != nil {
		ctx = t.inner.TraceQueryStart(ctx, conn, data)
	}
	return context.WithValue(ctx, traceStart{}, &tracedStatement{since: time.Now(), sql: data.SQL})
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (t *tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if s, ok := ctx.Value(traceStart{}).(*tracedStatement); ok {
		t.observer.Observe(ctx, Statement{Kind: t.kind, SQL: s.sql, Took: time.Since(s.since), Err: data.Err})
	}
	if t.inner != nil {
		t.inner.TraceQueryEnd(ctx, conn, data)
	}
}

// TraceBatchStart implements [pgx.BatchTracer].
func (t *tracer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if inner, ok := t.inner.(pgx.BatchTracer); ok {
		ctx = inner.TraceBatchStart(ctx, conn, data)
	}
	return context.WithValue(ctx, traceStart{}, &tracedStatement{since: time.Now()})
}

// TraceBatchQuery implements [pgx.BatchTracer]. pgx calls it when the result of a statement of the batch has been read, one
// after the other.
func (t *tracer) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	if s, ok := ctx.Value(traceStart{}).(*tracedStatement); ok {
		now := time.Now()
		t.observer.Observe(ctx, Statement{Kind: t.kind, SQL: data.SQL, Took: now.Sub(s.since), Follows: s.follows, Err: data.Err})
		s.since, s.follows = now, true
	}
	if inner, ok := t.inner.(pgx.BatchTracer); ok {
		inner.TraceBatchQuery(ctx, conn, data)
	}
}

// TraceBatchEnd implements [pgx.BatchTracer].
func (t *tracer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	if inner, ok := t.inner.(pgx.BatchTracer); ok {
		inner.TraceBatchEnd(ctx, conn, data)
	}
}
