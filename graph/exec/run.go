package exec

import (
	"context"
	"errors"
	"io"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Run is the execution of one query or mutation, or of one event of a subscription.
type Run struct {
	op     *graphql.OperationContext
	ctx    context.Context    //nolint:containedctx // a run lives as long as the call that started it
	cancel context.CancelFunc // of ctx
	leaves []byte
	around int      // maximum size of the response without leaves
	room   int      // maximum size of the leaves: what the budget allows, without what is around them
	open   int      // resolvers that have started and whose results are not in the tree yet
	queue  []func() // resolvers that start when others have ended

	budget    *Budget  // nil: unbounded
	observer  Observer // nil: none
	unchecked int      // values since the context was checked
	stopped   error    // why the run ended early; the response is then null

	nullDefaults bool // see [WithNullDefaults]

	scheduler
}

// maxOpen bounds the resolvers of a run that are open at the same time. It is larger than the number of resolvers for one
// page of rows, and as large as one batch of a loader.
const maxOpen = 2000

var errNull = errors.New("must not be null")

type runKey struct{}

// Of returns the run that the context belongs to, or nil outside a run.
func Of(ctx context.Context) *Run {
	r, _ := ctx.Value(runKey{}).(*Run)
	return r
}

// Root starts a run for the selection of a root type and returns its context and the root of its response tree. satisfies
// starts with the name of the type. The context ends when the run stops early, when it is finished, or with ctx.
func Root(ctx context.Context, op *graphql.OperationContext, set ast.SelectionSet, satisfies []string) (context.Context, *Node) {
	r := &Run{op: op, leaves: make([]byte, 0, 4<<10)}
	r.begin()
	b, _ := ctx.Value(budgetKey{}).(*Budget)
	r.nullDefaults, _ = ctx.Value(nullDefaultsKey{}).(bool)
	b.begin(r)
	r.observer, _ = ctx.Value(observerKey{}).(Observer)
	ctx, r.cancel = context.WithCancel(ctx)
	r.ctx = context.WithValue(ctx, runKey{}, r)
	p := r.collect(set, satisfies)
	fields := p.fields
	r.spend(len(fields), p.bytes)
	return r.ctx, &Node{run: r, fields: fields, values: make([]value, len(fields))}
}

// Finish waits for all resolvers and returns the response as JSON. It ends the run and its context.
func (n *Node) Finish() graphql.Marshaler {
	r := n.run
	defer r.cancel()
	n.Drain()
	r.end()
	out := []byte("null")
	if r.stopped == nil && r.check() {
		var complete bool
		if out, complete = n.printObject(make([]byte, 0, len(r.leaves)+r.around)); !complete {
			out = []byte("null")
		}
	} else {
		graphql.AddError(r.ctx, r.stopped)
	}
	n.values, r.leaves = nil, nil
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(out) }) // w is a buffer, which does not fail
}

// Drain takes results into the tree until no resolver is open.
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

// Go calls resolve, which may wait, in a goroutine. The builder then calls put with the result, to set value i.
func Go[E, T any](
	ctx context.Context, ec E, n *Node, i int, resolve func(context.Context) (T, error), put func(context.Context, E, *Node, int, T),
) {
	r := n.run
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: n.field(i).CollectedField, IsMethod: true, IsResolver: true})
	task := func() {
		if r.observer != nil {
			ctx, v, err := observed(ctx, n, i, resolve)
			deliver(ctx, ec, n, i, v, err, put)
			return
		}
		v, err := guarded(ctx, r, resolve)
		deliver(ctx, ec, n, i, v, err, put)
	}
	switch {
	case r.stopped != nil:
	case r.open < maxOpen:
		r.start(task)
	default:
		r.queue = append(r.queue, task)
	}
}

// deliver passes the result of a resolver to the builder.
func deliver[E, T any](
	ctx context.Context, ec E, n *Node, i int, v T, err error, put func(context.Context, E, *Node, int, T),
) {
	r := n.run
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

func guarded[T any](ctx context.Context, r *Run, resolve func(context.Context) (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.op.RecoverFunc(ctx, p) // Fail adds the path, which the context of a resolver does not have
		}
	}()
	return resolve(ctx)
}

// guard calls f and turns a panic into an error of value i.
func (n *Node) guard(i int, f func()) {
	defer func() {
		if p := recover(); p != nil {
			n.Fail(i, n.run.op.RecoverFunc(n.run.ctx, p))
		}
	}()
	f()
}

// Each calls f with each field of a root object. A panic becomes an error of that field.
func (n *Node) Each(f func(i int, field *Field)) {
	for i, field := range n.fields {
		n.guard(i, func() { f(i, field) })
	}
}

// Read returns the parsed arguments of field i, or nil after adding an error if they are invalid. If shared is set, all
// rows share the same arguments, which must then be immutable.
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
		return read(ctx, ec, f.argumentMap(n.run))
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

// Events opens the channel of a subscription and returns a function that waits for its next event and returns the
// response to it; nil at the end. n is the root of the operation.
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
