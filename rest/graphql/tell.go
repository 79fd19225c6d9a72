package graphql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"tonql/graph/exec"
	"tonql/internal/feed"
)

// teller adds to each answer what it is as of and what it cost.
type teller struct {
	mcSeqno func(context.Context) (uint32, error)
	maxCost int
}

var _ interface {
	graphql.HandlerExtension
	graphql.ResponseInterceptor
} = teller{}

// ExtensionName names the extension in gqlgen's statistics.
func (teller) ExtensionName() string { return "Tell" }

// Validate has nothing to check against the schema.
func (teller) Validate(graphql.ExecutableSchema) error { return nil }

// costName is where the measured cost of an operation is kept.
const costName = "Cost"

// InterceptResponse tells in extensions: mcSeqno, the newest masterchain block that was indexed when the operation began,
// so that nothing in the answer is older, or that of the event that is told; cost, what the operation was measured to cost,
// or what it did cost where that is more, and the limit. An answer without data has none.
func (t teller) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	seqno, err := t.asOf(ctx)
	resp := next(ctx)
	if resp == nil || len(resp.Data) == 0 {
		return resp
	}
	if resp.Extensions == nil {
		resp.Extensions = map[string]any{}
	}
	if err == nil {
		resp.Extensions["mcSeqno"] = seqno
	}
	if cost, ok := measuredCost(ctx); ok {
		resp.Extensions["cost"] = map[string]int{"requested": max(cost, exec.Spent(ctx)), "limit": t.maxCost}
	}
	return resp
}

func (t teller) asOf(ctx context.Context) (uint32, error) {
	if e := feed.EventOf(ctx); e != nil {
		return e.Cursor.McSeqno, nil
	}
	return t.mcSeqno(ctx)
}
