package graphql

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/graph/exec"
	"tonql/internal/tracing"
)

// maxSpanFields bounds the fields that a span names.
const maxSpanFields = 8

// startSpan begins the span of an operation: its kind, with the names of the fields at its root as the schema has them. The name of
// the operation is the client's, and in no span.
func startSpan(ctx context.Context, op *graphql.OperationContext) (context.Context, tracing.Span) {
	ctx, span := tracing.Start(ctx, string(op.Operation.Operation), tracing.GraphQL)
	if span.Recording() {
		fields := rootFields(op.Operation.SelectionSet, map[string]bool{}, nil)
		span.Text("graphql.fields", strings.Join(fields, ","))
		ctx = exec.WithObserver(ctx, observeResolver)
	}
	return ctx, span
}

// observeResolver is an [exec.Observer] that records a resolver.
func observeResolver(ctx context.Context, object, field string) (context.Context, func(error)) {
	ctx, span := tracing.StartResolver(ctx, object, field)
	return ctx, span.End
}

// rootFields appends the names of the fields of a root selection with its fragments, each once and maxSpanFields at most.
func rootFields(set ast.SelectionSet, visited map[string]bool, to []string) []string {
	for _, sel := range set {
		if len(to) == maxSpanFields {
			break
		}
		switch sel := sel.(type) {
		case *ast.Field:
			if !slices.Contains(to, sel.Name) {
				to = append(to, sel.Name)
			}
		case *ast.InlineFragment:
			to = rootFields(sel.SelectionSet, visited, to)
		case *ast.FragmentSpread:
			if !visited[sel.Name] {
				visited[sel.Name] = true
				to = rootFields(sel.Definition.SelectionSet, visited, to)
			}
		}
	}
	return to
}

// endSpan ends the span of an operation with the class of its first error.
func endSpan(span tracing.Span, resp *graphql.Response, failed error) {
	class := tracing.Class(failed)
	if span.Recording() && class == "" && resp != nil && len(resp.Errors) > 0 {
		class, _ = resp.Errors[0].Extensions["code"].(string)
	}
	span.EndClass(class)
}
