package graphql

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/graph/exec"
	"tonql/internal/access"
	"tonql/internal/chain"
)

// DefaultLimits are the limits of a public service. The introspection of GraphiQL and the pages of the explorer are far
// below them.
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

// limiter refuses operations that exceed the limits before their execution, and bounds the size of responses.
type limiter struct {
	limits chain.ServiceConfig
	schema *ast.Schema

	observe func(ctx context.Context, cost int) // nil: not measured
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.ResponseInterceptor
} = limiter{}

// ExtensionName names the extension in gqlgen's statistics.
func (limiter) ExtensionName() string { return "Limits" }

// Validate has nothing to check against the schema.
func (limiter) Validate(graphql.ExecutableSchema) error { return nil }

// costPerToken is the cost that equals one REST request. A page of ten transactions with their messages costs a few
// hundred.
const costPerToken = 1000

// MutateOperationContext measures the operation and refuses it when it exceeds a limit. The cost above one token is charged
// to the plan of the request.
func (l limiter) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if err := coerce(l.schema, op); err != nil {
		return coded(errcode.ValidationFailed, chain.PublicMessage(err))
	}
	size, err := measure(op.Operation, op.Variables, l.limits)
	if err == nil {
		err = size.check(l.limits)
	}
	if err == nil {
		err = checkIntrospection(op.Operation)
	}
	if err == nil {
		if wait, ok := access.Take(ctx, size.runs); !ok {
			return tooManyRuns(size.runs, wait)
		}
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

// tooManyRuns is the error of a document with more contract executions than the plan has tokens for. It is not executed.
func tooManyRuns(runs int, wait time.Duration) *gqlerror.Error {
	if wait == 0 {
		e := coded(codeRateLimited, fmt.Sprintf("the query has %d get-methods, simulations, estimations or sends, "+
			"more than the plan allows per second: send fewer in one request", runs))
		return e
	}
	e := coded(codeRateLimited, "Ratelimit exceed")
	e.Extensions["retryAfter"] = int(math.Ceil(wait.Seconds()))
	return e
}

// maxResponse bounds the data of one response, in bytes.
const maxResponse = 16 << 20

// InterceptResponse aborts a response that exceeds the maximum cost, and charges the cost above the estimate: the length of
// lists without page arguments is known after execution only.
func (l limiter) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	b := &exec.Budget{Values: l.limits.MaxCost, Bytes: maxResponse, Exceeded: &chain.Error{
		Kind: chain.TooLarge, Message: "the response has too many values: request fewer rows or fewer nested lists",
	}}
	resp := next(exec.WithNullDefaults(exec.WithBudget(ctx, b)))
	measured, ok := measuredCost(ctx)
	if ok && b.Spent() > measured {
		access.Charge(ctx, float64(b.Spent()/costPerToken-measured/costPerToken))
	}
	if ok && l.observe != nil {
		l.observe(ctx, max(measured, b.Spent()))
	}
	return resp
}

// measuredCost returns the estimated cost of the operation; false when the operation was refused.
func measuredCost(ctx context.Context) (int, bool) {
	cost, ok := graphql.GetOperationContext(ctx).Stats.GetExtension(costName).(int)
	return cost, ok
}
