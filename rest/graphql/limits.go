package graphql

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/access"
	"tonql/internal/chain"
)

// DefaultLimits suit a public service: GraphiQL's introspection and an explorer's pages fit many times over.
var DefaultLimits = chain.ServiceConfig{
	MaxBodyBytes:    1 << 20,
	MaxTokens:       2000,
	MaxDepth:        20,
	MaxAliases:      30,
	MaxRootFields:   20,
	MaxFields:       1000,
	MaxCost:         50_000,
	MaxPageSize:     100,
	DefaultPageSize: 20,
	TimeoutMs:       10_000,

	MaxSubscriptions: 50,
	MaxConnections:   100,
	MaxBlocksBehind:  100_000,
	SlowAfterMs:      10_000,
}

// limiter refuses an operation whose shape is beyond the limits, before anything of it is resolved.
type limiter struct{ limits chain.ServiceConfig }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = limiter{}

// ExtensionName names the extension in gqlgen's statistics.
func (limiter) ExtensionName() string { return "Limits" }

// Validate has nothing to check against the schema.
func (limiter) Validate(graphql.ExecutableSchema) error { return nil }

// costPerToken is the cost that one REST request stands for: a page of ten transactions with what belongs to them costs
// a few hundred.
const costPerToken = 1000

// MutateOperationContext measures the operation and refuses it when it is too large. What it costs beyond one token is
// charged to the request's plan.
func (l limiter) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	size, err := measure(op.Operation, op.Variables, l.limits)
	if err == nil {
		err = size.check(l.limits)
	}
	if err == nil {
		err = checkIntrospection(op.Operation)
	}
	if err == nil {
		access.Charge(ctx, float64(size.cost/costPerToken))
		op.Stats.SetExtension(costName, size.cost)
		return nil
	}
	var e *chain.Error
	if !errors.As(err, &e) {
		return gqlerror.Errorf("internal error")
	}
	out := gqlerror.Errorf("%s", e.Message)
	out.Extensions = map[string]any{"code": codeTooLarge}
	return out
}
