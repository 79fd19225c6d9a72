package exec

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Node is an object or a list of the answer. Its values are null until they are set.
type Node struct {
	run    *Run
	parent *Node
	at     int      // which value of the parent it is
	list   *Field   // of a list: the field that it is the value of
	fields []*Field // of an object
	values []value
}

// value is a leaf, which is a part of the run's buffer, or a node, or null.
type value struct {
	node     *Node
	from, to int
	failed   bool // an error says already why it is null
}

// Fields are those that are selected of an object, in order.
func (n *Node) Fields() []*Field { return n.fields }

func (n *Node) field(i int) *Field {
	if n.list != nil {
		return n.list
	}
	return n.fields[i]
}

// Object makes a value an object; satisfies begins with its type. In a run that has stopped it has no fields.
func (n *Node) Object(i int, satisfies []string) *Node {
	fields := n.field(i).of(n.run, satisfies)
	if !n.run.spend(len(fields)) {
		return &Node{run: n.run}
	}
	child := &Node{run: n.run, parent: n, at: i, fields: fields, values: make([]value, len(fields))}
	n.values[i].node = child
	return child
}

// List makes a value a list.
func (n *Node) List(i, length int) *Node {
	f := n.field(i)
	if len(f.Selections) == 0 {
		n.run.spend(length)
	}
	child := &Node{run: n.run, parent: n, at: i, list: f, values: make([]value, length)}
	n.values[i].node = child
	return child
}

// Leaves is what was printed so far, to which a leaf is appended and given to Put.
func (n *Node) Leaves() []byte { return n.run.leaves }

// Put makes a value the leaf that was appended to Leaves.
func (n *Node) Put(i int, leaves []byte) {
	from := len(n.run.leaves)
	if string(leaves[from:]) == "null" {
		return
	}
	n.run.leaves = leaves
	n.values[i].from, n.values[i].to = from, len(leaves)
}

// Marshal makes a value what a marshaler of the library writes.
func (n *Node) Marshal(i int, m graphql.Marshaler) {
	b := bytes.NewBuffer(n.run.leaves)
	m.MarshalGQL(b)
	n.Put(i, b.Bytes())
}

// Fail makes a value null and tells why.
func (n *Node) Fail(i int, err error) {
	if n.run.stopped != nil {
		return // the error of the run counts
	}
	n.values[i] = value{failed: true}
	ctx := n.context(i)
	graphql.AddError(ctx, graphql.AddFieldLocationToError(ctx, err))
}

// context says which value an error is about, as the library's own executor would.
func (n *Node) context(i int) context.Context {
	ctx := n.run.ctx
	if n.parent != nil {
		ctx = n.parent.context(n.at)
	}
	f := &graphql.FieldContext{Object: n.object(), Field: n.field(i).CollectedField}
	if n.list != nil {
		f.Index = &i
	}
	return graphql.WithFieldContext(ctx, f)
}

func (n *Node) object() string {
	for n.parent != nil && n.list != nil {
		n = n.parent
	}
	if len(n.fields) == 0 || n.fields[0].ObjectDefinition == nil {
		return ""
	}
	return n.fields[0].ObjectDefinition.Name
}

// print appends a value. When it says no, the value must not be null but is, and nothing was appended.
func (n *Node) print(to []byte, i int, t *ast.Type) ([]byte, bool) {
	v := &n.values[i]
	var whole bool
	start := len(to)
	switch {
	case v.node != nil && v.node.list != nil:
		to, whole = v.node.printList(to, t.Elem)
	case v.node != nil:
		to, whole = v.node.printObject(to)
	case v.from < v.to:
		return append(to, n.run.leaves[v.from:v.to]...), true
	default:
		if t.NonNull && !v.failed {
			n.Fail(i, errNull)
		}
	}
	switch {
	case whole:
		return to, true
	case t.NonNull:
		return to[:start], false
	}
	return append(to[:start], "null"...), true
}

func (n *Node) printObject(to []byte) ([]byte, bool) {
	to = append(to, '{')
	whole := true
	for i, f := range n.fields {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, f.label...)
		var ok bool
		to, ok = n.print(to, i, f.Definition.Type)
		whole = whole && ok
	}
	return append(to, '}'), whole
}

func (n *Node) printList(to []byte, t *ast.Type) ([]byte, bool) {
	to = append(to, '[')
	whole := true
	for i := range n.values {
		if i > 0 {
			to = append(to, ',')
		}
		var ok bool
		to, ok = n.print(to, i, t)
		whole = whole && ok
	}
	return append(to, ']'), whole
}
