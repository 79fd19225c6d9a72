package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// The schema is far larger than any page, so what an operation may ask of it is bounded by what tools ask: all of it
// once, or a few types by name; no part under two names, and no types of the types of fields.
const maxIntrospected = 4 // types by name; the whole schema stands for as many

var errIntrospection = chain.Invalidf(
	"introspection gives the schema once, or up to %d types, without aliases and without the fields of fields' types", maxIntrospected)

// elements are the lists of a type, of which one may not be asked below another.
var elements = []string{"fields", "inputFields", "enumValues", "interfaces", "possibleTypes"}

// checkIntrospection walks each fragment once for each place that matters, however often fragments spread one another.
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
	asked int
	seen  map[introspectedAt]bool
}

// roots looks for introspection among the fields of the root; a root has few of them, so fragments are simply followed.
func (w *introspectionWalk) roots(set ast.SelectionSet, depth int) bool {
	for _, sel := range set {
		ok := depth < 10
		switch s := sel.(type) {
		case *ast.Field:
			switch s.Name {
			case "__schema":
				w.asked += maxIntrospected
			case "__type":
				w.asked++
			default:
				continue
			}
			ok = w.asked <= maxIntrospected && w.below(s.SelectionSet, false)
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

// mayIntrospect leaves out fragments that have nothing to do with it.
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
