package graphql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"tonql/internal/chain"
)

// inspector refuses a document whose validation would take long: validation compares fields of one name in pairs, and
// looks for names that are like an unknown one.
type inspector struct {
	limits chain.ServiceConfig
	known  graphql.Cache[*ast.QueryDocument] // documents that were validated
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
} = inspector{}

const (
	// maxRepeated bounds how often fields of one selection may repeat a name in the whole document: a person who writes
	// repeats none, and a program merges them.
	maxRepeated = 30
	longestName = 200 // bytes
	// maxValues bounds what variables may hold; no list that we serve takes as many.
	maxValues = 10_000
)

// ExtensionName names the extension in gqlgen's statistics.
func (inspector) ExtensionName() string { return "Inspector" }

// Validate has nothing to check against the schema.
func (inspector) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters reads a new document before it is validated. What cannot be parsed is left to the executor.
func (i inspector) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if values(p.Variables) > maxValues {
		return coded(codeTooLarge, "the variables have too many values")
	}
	if _, ok := i.known.Get(ctx, p.Query); ok {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: p.Query}, i.limits.MaxTokens)
	if err != nil {
		return nil //nolint:nilerr // the executor says what is wrong
	}
	var look inspection
	for _, op := range doc.Operations {
		look.selection(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		look.name(f.Name)
		look.name(f.TypeCondition)
		look.selection(f.SelectionSet)
	}
	switch {
	case look.longest > longestName:
		return coded(codeTooLarge, "the query has a name of more than 200 letters")
	case look.repeated > maxRepeated:
		return coded(codeTooLarge, "the query repeats fields too often")
	}
	return nil
}

// values counts what a variable holds; the reader of JSON has bounded the depth.
func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			n += values(element)
		}
	case map[string]any:
		for _, member := range v {
			n += values(member)
		}
	}
	return n
}

// inspection is what matters of a document.
type inspection struct{ repeated, longest int }

func (l *inspection) name(s string) { l.longest = max(l.longest, len(s)) }

func (l *inspection) selection(set ast.SelectionSet) {
	names := make(map[string]bool, len(set))
	for _, sel := range set {
		switch s := sel.(type) {
		case *ast.Field:
			l.name(s.Name)
			l.name(s.Alias)
			if names[s.Alias] {
				l.repeated++
			}
			names[s.Alias] = true
			for _, a := range s.Arguments {
				l.name(a.Name)
			}
			l.directives(s.Directives)
			l.selection(s.SelectionSet)
		case *ast.InlineFragment:
			l.name(s.TypeCondition)
			l.directives(s.Directives)
			l.selection(s.SelectionSet)
		case *ast.FragmentSpread:
			l.name(s.Name)
			l.directives(s.Directives)
		}
	}
}

func (l *inspection) directives(list ast.DirectiveList) {
	for _, d := range list {
		l.name(d.Name)
	}
}
