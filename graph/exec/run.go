package exec

import (
	"context"
	"errors"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Run is the execution of one operation, or of one event of a subscription.
type Run struct {
	op     *graphql.OperationContext
	ctx    context.Context //nolint:containedctx // a run lives as long as the call that began it
	leaves []byte
	open   int      // resolvers that have begun and whose results are not in the tree yet
	queue  []func() // resolvers that wait for others to end

	budget    *Budget // nil: unbounded
	unchecked int     // values since the context was checked
	stopped   error   // why the run ended early; then the response is null

	turns
}

// maxOpen bounds the resolvers of a run that wait at the same time. It is larger than what one page of rows asks for
// and as large as one batch of a loader.
const maxOpen = 2000

var errNull = errors.New("must not be null")

type runKey struct{}

// Of finds the run of a request; nil where there is none.
func Of(ctx context.Context) *Run {
	r, _ := ctx.Value(runKey{}).(*Run)
	return r
}

// Root begins the answer to a selection of a root type; satisfies begins with its name.
func Root(ctx context.Context, op *graphql.OperationContext, set ast.SelectionSet, satisfies []string) (context.Context, *Node) {
	r := &Run{op: op, leaves: make([]byte, 0, 4<<10)}
	r.begin()
	r.budget, _ = ctx.Value(budgetKey{}).(*Budget)
	r.ctx = context.WithValue(ctx, runKey{}, r)
	fields := r.collect(set, satisfies)
	r.spend(len(fields))
	return r.ctx, &Node{run: r, fields: fields, values: make([]value, len(fields))}
}

// Finish waits for all that the answer needs and prints it.
func (n *Node) Finish() graphql.Marshaler {
	r := n.run
	n.Drain()
	r.end()
	out := []byte("null")
	if r.stopped == nil && r.check() {
		var whole bool
		if out, whole = n.printObject(make([]byte, 0, 2*len(r.leaves)+1<<10)); !whole {
			out = []byte("null")
		}
	} else {
		graphql.AddError(r.ctx, r.stopped)
	}
	n.values, r.leaves = nil, nil
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(out) }) // a buffer's
}

// Drain takes results into the tree until no resolver is under way.
func (n *Node) Drain() {
	r := n.run
	for r.open > 0 {
		for _, take := range r.next() {
			r.open--
			take()
		}
		r.check()
		for len(r.queue) > 0 && r.open < maxOpen {
			r.start(r.queue[0])
			r.queue = r.queue[1:]
		}
	}
}

func (r *Run) start(resolve func()) {
	r.open++
	r.enter()
	go resolve()
}

// Go resolves a value that may have to be waited for. put takes the result into the tree.
func Go[E, T any](
	ctx context.Context, ec E, n *Node, i int, resolve func(context.Context) (T, error), put func(context.Context, E, *Node, int, T),
) {
	r := n.run
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: n.field(i).CollectedField, IsMethod: true, IsResolver: true})
	task := func() {
		v, err := guarded(ctx, r, resolve)
		r.deliver(func() {
			if r.stopped != nil {
				return
			}
			if err != nil {
				n.Fail(i, err)
				return
			}
			n.guard(i, func() { put(ctx, ec, n, i, v) })
		})
	}
	switch {
	case r.stopped != nil:
	case r.open < maxOpen:
		r.start(task)
	default:
		r.queue = append(r.queue, task)
	}
}

func guarded[T any](ctx context.Context, r *Run, resolve func(context.Context) (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.op.Recover(ctx, p)
		}
	}()
	return resolve(ctx)
}

// guard turns a panic into a failure of the value.
func (n *Node) guard(i int, f func()) {
	defer func() {
		if p := recover(); p != nil {
			n.Fail(i, n.run.op.Recover(n.run.ctx, p))
		}
	}()
	f()
}

// Each calls a function with each field of a root object; a panic is the failure of one field.
func (n *Node) Each(f func(i int, field *Field)) {
	for i, field := range n.fields {
		n.guard(i, func() { f(i, field) })
	}
}

// Read gives the arguments of a field, or nil after it has failed. They are read once for all rows when they are shared,
// which those may be that nobody changes.
func Read[E any](
	ec E, n *Node, i int, shared bool, read func(context.Context, E, map[string]any) (map[string]any, error),
) *Arguments {
	f := n.field(i)
	if f.refused != nil {
		n.Fail(i, f.refused)
		return nil
	}
	if f.arguments != nil {
		return f.arguments
	}
	here := n.context(i)
	args, err := guarded(here, n.run, func(ctx context.Context) (map[string]any, error) {
		return read(ctx, ec, f.ArgumentMap(n.run.op.Variables))
	})
	if err != nil {
		f.refused = err
		n.values[i] = value{failed: true}
		graphql.AddError(here, err)
		return nil
	}
	a := &Arguments{args}
	if shared {
		f.arguments = a
	}
	return a
}

// Events answers each event of a subscription; n is the root of the request that subscribed.
func Events[E, T any](
	ctx context.Context, ec E, n *Node, set ast.SelectionSet, satisfies []string, open func(context.Context) (<-chan T, error),
	put func(context.Context, E, *Node, int, T),
) func(context.Context) graphql.Marshaler {
	op := n.run.op
	events, err := guarded(ctx, n.run, open)
	n.run.end()
	if err != nil {
		n.Fail(0, err)
		return nil
	}
	return func(ctx context.Context) graphql.Marshaler {
		select {
		case v, ok := <-events:
			if !ok {
				return nil
			}
			ctx, n := Root(ctx, op, set, satisfies)
			n.guard(0, func() { put(ctx, ec, n, 0, v) })
			return n.Finish()
		case <-ctx.Done():
			return nil
		}
	}
}
