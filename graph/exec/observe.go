package exec

import "context"

// Observer is called when a resolver begins, with the names of its object type and its field in the schema. The resolver and those
// below it run in the returned context; the returned function is called with the error of the resolver.
type Observer func(ctx context.Context, object, field string) (context.Context, func(error))

type observerKey struct{}

// WithObserver returns a context in which runs call an observer.
func WithObserver(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, o)
}

// observed is [guarded] with the observer of the run, which has one. It also returns the context of the observer.
func observed[T any](
	ctx context.Context, n *Node, i int, resolve func(context.Context) (T, error),
) (seen context.Context, v T, err error) {
	field, object := n.field(i), ""
	if of := field.ObjectDefinition; of != nil {
		object = of.Name
	}
	seen, end := n.run.observer(ctx, object, field.Name)
	v, err = guarded(seen, n.run, resolve)
	end(err)
	return seen, v, err
}
