package exec

import (
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Field is a field of one type of object as a request selects it, with the selections of all its occurrences.
type Field struct {
	graphql.CollectedField

	label []byte // what it is called in the answer, quoted, with the colon
	below []plan // what is selected of it, by the type that it turns out to have

	arguments *Arguments // once they were read, for fields whose rows share them
	refused   error      // why they could not be read
}

// plan is the fields of one type, in the order of the answer.
type plan struct {
	object string
	fields []*Field
}

// Arguments are those of a field after the schema's defaults are filled in.
type Arguments struct{ Args map[string]any }

// of gives what is selected of a field that is an object; satisfies are its type, and all interfaces and unions that has.
func (f *Field) of(r *Run, satisfies []string) []*Field {
	for i := range f.below {
		if f.below[i].object == satisfies[0] {
			return f.below[i].fields
		}
	}
	fields := r.collect(f.Selections, satisfies)
	f.below = append(f.below, plan{satisfies[0], fields})
	return fields
}

// collect flattens fragments, leaves out what is skipped, and merges fields of the same name in the answer, which the
// document's validation has found to be the same field.
func (r *Run) collect(set ast.SelectionSet, satisfies []string) []*Field {
	c := collector{variables: r.op.Variables, fragments: r.op.Doc.Fragments, satisfies: satisfies}
	c.add(set)
	return c.fields
}

type collector struct {
	variables map[string]any
	fragments ast.FragmentDefinitionList
	satisfies []string
	spread    []string // the fragments that were met
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
		label:          append(strconv.AppendQuote(nil, s.Alias), ':'), // a name has letters, digits and underscores only
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
