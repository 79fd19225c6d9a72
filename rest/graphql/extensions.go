package graphql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"tonql/graph/exec"
	"tonql/internal/feed"
)

// metadata adds extensions to responses: the masterchain block of the index and the cost.
type metadata struct {
	mcSeqno func(context.Context) (uint32, error)
	maxCost int
}

var _ interface {
	graphql.HandlerExtension
	graphql.ResponseInterceptor
} = metadata{}

// ExtensionName names the extension in gqlgen's statistics.
func (metadata) ExtensionName() string { return "Metadata" }

// Validate has nothing to check against the schema.
func (metadata) Validate(graphql.ExecutableSchema) error { return nil }

// costName is the name of the measured cost in the statistics of an operation.
const costName = "Cost"

// InterceptResponse adds the extensions mcSeqno and cost. mcSeqno is the newest masterchain block indexed before the
// operation started, so that no data is older, or the block of the event; cost has the estimated or, if higher, the actual
// cost of the operation and the limit. A response without data has no extensions.
func (m metadata) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	seqno, err := m.seqno(ctx)
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
		resp.Extensions["cost"] = map[string]int{"requested": max(cost, exec.Spent(ctx)), "limit": m.maxCost}
	}
	return resp
}

func (m metadata) seqno(ctx context.Context) (uint32, error) {
	if e := feed.EventOf(ctx); e != nil {
		return e.Cursor.McSeqno, nil
	}
	return m.mcSeqno(ctx)
}
