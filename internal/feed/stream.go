package feed

import (
	"context"

	"tonql/internal/chain"
)

// Event is one row that the index has learned.
type Event struct {
	Cursor chain.Cursor
	Node   any // pointer to a row of the batch, of the kind that the topic tells of
	Batch  *Batch

	answers answers
}

// Topic finds what a stream tells of in a batch, in the order of its cursors.
type Topic func(ctx context.Context, b *Batch) ([]*Event, error)

// Stream gives the events of a topic in order, each once. For one goroutine.
type Stream struct {
	topic    Topic
	follower *follower
	after    *chain.Cursor // events up to it have been told before
	hearing  *hearing      // of what is pending; nil: that is not wanted
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
			return nil, chain.Unavailablef(nil, "this service does not foretell what becomes of messages")
		}
		stream.hearing = f.watch.hear()
	}
	return stream, nil
}

// Close ends the stream.
func (s *Stream) Close() {
	if s.hearing != nil {
		s.hearing.leave()
		s.hearing = nil
	}
}

// Next waits for the next events: all that one batch has, or the news of one trace. An error ends the stream.
func (s *Stream) Next(ctx context.Context) ([]*Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var news *TraceUpdate
		var fresh <-chan struct{}
		if s.hearing != nil {
			if news, fresh = s.hearing.take(s.follower.at); news != nil {
				events, err := s.topic(ctx, news.at(s.follower.at))
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

// Behind says how many masterchain blocks are indexed that the stream has not come to.
func (s *Stream) Behind() uint32 {
	ledger, _, _ := s.follower.feed.now()
	if n := len(ledger); n > 0 && ledger[n-1].Last > s.follower.at {
		return ledger[n-1].Last - s.follower.at
	}
	return 0
}

// A request that subscribes brings a sink, into which whoever understands the request puts the stream that it asks for.
// Then the request is answered once for each event, with the event in its context.

// Sink receives the stream that a request asks for.
type Sink struct {
	// LastEvent is the text of the cursor of the last event that the client has seen, when the connection told; "" when not.
	LastEvent string
	Stream    *Stream
}

type (
	sinkKey  struct{}
	eventKey struct{}
)

// WithSink says that a request may subscribe.
func WithSink(ctx context.Context, s *Sink) context.Context {
	return context.WithValue(ctx, sinkKey{}, s)
}

// SinkOf finds the sink; nil in a request that cannot subscribe.
func SinkOf(ctx context.Context) *Sink {
	s, _ := ctx.Value(sinkKey{}).(*Sink)
	return s
}

// WithEvent says which event a request is answered for.
func WithEvent(ctx context.Context, e *Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventOf finds the event; nil while a request has not subscribed yet.
func EventOf(ctx context.Context) *Event {
	e, _ := ctx.Value(eventKey{}).(*Event)
	return e
}
