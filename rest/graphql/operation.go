package graphql

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

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
	// emit sends answers in their order. An error ends the operation.
	emit func(answers ...told) error
	// begun, where it is set, is called once the operation is no longer refused and, as a subscription, follows.
	begun func()
}

func (o *operation) begin() {
	if o.begun != nil {
		o.begun()
	}
}

// told is one answer, with the event's position when it tells of one.
type told struct {
	data   []byte
	cursor *chain.Cursor
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
		o.begin()
		ctx, cancel := o.single(ctx)
		defer cancel()
		next, ctx := o.exec.DispatchOperation(ctx, op)
		return nil, o.emit(told{data: body(next(ctx))})
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
	defer sink.Stream.Close()
	o.begin()
	return nil, o.follow(ctx, op, sink.Stream)
}

// abreast is how many events of one stream are resolved at once, so that what they lead to is read together.
const abreast = 64

// follow answers each event of a stream.
func (o *operation) follow(ctx context.Context, op *graphql.OperationContext, stream *feed.Stream) error {
	speakers, end := o.words.begin(wordsOf(op))
	defer end()
	price := 0.0
	if size, err := measure(op.Operation, op.Variables, o.opts.Limits); err == nil {
		price = float64(size.cost) / costPerToken
	}
	for {
		events, err := stream.Next(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return o.emit(told{data: body(o.broken(ctx, op, err))})
		}
		for now := range slices.Chunk(events, abreast) {
			access.Charge(ctx, price*float64(len(now)))
			answers := o.answers(ctx, op, speakers, now)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := o.emit(answers...); err != nil {
				return err
			}
		}
	}
}

// answers resolves events, all at once, and in the words of several only once for all of them.
func (o *operation) answers(ctx context.Context, op *graphql.OperationContext, speakers *speakers, events []*feed.Event) []told {
	answers := make([]told, len(events))
	awaited := make([]*feed.Response, len(events)) // of somebody else
	together := speakers.Load() > 1
	var work sync.WaitGroup
	for i, e := range events {
		answers[i].cursor = &e.Cursor
		var shared *feed.Response
		if together {
			var mine bool
			if shared, mine = e.Response(speakers); !mine {
				awaited[i] = shared
				continue
			}
		}
		o.resolving <- struct{}{}
		work.Go(func() {
			defer func() { <-o.resolving }()
			answers[i].data = o.answer(ctx, op, e, shared)
		})
	}
	work.Wait()
	for i, shared := range awaited {
		if shared == nil {
			continue
		}
		if answers[i].data = shared.Wait(); answers[i].data == nil {
			answers[i].data = o.answer(ctx, op, events[i], nil)
		}
	}
	return answers
}

// answer resolves one event. What others wait for is made to its end whatever becomes of this client, and is theirs unless
// it has errors: they name the request.
func (o *operation) answer(ctx context.Context, op *graphql.OperationContext, e *feed.Event, shared *feed.Response) (data []byte) {
	good := false
	defer func() {
		if v := recover(); v != nil {
			o.opts.Logger.ErrorContext(ctx, "graphql event", "err", recovered(ctx, v))
			good, data = false, body(&graphql.Response{Errors: gqlerror.List{coded(chain.Internal.String(), "internal error")}})
		}
		switch {
		case shared == nil:
		case good:
			shared.Give(data)
		default:
			shared.Give(nil)
		}
	}()
	if shared != nil {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := o.timed(loaders.WithShared(feed.WithEvent(ctx, e), e.Batch.Loaders))
	defer cancel()
	next, ctx := o.exec.DispatchOperation(ctx, op)
	resp := next(ctx)
	good = resp != nil && len(resp.Errors) == 0
	return body(resp)
}

// broken is the last answer of a stream that cannot go on.
func (o *operation) broken(ctx context.Context, op *graphql.OperationContext, err error) *graphql.Response {
	ctx = graphql.WithResponseContext(graphql.WithOperationContext(ctx, op), presenter(o.opts.Logger, o.opts.RequestID), recovered)
	graphql.AddError(ctx, err)
	return &graphql.Response{Data: json.RawMessage("null"), Errors: graphql.GetErrors(ctx)}
}
