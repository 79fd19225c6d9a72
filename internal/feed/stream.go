package feed

import (
	"context"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// Event is one row of a batch that a stream sends.
type Event struct {
	Cursor chain.Cursor
	Node   any // pointer to a row of the batch, of the kind that the topic selects
	Batch  *Batch

	responses responses
}

// Topic returns the events of a batch that a stream sends, ordered by cursor.
type Topic func(ctx context.Context, b *Batch) ([]*Event, error)

// Stream returns the events of a topic in order, each once. Not safe for concurrent use.
type Stream struct {
	topic    Topic
	follower *follower
	after    *chain.Cursor // events up to it were sent before
	pending  *subscription // to pending traces; nil: not requested
	open     *atomic.Int64 // counts the open streams of the feed; nil once this one is closed
}

// Open starts a stream. The caller must call Close.
func (f *Feed) Open(ctx context.Context, s Start, topic Topic) (*Stream, error) {
	w, err := f.follow(ctx, s)
	if err != nil {
		return nil, err
	}
	stream := &Stream{topic: topic, follower: w, after: s.Cursor, open: &f.streams}
	if s.Pending {
		if f.watch == nil {
			return nil, chain.Unavailablef(nil, "this service does not emulate pending messages")
		}
		stream.pending = f.watch.subscribe(s.Fresh)
	}
	f.streams.Add(1)
	return stream, nil
}

// Close ends the stream.
func (s *Stream) Close() {
	if s.open != nil {
		s.open.Add(-1)
		s.open = nil
	}
	if s.pending != nil {
		s.pending.close()
		s.pending = nil
	}
}

// Next waits for the next events: all events of one batch, or of one update of a pending trace. An error ends the stream.
func (s *Stream) Next(ctx context.Context) ([]*Event, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var update *TraceUpdate
		var fresh <-chan struct{}
		if s.pending != nil {
			if update, fresh = s.pending.take(s.follower.at); update != nil {
				events, err := s.selected(ctx, update.at(s.follower.at))
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
		events, err := s.selected(ctx, b)
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

// selected returns the events of a batch, when the index can be read.
func (s *Stream) selected(ctx context.Context, b *Batch) (events []*Event, err error) {
	err = Outlast(ctx, func() error {
		events, err = s.topic(ctx, b)
		return err //nolint:wrapcheck // of the topic
	})
	return events, err
}

// maxOutage is how long events wait for a database that cannot be read: a failover or a restart takes less, and then all streams continue.
const maxOutage = 30 * time.Second

// Outlast repeats a read for events while the index cannot be read, for up to half a minute or until ctx ends. It returns the last error of read.
func Outlast(ctx context.Context, read func() error) error {
	for since := time.Now(); ; {
		err := read()
		if err == nil || chain.KindOf(err) != chain.Unavailable || time.Since(since) > maxOutage || !ctxtime.Sleep(ctx, retryAfter) {
			return err
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

// A subscription is executed once to open its stream, with a sink in its context: the resolver of the subscription field
// sets the stream. Then it is executed once for each event, with the event in its context.

// Sink receives the stream of a subscription.
type Sink struct {
	// LastEvent is the cursor of the last event that the client has received, if the connection specifies it; else "".
	LastEvent string
	Stream    *Stream
}

type (
	sinkKey  struct{}
	eventKey struct{}
)

// WithSink returns a context in which a subscription can set its stream.
func WithSink(ctx context.Context, s *Sink) context.Context {
	return context.WithValue(ctx, sinkKey{}, s)
}

// SinkOf returns the sink of the context, or nil where no subscription is possible.
func SinkOf(ctx context.Context) *Sink {
	s, _ := ctx.Value(sinkKey{}).(*Sink)
	return s
}

// WithEvent returns a context for the execution of a subscription for an event.
func WithEvent(ctx context.Context, e *Event) context.Context {
	return context.WithValue(ctx, eventKey{}, e)
}

// EventOf returns the event of the context, or nil outside the execution for an event.
func EventOf(ctx context.Context) *Event {
	e, _ := ctx.Value(eventKey{}).(*Event)
	return e
}
