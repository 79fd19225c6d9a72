package exec

import (
	"bytes"
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Node is an object or a list in the response tree. Its values are null until they are set.
type Node struct {
	run    *Run
	parent *Node
	at     int      // its index among the values of the parent
	list   *Field   // for a list: the field whose value it is
	fields []*Field // for an object
	values []value
}

// value is a node, a leaf (a range of the run's buffer) or null.
type value struct {
	node     *Node
	from, to int
	failed   bool // the value is null because of an error that was added already
}

// Fields returns the selected fields of an object, in response order.
func (n *Node) Fields() []*Field { return n.fields }

func (n *Node) field(i int) *Field {
	if n.list != nil {
		return n.list
	}
	return n.fields[i]
}

// Object sets value i to a new object and returns it. satisfies lists the type of the object, then its interfaces and
// unions. If the run has stopped, the object has no fields.
func (n *Node) Object(i int, satisfies []string) *Node {
	p := n.field(i).of(n.run, satisfies)
	fields := p.fields
	if !n.run.spend(len(fields), p.bytes) {
		return &Node{run: n.run}
	}
	child := &Node{run: n.run, parent: n, at: i, fields: fields, values: make([]value, len(fields))}
	n.values[i].node = child
	return child
}

// List sets value i to a new list and returns it.
func (n *Node) List(i, length int) *Node {
	f := n.field(i)
	values := 0
	if len(f.Selections) == 0 {
		values = length
	}
	n.run.spend(values, bytesAround+length*bytesOfValue)
	child := &Node{run: n.run, parent: n, at: i, list: f, values: make([]value, length)}
	n.values[i].node = child
	return child
}

// Leaves returns the buffer of leaves. The caller appends one leaf and passes the result to [Node.Put].
func (n *Node) Leaves() []byte { return n.run.leaves }

// Put sets value i to the leaf that was appended to [Node.Leaves]. The leaf "null" sets it to null. A leaf that exceeds
// the budget stops the run.
func (n *Node) Put(i int, leaves []byte) {
	if len(leaves) > n.run.room {
		n.run.exceed()
		return
	}
	from := len(n.run.leaves)
	if string(leaves[from:]) == "null" {
		return
	}
	n.run.leaves = leaves
	n.values[i].from, n.values[i].to = from, len(leaves)
}

// Marshal sets value i to the output of a marshaler of gqlgen.
func (n *Node) Marshal(i int, m graphql.Marshaler) {
	b := bytes.NewBuffer(n.run.leaves)
	m.MarshalGQL(b)
	n.Put(i, b.Bytes())
}

// Fail sets value i to null and adds the error, with its path, to the response.
func (n *Node) Fail(i int, err error) {
	if n.run.stopped != nil {
		return // the response has the error of the run only
	}
	n.values[i] = value{failed: true}
	ctx := n.context(i)
	graphql.AddError(ctx, graphql.AddFieldLocationToError(ctx, err))
}

// context returns a context whose field path leads to value i, as in gqlgen's executor.
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

// print appends value i and reports true. If the value is null and its type does not allow null, it appends nothing and
// reports false.
func (n *Node) print(to []byte, i int, t *ast.Type) ([]byte, bool) {
	v := &n.values[i]
	var complete bool
	start := len(to)
	switch {
	case v.node != nil && v.node.list != nil:
		to, complete = v.node.printList(to, t.Elem)
	case v.node != nil:
		to, complete = v.node.printObject(to)
	case v.from < v.to:
		return append(to, n.run.leaves[v.from:v.to]...), true
	default:
		if t.NonNull && !v.failed {
			n.Fail(i, errNull)
		}
	}
	switch {
	case complete:
		return to, true
	case t.NonNull:
		return to[:start], false
	}
	return append(to[:start], "null"...), true
}

func (n *Node) printObject(to []byte) ([]byte, bool) {
	to = append(to, '{')
	complete := true
	for i, f := range n.fields {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, f.label...)
		var ok bool
		to, ok = n.print(to, i, f.Definition.Type)
		complete = complete && ok
	}
	return append(to, '}'), complete
}

func (n *Node) printList(to []byte, t *ast.Type) ([]byte, bool) {
	to = append(to, '[')
	complete := true
	for i := range n.values {
		if i > 0 {
			to = append(to, ',')
		}
		var ok bool
		to, ok = n.print(to, i, t)
		complete = complete && ok
	}
	return append(to, ']'), complete
}
