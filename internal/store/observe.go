package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Kind is the kind of statements that are observed.
type Kind uint8

// The kinds.
const (
	SnapshotRead Kind = iota // statements that the APIs send together in a snapshot
	SingleRead               // other statements of the reading pool
	Write                    // statements of the writing pool
)

// String returns the kind's name in metrics.
func (k Kind) String() string { return [...]string{"snapshot", "read", "write"}[k] }

// tracer observes the statements of a pool.
type tracer struct {
	pgx.QueryTracer // called as well, unless it is nil

	kind    Kind
	observe func(context.Context, RoundTrip)
}

// RoundTrip is the sending of statements to the database until the first result. Err is nil in those of a snapshot, whose
// errors end the request.
type RoundTrip struct {
	Kind Kind
	Took time.Duration
	SQL  string // of the statement, or the first one
	Err  error
}

type traceStart struct{}

type tracedStatement struct {
	sent time.Time
	sql  string
}

// TraceQueryStart implements [pgx.QueryTracer].
func (t *tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if t.QueryTracer != nil {
		ctx = t.QueryTracer.TraceQueryStart(ctx, conn, data)
	}
	return context.WithValue(ctx, traceStart{}, &tracedStatement{time.Now(), data.SQL})
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (t *tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if s, ok := ctx.Value(traceStart{}).(*tracedStatement); ok {
		t.observe(ctx, RoundTrip{t.kind, time.Since(s.sent), s.sql, data.Err})
	}
	if t.QueryTracer != nil {
		t.QueryTracer.TraceQueryEnd(ctx, conn, data)
	}
}
