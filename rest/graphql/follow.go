package graphql

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"tonql/internal/access"
	"tonql/internal/feed"
	"tonql/rest/handler"
	"tonql/rest/live"
)

const (
	// maxConcurrent bounds the events of one stream that are resolved concurrently and share the batches of their loaders.
	maxConcurrent = 64
	// longResult is the size, in bytes, from which a result that is not sent counts against the memory of what waits for clients (see
	// handler.Reserve); longShared is that of a result which another subscriber resolved, and which is in memory once.
	longResult = 16 << 10
	longShared = 256 << 10
)

// follow emits a result for each event of a stream.
func (o *operation) follow(ctx context.Context, op *graphql.OperationContext, stream *feed.Stream) error {
	group, end := o.dedup.begin(fingerprint(op))
	defer end()
	price := 0.0
	if size, err := measure(op.Operation, op.Variables, o.opts.Limits); err == nil {
		price = float64(size.cost) / costPerToken
	}
	d := &delivery{operation: o, op: op, group: group, width: maxConcurrent}
	for {
		events, err := stream.Next(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return o.emit(result{data: body(o.broken(ctx, op, err))})
		}
		for len(events) > 0 {
			var n int
			failed := feed.Outlast(ctx, func() error {
				n, err = d.some(ctx, events)
				access.Charge(ctx, price*float64(n))
				events = events[n:]
				if err != nil || d.failed == nil {
					return nil
				}
				return d.failed
			})
			if err != nil {
				return err
			}
			if failed != nil { // the client resumes before the event
				return o.emit(result{data: body(o.broken(ctx, op, failed))})
			}
		}
	}
}

// delivery resolves and emits the events of one stream.
type delivery struct {
	*operation

	op    *graphql.OperationContext
	group *subscribers
	width int // number of events that are resolved together

	failed error // why the next event could not be resolved, which another try may not have; nil when it was
}

// some resolves the first of the events and emits their results, as many as there is memory for, and returns their number. Those that it has
// no memory for are resolved again, fewer at a time. The error is [handler.ErrUnsent] when there is none for a single one. An event whose index
// cannot be read is not emitted, so that no client takes it for received; failed has the reason.
func (d *delivery) some(ctx context.Context, events []*feed.Event) (n int, err error) {
	now := events[:min(len(events), d.width)]
	results := d.resolve(ctx, now)
	defer func() {
		for i := range results {
			results[i].release()
		}
	}()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	for n < len(results) && results[n].unsent == nil && results[n].failed == nil {
		n++
	}
	d.failed = nil
	switch {
	case n < len(now) && results[n].failed != nil:
		d.failed = results[n].failed
	case n == len(now):
		d.width = min(2*d.width, maxConcurrent)
	case n == 0 && len(now) == 1:
		return 0, results[0].unsent
	default:
		d.width = max(n, 1)
	}
	for first := 0; first < n; {
		end, size := first, 0
		for ; end < n && size < live.MaxGathered; end++ {
			size += len(results[end].data)
			results[end].release() // counted by what sends it
		}
		if err := d.emit(results[first:end]...); err != nil {
			return 0, err
		}
		for i := first; i < end; i++ {
			results[i].data = nil
		}
		first = end
	}
	return n, nil
}

// resolve resolves events concurrently. Subscribers of one group share results: each event is resolved once for the group. The results are
// incomplete when ctx ends.
func (d *delivery) resolve(ctx context.Context, events []*feed.Event) []result {
	results := make([]result, len(events))
	awaited := make([]*feed.Response, len(events)) // results that another subscriber resolves
	together := d.group.Load() > 1
	client := handler.RecordOf(ctx).Client
	var work sync.WaitGroup
	for i, e := range events {
		results[i].cursor = &e.Cursor
		if together {
			if awaited[i] = e.Produced(d.group); awaited[i] != nil {
				continue
			}
		}
		done, err := d.resolving.Begin(ctx, client)
		if err != nil {
			break // ctx has ended
		}
		var shared *feed.Response
		if together { // with a worker at hand, because others wait for the result
			var mine bool
			if shared, mine = e.Response(d.group); !mine {
				awaited[i] = shared
				done()
				continue
			}
		}
		work.Go(func() {
			defer done()
			results[i].data, results[i].failed = d.resolveEvent(ctx, d.op, e, shared)
			results[i].hold(ctx, longResult)
		})
	}
	work.Wait()
	for i, shared := range awaited {
		if shared == nil || ctx.Err() != nil {
			continue
		}
		if results[i].data = shared.Wait(); results[i].data != nil {
			results[i].hold(ctx, longShared)
			continue
		}
		if done, err := d.resolving.Begin(ctx, client); err == nil { // otherwise ctx has ended
			results[i].data, results[i].failed = d.resolveEvent(ctx, d.op, events[i], nil)
			results[i].hold(ctx, longResult)
			done()
		}
	}
	return results
}

// hold takes memory for the result until it is released, unless it has less than free bytes. Without memory the result is dropped.
func (r *result) hold(ctx context.Context, free int) {
	if r.free, r.unsent = handler.Reserve(ctx, len(r.data), free); r.unsent != nil {
		r.data = nil
	}
}

// release returns the memory of a result. It may be called again.
func (r *result) release() {
	if r.free != nil {
		r.free()
		r.free = nil
	}
}
