package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// The schema is larger than any other result, so introspection is limited to the queries of tools: the complete schema
// once, or a few types by name, without aliases and without fields of the types of fields.
const maxIntrospected = 4 // types by name; the complete schema counts as many

var errIntrospection = chain.Invalidf(
	"introspection is limited to the schema once, or up to %d types, without aliases and without the fields of the types of fields", maxIntrospected)

// elements are the list fields of a type. A query must not nest them.
var elements = []string{"fields", "inputFields", "enumValues", "interfaces", "possibleTypes"}

// checkIntrospection refuses introspection beyond the limits. It walks each fragment at most twice, so its work is linear.
func checkIntrospection(op *ast.OperationDefinition) error {
	w := introspectionWalk{seen: map[introspectedAt]bool{}}
	if !w.roots(op.SelectionSet, 0) {
		return errIntrospection
	}
	return nil
}

type introspectedAt struct {
	fragment string
	elements bool
}

type introspectionWalk struct {
	types int
	seen  map[introspectedAt]bool
}

// roots checks the introspection fields of the root selection.
func (w *introspectionWalk) roots(set ast.SelectionSet, depth int) bool {
	for _, sel := range set {
		ok := depth < 10
		switch s := sel.(type) {
		case *ast.Field:
			switch s.Name {
			case "__schema":
				w.types += maxIntrospected
			case "__type":
				w.types++
			default:
				continue
			}
			ok = w.types <= maxIntrospected && w.below(s.SelectionSet, false)
		case *ast.InlineFragment:
			ok = ok && w.roots(s.SelectionSet, depth+1)
		case *ast.FragmentSpread:
			ok = ok && (!mayIntrospect(s.Definition) || w.roots(s.Definition.SelectionSet, depth+1))
		}
		if !ok {
			return false
		}
	}
	return true
}

// mayIntrospect reports whether a fragment of the root may contain introspection fields.
func mayIntrospect(f *ast.FragmentDefinition) bool {
	return slices.ContainsFunc(f.SelectionSet, func(s ast.Selection) bool {
		field, plain := s.(*ast.Field)
		return !plain || strings.HasPrefix(field.Name, "__") && field.Name != "__typename"
	})
}

func (w *introspectionWalk) below(set ast.SelectionSet, inElements bool) bool {
	for _, sel := range set {
		ok := true
		switch s := sel.(type) {
		case *ast.Field:
			list := slices.Contains(elements, s.Name)
			ok = s.Alias == s.Name && (!list || !inElements) && w.below(s.SelectionSet, inElements || list)
		case *ast.InlineFragment:
			ok = w.below(s.SelectionSet, inElements)
		case *ast.FragmentSpread:
			at := introspectedAt{s.Name, inElements}
			if !w.seen[at] {
				w.seen[at] = true
				ok = w.below(s.Definition.SelectionSet, inElements)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}
