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
	observe func(Kind, time.Duration)
}

type traceStart struct{}

// TraceQueryStart implements [pgx.QueryTracer].
func (t *tracer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if t.QueryTracer != nil {
		ctx = t.QueryTracer.TraceQueryStart(ctx, conn, data)
	}
	return context.WithValue(ctx, traceStart{}, time.Now())
}

// TraceQueryEnd implements [pgx.QueryTracer].
func (t *tracer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	if start, ok := ctx.Value(traceStart{}).(time.Time); ok {
		t.observe(t.kind, time.Since(start))
	}
	if t.QueryTracer != nil {
		t.QueryTracer.TraceQueryEnd(ctx, conn, data)
	}
}
