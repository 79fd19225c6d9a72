package feed

import (
	"context"

	"tonql/internal/chain"
)

// Event is one indexed or pending row.
type Event struct {
	Cursor chain.Cursor
	Node   any // pointer to a row of the batch, of the kind of the topic
	Batch  *Batch

	responses responses
}

// Topic returns the events of a stream in a batch, in the order of their cursors.
type Topic func(ctx context.Context, b *Batch) ([]*Event, error)

// Stream returns the events of a topic in order, each once. For one goroutine.
type Stream struct {
	topic         Topic
	follower      *follower
	after         *chain.Cursor  // events up to it were delivered before
	pendingStream *pendingStream // pending events; nil: not requested
}

// Open begins a stream.
func (f *Feed) Open(ctx context.Context, s Start, topic Topic) (*Stream, error) {
	w, err := f.follow(ctx, s)
	if err != nil {
		return nil, err
	}
	stream := &Stream{topic: topic, follower: w, after: s.Cursor}
	if s.Pending {
		if f.watch == nil {
			return nil, chain.Unavailablef(nil, "pending events are not available on this service")
		}
		stream.pendingStream = f.watch.subscribe()
	}
	return stream, nil
}

// Close ends the stream.
func (s *Stream) Close() {
	if s.pendingStream != nil {
		s.pendingStream.leave()
		s.pendingStream = nil
	}
}

// Next waits for the next events: those of one batch, or of the update of one trace. An error ends the stream.
func (s *Stream) Next(ctx context.Context) ([]*Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var updates *TraceUpdate
		var fresh <-chan struct{}
		if s.pendingStream != nil {
			if updates, fresh = s.pendingStream.take(s.follower.at); updates != nil {
				events, err := s.topic(ctx, updates.at(s.follower.at))
				if err != nil || len(events) > 0 {
					return events, err
				}
				continue
			}
		}
		b, err := s.follower.next(ctx, fresh)
		if err != nil {
			return nil, err
		}
		if b == nil {
			continue
		}
		events, err := s.topic(ctx, b)
		if err != nil {
			return nil, err
		}
		for s.after != nil && len(events) > 0 && compare(events[0].Cursor, *s.after) <= 0 {
			events = events[1:]
		}
		if s.after != nil && b.Within.Last >= s.after.McSeqno {
			s.after = nil
		}
		if len(events) > 0 {
			return events, nil
		}
	}
}

// Behind returns the number of indexed masterchain blocks after the position of the stream.
func (s *Stream) Behind() uint32 {
	ranges, _, _ := s.follower.feed.now()
	if n := len(ranges); n > 0 && ranges[n-1].Last > s.follower.at {
		return ranges[n-1].Last - s.follower.at
	}
	return 0
}

// The context of a subscription carries a sink, into which the resolver puts the requested stream. The operation is then
// executed once for each event, with the event in its context.

// Sink receives the stream of a subscription.
type Sink struct {
	// LastEvent is the text of the cursor of the last event that the client has seen, if the connection sent it; "" otherwise.
	LastEvent string
	Stream    *Stream
}

type (
	sinkKey  struct{}
	eventKey struct{}
)

// WithSink marks a request that may subscribe.
func WithSink(ctx context.Context, s *Sink) context.Context {
	return context.WithValue(ctx, sinkKey{}, s)
}

// SinkOf returns the sink; nil in a request that cannot subscribe.
func SinkOf(ctx context.Context) *Sink {
	s, _ := ctx.Value(sinkKey{}).(*Sink)
	return s
}

// WithEvent sets the event for which an operation is executed.
func WithEvent(ctx context.Context, e *Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventOf returns the event; nil before the request has subscribed.
func EventOf(ctx context.Context) *Event {
	e, _ := ctx.Value(eventKey{}).(*Event)
	return e
}
