package exec

import (
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Field is a selected field of one object type, with the merged selections of all its occurrences.
type Field struct {
	graphql.CollectedField

	label []byte // response key, quoted, with the colon
	below []plan // selected fields of its value, by the concrete type of the value

	arguments *Arguments // parsed arguments, if all rows share them
	refused   error      // why the arguments are invalid
}

// plan is the selected fields of one object type, in response order.
type plan struct {
	object string
	fields []*Field
	bytes  int // maximum size of an object without its leaves
}

// Sizes of a response without its leaves: brackets, and a comma and null for each field or element.
const (
	bytesAround  = len("[]")
	bytesOfValue = len(",null")
)

// Arguments are the parsed arguments of a field, including the defaults of the schema.
type Arguments struct{ Args map[string]any }

// of returns the selected fields of an object value. satisfies lists the type of the object, then its interfaces and unions.
func (f *Field) of(r *Run, satisfies []string) *plan {
	for i := range f.below {
		if f.below[i].object == satisfies[0] {
			return &f.below[i]
		}
	}
	f.below = append(f.below, r.collect(f.Selections, satisfies))
	return &f.below[len(f.below)-1]
}

// collect flattens fragments, leaves out skipped fields and merges fields with the same response key. Validation has
// ensured that these are the same field.
func (r *Run) collect(set ast.SelectionSet, satisfies []string) plan {
	c := collector{variables: r.op.Variables, fragments: r.op.Doc.Fragments, satisfies: satisfies}
	c.add(set)
	p := plan{satisfies[0], c.fields, bytesAround}
	for _, f := range c.fields {
		p.bytes += len(f.label) + bytesOfValue
	}
	return p
}

type collector struct {
	variables map[string]any
	fragments ast.FragmentDefinitionList
	satisfies []string
	spread    []string // fragments that were spread already
	fields    []*Field
}

func (c *collector) add(set ast.SelectionSet) {
	if c.fields == nil {
		c.fields = make([]*Field, 0, len(set))
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if included(s.Directives, c.variables) {
				c.field(s)
			}
		case *ast.InlineFragment:
			if included(s.Directives, c.variables) && c.applies(s.TypeCondition) {
				c.add(s.SelectionSet)
			}
		case *ast.FragmentSpread:
			if slices.Contains(c.spread, s.Name) || !included(s.Directives, c.variables) {
				continue
			}
			c.spread = append(c.spread, s.Name)
			if f := c.fragments.ForName(s.Name); f != nil && c.applies(f.TypeCondition) {
				c.add(f.SelectionSet)
			}
		}
	}
}

func (c *collector) field(s *ast.Field) {
	for _, f := range c.fields {
		if f.Alias == s.Alias {
			f.Selections = append(slices.Clip(f.Selections), s.SelectionSet...)
			return
		}
	}
	c.fields = append(c.fields, &Field{
		CollectedField: graphql.CollectedField{Field: s, Selections: s.SelectionSet},
		label:          append(strconv.AppendQuote(nil, s.Alias), ':'), // names consist of letters, digits and underscores
	})
}

func (c *collector) applies(condition string) bool {
	return condition == "" || slices.Contains(c.satisfies, condition)
}

func included(list ast.DirectiveList, variables map[string]any) bool {
	for _, d := range list {
		if d.Name == "skip" && condition(d, variables) || d.Name == "include" && !condition(d, variables) {
			return false
		}
	}
	return true
}

func condition(d *ast.Directive, variables map[string]any) bool {
	argument := d.Arguments.ForName("if")
	if argument == nil {
		return false
	}
	value, err := argument.Value.Value(variables)
	b, ok := value.(bool)
	return err == nil && ok && b
}
