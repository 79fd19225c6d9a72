package graphql

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/loaders"
)

// operation is one operation of a live connection.
type operation struct {
	*Handler

	exec graphql.GraphExecutor
	// emit sends one answer; cursor is the event's position, nil for other answers, and more says that another follows at
	// once. An error ends the operation.
	emit func(answer []byte, cursor *chain.Cursor, more bool) error
}

// run answers an operation until it is complete, which is no error. A request that cannot be begun is refused instead;
// then nothing has been emitted.
func (o *operation) run(ctx context.Context, p *graphql.RawParams, documentID, lastEvent string) (refused gqlerror.List, err error) {
	if e := o.persisted.find(p, documentID); e != nil {
		return gqlerror.List{e}, nil
	}
	op, errs := o.exec.CreateOperationContext(ctx, p)
	if len(errs) != 0 {
		resp := o.exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)
		return bounded(resp.Errors), nil
	}
	if op.Operation.Operation != ast.Subscription {
		ctx, cancel := o.single(ctx)
		defer cancel()
		next, ctx := o.exec.DispatchOperation(ctx, op)
		return nil, o.emit(body(next(ctx)), nil, false)
	}
	sink := &feed.Sink{LastEvent: lastEvent}
	opening, cancel := o.timed(feed.WithSink(ctx, sink))
	defer cancel()
	next, opened := o.exec.DispatchOperation(opening, op)
	if sink.Stream == nil {
		if resp := next(opened); resp != nil {
			return bounded(resp.Errors), nil
		}
		return gqlerror.List{coded(codeBadRequest, "this subscription has no events")}, nil
	}
	return nil, o.follow(ctx, op, sink.Stream)
}

// follow answers each event of a stream.
func (o *operation) follow(ctx context.Context, op *graphql.OperationContext, stream *feed.Stream) error {
	said := wordsOf(op)
	speakers, end := o.words.begin(said)
	defer end()
	price := 0.0
	if size, err := measure(op.Operation, op.Variables, o.opts.Limits); err == nil {
		price = float64(size.cost) / costPerToken
	}
	for {
		e, err := stream.Next(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return o.emit(body(o.broken(ctx, op, err)), nil, false)
		}
		access.Charge(ctx, price)
		answer := func() ([]byte, bool) { return o.answer(ctx, op, &e) }
		var data []byte
		if speakers.Load() > 1 {
			data = e.Answer(said, answer)
		} else {
			data, _ = answer()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := o.emit(data, &e.Cursor, stream.More()); err != nil {
			return err
		}
	}
}

// answer resolves one event. An answer with errors is for one client alone: they name its request.
func (o *operation) answer(ctx context.Context, op *graphql.OperationContext, e *feed.Event) (data []byte, share bool) {
	ctx, cancel := o.timed(loaders.WithShared(feed.WithEvent(ctx, e), e.Batch.Loaders))
	defer cancel()
	next, ctx := o.exec.DispatchOperation(ctx, op)
	resp := next(ctx)
	if resp != nil {
		resp.Extensions = nil // what they tell belongs to requests; the event has its own seqno
	}
	return body(resp), resp != nil && len(resp.Errors) == 0
}

// broken is the last answer of a stream that cannot go on.
func (o *operation) broken(ctx context.Context, op *graphql.OperationContext, err error) *graphql.Response {
	ctx = graphql.WithResponseContext(graphql.WithOperationContext(ctx, op), presenter(o.opts.Logger, o.opts.RequestID), recovered)
	graphql.AddError(ctx, err)
	return &graphql.Response{Data: json.RawMessage("null"), Errors: graphql.GetErrors(ctx)}
}
