package graphql

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/resolvers"
)

// operation is one operation of a live connection.
type operation struct {
	*Handler

	exec graphql.GraphExecutor
	// emit sends results in their order. An error ends the operation.
	emit func(results ...result) error
	// begun, unless nil, is called when the operation is accepted; a subscription receives events from then on.
	begun func()
}

func (o *operation) begin() {
	if o.begun != nil {
		o.begun()
	}
}

// result is one encoded result; of an event, with its cursor.
type result struct {
	data   []byte
	cursor *chain.Cursor

	free   func() // returns the memory of data; nil when none is taken
	unsent error  // there was no memory for data, which is nil then
	failed error  // the index could not be read
}

// run executes an operation until it is complete. A request that cannot be executed is refused: run returns its errors and
// emits nothing.
func (o *operation) run(ctx context.Context, p *graphql.RawParams, documentID, lastEvent string) (refused gqlerror.List, err error) {
	if e := o.persisted.find(p, documentID); e != nil {
		return gqlerror.List{e}, nil
	}
	minSeqno, err := o.await(ctx, p, 0)
	if err != nil {
		return gqlerror.List{coded(chain.KindOf(err).String(), chain.PublicMessage(err))}, nil
	}
	p.Extensions = nil // read above, and of any size
	op, errs := o.exec.CreateOperationContext(ctx, p)
	if len(errs) != 0 {
		resp := o.exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)
		return bounded(resp.Errors), nil
	}
	if op.Operation.Operation != ast.Subscription {
		o.begin()
		ctx, cancel := o.timed(ctx)
		defer cancel()
		resp, _ := o.execute(ctx, o.exec, op, minSeqno)
		return nil, o.emit(result{data: body(resp)})
	}
	release, err := o.retained.retain(ctx, op)
	if err != nil {
		return gqlerror.List{coded(codeTooMany, chain.PublicMessage(err))}, nil
	}
	defer release()
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

// guarded is run outside of an HTTP handler, where a panic would end the program.
func (o *operation) guarded(ctx context.Context, p *graphql.RawParams, documentID string) (refused gqlerror.List, err error) {
	defer func() {
		if v := recover(); v != nil {
			o.opts.Logger.ErrorContext(ctx, "graphql operation failed", "err", recovered(ctx, v))
			refused, err = gqlerror.List{coded(chain.Internal.String(), "internal error")}, nil
		}
	}()
	return o.run(ctx, p, documentID, "")
}

// resolveEvent resolves one event. A shared result is resolved completely even when this client disconnects. A result with
// errors is not shared, because errors contain the id of the request. failed is the error of one that another try may not have.
func (o *operation) resolveEvent(
	ctx context.Context, op *graphql.OperationContext, e *feed.Event, shared *feed.Response,
) (data []byte, failed error) {
	good := false
	defer func() {
		if v := recover(); v != nil {
			o.opts.Logger.ErrorContext(ctx, "graphql event failed", "err", recovered(ctx, v))
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
	ctx, cancel := o.timed(feed.WithEvent(ctx, e))
	defer cancel()
	var resp *graphql.Response
	var transient error // of the last try that has ended
	failed = resolvers.Try(ctx, e.Batch.Within.Last, nil, func(ctx context.Context) error {
		state := &attempt{}
		next, running := o.exec.DispatchOperation(o.opts.Prepare(context.WithValue(ctx, attemptKey{}, state)), op)
		resp = next(running)
		if err := state.failed.Load(); err != nil {
			transient = *err
			return *err
		}
		return nil
	})
	if resp == nil { // the time has ended during the last try
		failed = transient
	}
	good = resp != nil && len(resp.Errors) == 0
	return body(resp), failed
}

// broken returns the last result of a stream that cannot continue.
func (o *operation) broken(ctx context.Context, op *graphql.OperationContext, err error) *graphql.Response {
	ctx = graphql.WithResponseContext(graphql.WithOperationContext(ctx, op), presenter(o.opts.Logger, o.opts.RequestID), recovered)
	graphql.AddError(ctx, err)
	return &graphql.Response{Data: json.RawMessage("null"), Errors: graphql.GetErrors(ctx)}
}
