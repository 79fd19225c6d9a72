package graphql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"tonql/internal/chain"
)

// inspector refuses documents whose validation is slow: validation compares fields of one name in pairs and searches for
// names similar to an unknown one.
type inspector struct {
	limits    chain.ServiceConfig
	validated graphql.Cache[*ast.QueryDocument]
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
} = inspector{}

const (
	// maxRepeated bounds the repeated names of fields within one selection, summed over the document. Generated documents
	// merge them.
	maxRepeated = 30
	maxName     = 200 // bytes
	// maxValues bounds the values in variables; every list argument accepts fewer.
	maxValues = 10_000
)

// ExtensionName names the extension in gqlgen's statistics.
func (inspector) ExtensionName() string { return "Inspector" }

// Validate has nothing to check against the schema.
func (inspector) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters inspects a new document before its validation. The executor reports documents that cannot be
// parsed.
func (i inspector) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if values(p.Variables) > maxValues {
		return coded(codeTooLarge, "the variables have too many values")
	}
	if _, ok := i.validated.Get(ctx, p.Query); ok {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: p.Query}, i.limits.MaxTokens)
	if err != nil {
		return nil //nolint:nilerr // the executor reports the error
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
	case look.longest > maxName:
		return coded(codeTooLarge, "the query has a name of more than 200 bytes")
	case look.repeated > maxRepeated:
		return coded(codeTooLarge, "the query repeats fields too often")
	}
	return nil
}

// values counts the values of a variable recursively; the JSON decoder has bounded the depth.
func values(v any) int {
	n := 1
	switch v := v.(type) {
	case tooManyValues:
		n += maxValues
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

// tooManyValues replaces variables that are not decoded.
type tooManyValues struct{}

// inspection has the figures of one document.
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
