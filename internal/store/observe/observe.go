package observe

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

// Statement is a statement that the database has executed, or that failed.
type Statement struct {
	Kind Kind
	Name string // of a bounded set, such as "select transactions by account"
	SQL  string
	// Took is the duration until the first result; outside of snapshots, until the result was read.
	Took time.Duration
	// Follows is whether it was sent together with others before it. Took is the wait after their results then.
	Follows bool
	Err     error
}

// Observer passes statements on with their names. A nil Observer measures nothing. Safe for concurrent use.
type Observer struct {
	pass  func(context.Context, Statement)
	names *namer
}

// New returns an Observer that calls pass with each statement, which must be safe for concurrent use; nil without pass.
func New(pass func(context.Context, Statement)) *Observer {
	if pass == nil {
		return nil
	}
	return &Observer{pass, newNamer()}
}

// Observe passes on a statement of that text, whose name it sets.
func (o *Observer) Observe(ctx context.Context, s Statement) {
	s.Name = o.names.name(s.SQL)
	o.pass(ctx, s)
}

// Tracer returns the tracer of a pool with statements of a kind. It calls inner as well, unless that is nil.
func (o *Observer) Tracer(kind Kind, inner pgx.QueryTracer) pgx.QueryTracer {
	if o == nil {
		return inner
	}
	return &tracer{inner, kind, o}
}
