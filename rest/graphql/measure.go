package graphql

import (
	"math"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// size has the measures of an operation with its fragments expanded. Numbers saturate instead of overflowing.
type size struct {
	depth   int
	aliases int
	roots   int
	fields  int
	cost    int // fields times the rows of the pages around them
	runs    int // get-methods, simulations, estimations and sends
}

// add adds the measures of a child that repeats times times; depth is the maximum.
func (s *size) add(o size, times int) {
	s.depth = max(s.depth, o.depth)
	s.aliases = saturate(s.aliases, o.aliases)
	s.fields = saturate(s.fields, o.fields)
	s.cost = saturate(s.cost, multiply(o.cost, times))
	s.runs = saturate(s.runs, o.runs)
}

func saturate(a, b int) int {
	if a > math.MaxInt32-b {
		return math.MaxInt32
	}
	return a + b
}

func multiply(a, b int) int {
	if a != 0 && b > math.MaxInt32/a {
		return math.MaxInt32
	}
	return a * b
}

// measure returns the size of an operation. It measures each fragment once, so its work is linear in the document. The
// document must be valid: fragments have no cycles.
func measure(op *ast.OperationDefinition, variables map[string]any, limits chain.ServiceConfig) (size, error) {
	m := measurer{variables: variables, limits: limits, fragments: map[string]size{}}
	total, err := m.selection(op.SelectionSet)
	total.roots = countRoots(op.SelectionSet, map[string]int{})
	return total, err
}

type measurer struct {
	variables map[string]any
	limits    chain.ServiceConfig
	fragments map[string]size
}

func (m *measurer) selection(set ast.SelectionSet) (size, error) {
	var total size
	members := map[string]int{} // cost for each member of a union: an object has one type
	for _, sel := range set {
		var part size
		var err error
		switch sel := sel.(type) {
		case *ast.Field:
			part, err = m.field(sel)
		case *ast.InlineFragment:
			part, err = m.selection(sel.SelectionSet)
			if isMember(sel) {
				members[sel.TypeCondition] = saturate(members[sel.TypeCondition], part.cost)
				part.cost = 0
			}
		case *ast.FragmentSpread:
			part, err = m.fragment(sel)
		}
		if err != nil {
			return size{}, err
		}
		total.add(part, 1)
	}
	highest := 0
	for _, cost := range members {
		highest = max(highest, cost)
	}
	total.cost = saturate(total.cost, highest)
	return total, nil
}

// isMember reports whether a fragment selects one member of its parent union.
func isMember(f *ast.InlineFragment) bool {
	def := f.ObjectDefinition
	return def != nil && def.Kind == ast.Union && slices.Contains(def.Types, f.TypeCondition)
}

func (m *measurer) fragment(spread *ast.FragmentSpread) (size, error) {
	if part, ok := m.fragments[spread.Name]; ok {
		return part, nil
	}
	part, err := m.selection(spread.Definition.SelectionSet)
	m.fragments[spread.Name] = part
	return part, err
}

func (m *measurer) field(f *ast.Field) (size, error) {
	for _, a := range f.Arguments {
		if _, err := a.Value.Value(m.variables); err != nil { // the executor would panic
			return size{}, chain.Invalidf("%s: %s has a number of more than 64 bits; pass it as a string", f.Name, a.Name)
		}
	}
	rows, err := m.rows(f)
	if err != nil {
		return size{}, err
	}
	children, err := m.selection(f.SelectionSet)
	if err != nil {
		return size{}, err
	}
	total := size{fields: 1, cost: price(f, m.variables)}
	if f.Definition != nil && f.Definition.Type.Elem == nil && isQuery(f) {
		// Values of list arguments whose field returns no list, such as bodies to decode.
		listed, err := m.listed(f)
		if err != nil {
			return size{}, err
		}
		total.cost = saturate(total.cost, listed)
	}
	if f.Alias != f.Name {
		total.aliases = 1
	}
	if isRun(f) {
		total.runs = 1
	}
	total.add(children, rows)
	total.depth = children.depth + 1
	return total, nil
}

// rows estimates how often the children of a field repeat: the page size of a connection, the number of values of a list
// argument, or shortList for lists without pages.
func (m *measurer) rows(f *ast.Field) (int, error) {
	if f.Definition == nil {
		return 1, nil
	}
	if f.Definition.Arguments.ForName("first") != nil {
		return m.pageSize(f)
	}
	if f.Definition.Type.Elem == nil || f.Name == "edges" || f.Name == "nodes" && len(f.Definition.Arguments) == 0 {
		return 1, nil
	}
	n, err := m.listed(f)
	if n == 0 {
		n = shortList
	}
	return n, err
}

// shortList is the estimated length of a list without page arguments, such as outMessages.
const shortList = 4

func (m *measurer) pageSize(f *ast.Field) (int, error) {
	n := m.limits.DefaultPageSize
	for _, name := range []string{"first", "last"} {
		v, given, err := m.intArgument(f, name)
		if err != nil {
			return 0, err
		}
		if given {
			n = v
		}
	}
	if n < 0 || n > m.limits.MaxPageSize {
		return 0, chain.Invalidf("%s: the page size must be 0 to %d", f.Name, m.limits.MaxPageSize)
	}
	return max(n, 1), nil
}

func (m *measurer) intArgument(f *ast.Field, name string) (n int, given bool, err error) {
	arg := f.Arguments.ForName(name)
	if arg == nil {
		return 0, false, nil
	}
	value, err := arg.Value.Value(m.variables)
	if err != nil || value == nil {
		return 0, false, err // null means not given
	}
	v, err := coerceInt(value)
	if err != nil {
		return 0, false, chain.Invalidf("%s: %s: %s", f.Name, name, chain.PublicMessage(err))
	}
	return int(v), true, nil
}

// listed returns the number of values of the field's longest list argument.
func (m *measurer) listed(f *ast.Field) (int, error) {
	longest := 0
	for _, def := range f.Definition.Arguments {
		arg := f.Arguments.ForName(def.Name)
		if def.Type.Elem == nil || arg == nil {
			continue
		}
		value, err := arg.Value.Value(m.variables)
		if err != nil {
			return 0, err
		}
		if list, ok := value.([]any); ok {
			longest = max(longest, len(list))
		}
	}
	return longest, nil
}

// countRoots counts the fields of the root selection with its fragments, each of which is counted once.
func countRoots(set ast.SelectionSet, fragments map[string]int) int {
	n := 0
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			n = saturate(n, 1)
		case *ast.InlineFragment:
			n = saturate(n, countRoots(sel.SelectionSet, fragments))
		case *ast.FragmentSpread:
			count, ok := fragments[sel.Name]
			if !ok {
				count = countRoots(sel.Definition.SelectionSet, fragments)
				fragments[sel.Name] = count
			}
			n = saturate(n, count)
		}
	}
	return n
}

func (s size) check(l chain.ServiceConfig) error {
	for _, c := range []struct {
		what       string
		got, limit int
	}{
		{"is nested too deep", s.depth, l.MaxDepth},
		{"has too many aliases", s.aliases, l.MaxAliases},
		{"has too many fields at its root", s.roots, l.MaxRootFields},
		{"has too many fields", s.fields, l.MaxFields},
		{"costs too much: request fewer rows or fewer nested lists", s.cost, l.MaxCost},
	} {
		if c.got > c.limit {
			return chain.Invalidf("the query %s (%d, allowed %d)", c.what, c.got, c.limit)
		}
	}
	return nil
}
