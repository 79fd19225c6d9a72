package feed

import (
	"context"
	"slices"
	"sync"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/pending"
	"tonql/internal/store/readers"
)

const (
	// maxWatched is the number of newest messages that are watched.
	maxWatched = 256
	// maxOlder and maxOlderBytes bound the published traces of messages that are not among the newest any more. Of these only the outcome is looked
	// up; when there are more, the oldest are forgotten.
	maxOlder      = 4096
	maxOlderBytes = 32 << 20
	// maxOpen is the time after which a published trace without another outcome is invalidated: its message cannot be in a block any more, and may not
	// be stored any more.
	maxOpen = (pending.MaxLifetime + 60) * time.Second
	// maxEmulated is the maximum number of messages in one call of the tracker.
	maxEmulated = 100
	// maxUpdates is the number of updates that are retained for streams. A stream that is further behind, because its client
	// hardly reads, misses some.
	maxUpdates = 4096
	// maxUpdateBytes bounds the traces of these updates in memory.
	maxUpdateBytes = 64 << 20
	// maxPublishedBytes bounds the traces of watched messages in memory, apart from those of up to smallTrace bytes: anyone can send messages
	// whose traces are large. One that does not fit is watched further, and published when it fits or its outcome is final.
	maxPublishedBytes = 64 << 20
	smallTrace        = 128 << 10
)

// watch follows the outcome of sent messages while at least one stream subscribes to it.
type watch struct {
	*Feed

	hints chan struct{} // one slot

	mu          sync.Mutex
	subscribers int
	wanted      chan struct{} // closed when there is a subscriber
	updates     []*TraceUpdate
	updateBytes int           // of the retained updates
	traceBytes  int           // of published traces, as maxPublishedBytes bounds them
	first       int           // number of the first retained update
	fresh       chan struct{} // closed when there are more updates, or asOf has changed
	messages    map[chain.Hash]*watched
	older       []chain.Hash // those of messages that are not among the newest any more, the oldest first
	asOf        uint32       // masterchain block up to which all updates are published
}

// watched is the state of one message.
type watched struct {
	published *chain.FullTrace // last published version of its trace; nil before the first, after the last, and while it is refused
	bytes     int              // of it; 0 for a small one
	first     *TraceUpdate     // what new streams receive of it, which share it; nil until one starts
	since     time.Time        // when its first version was published
	older     bool             // it is not among the newest messages any more
	sent      time.Time        // when it was last sent
	ended     bool             // no further update follows, unless it is sent again
	complete  bool             // its trace is complete in the index
}

func newWatch(f *Feed) *watch {
	return &watch{
		Feed: f, hints: make(chan struct{}, 1), wanted: make(chan struct{}), fresh: make(chan struct{}),
		messages: map[chain.Hash]*watched{},
	}
}

// run watches until ctx ends.
func (w *watch) run(ctx context.Context) {
	for {
		w.mu.Lock()
		wanted := w.wanted
		w.mu.Unlock()
		select {
		case <-wanted:
			w.poll(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// poll publishes updates until there is no subscriber or ctx ends.
func (w *watch) poll(ctx context.Context) {
	listening, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	wg.Go(func() { w.listen(listening) })
	poll := time.NewTicker(w.opts.Poll)
	defer poll.Stop()
	for {
		_, _, moved := w.now()
		if err := w.refresh(ctx); err != nil && ctx.Err() == nil {
			w.opts.Logger.Warn("reading pending traces failed, retrying", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-moved:
		case <-w.hints:
		case <-poll.C:
		}
		if w.resetIfIdle() || !ctxtime.Sleep(ctx, minInterval) {
			return
		}
	}
}

// resetIfIdle discards all state if there is no subscriber, and reports whether it did.
func (w *watch) resetIfIdle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.subscribers > 0 {
		return false
	}
	w.wanted = make(chan struct{})
	w.first += len(w.updates)
	for _, u := range w.updates {
		u.release()
	}
	for _, m := range w.messages {
		m.renew()
	}
	w.updates, w.messages, w.older = nil, map[chain.Hash]*watched{}, nil
	w.updateBytes, w.traceBytes = 0, 0
	return true
}

// listen receives notifications of sent messages until ctx ends.
func (w *watch) listen(ctx context.Context) {
	hint := func() {
		select {
		case w.hints <- struct{}{}:
		default:
		}
	}
	w.opts.Pending.Listen(ctx, hint, func(err error) {
		w.opts.Logger.Warn("LISTEN failed, polling pending messages", "err", err)
	})
}

// refresh publishes all changes of the watched messages.
func (w *watch) refresh(ctx context.Context) (err error) {
	defer chain.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	sent, err := w.opts.Pending.Sent(ctx, maxWatched)
	if err != nil {
		return err //nolint:wrapcheck // the tracker names the query
	}
	unfinished, older, before := w.unfinished(sent)
	var asOf uint32
	if ranges, _, _ := w.now(); len(ranges) > 0 {
		asOf = ranges[len(ranges)-1].Last
	}
	if asOf == before {
		older = nil // only blocks and the time that they name decide on these
	}
	if len(unfinished)+len(older) > 0 {
		if err := w.opts.Pending.Reach(ctx, asOf); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	for chunk := range slices.Chunk(unfinished, maxEmulated) {
		err := readers.Try(ctx, asOf, nil, func(ctx context.Context) error { return w.check(ctx, chunk, asOf) })
		if err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	for chunk := range slices.Chunk(older, maxEmulated) {
		err := readers.Try(ctx, asOf, nil, func(ctx context.Context) error { return w.outcomes(ctx, chunk, asOf) })
		if err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asOf = asOf
	w.wake()
	return nil
}

// wake wakes all streams. It requires the lock.
func (w *watch) wake() {
	close(w.fresh)
	w.fresh = make(chan struct{})
}

// unfinished returns those of the sent messages whose outcome is open, the older ones of which a version was published, and the block up to which all
// updates are published. It drops the state of all other messages.
func (w *watch) unfinished(sent []chain.LastSent) (unfinished, older []chain.Hash, asOf uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	messages := make(map[chain.Hash]*watched, len(sent))
	for _, s := range sent {
		m := w.messages[s.Hash]
		if m == nil {
			m = &watched{}
		}
		if m.ended && !m.complete && s.At.After(m.sent) {
			m.ended = false // it had expired
		}
		m.older, m.sent, messages[s.Hash] = false, s.At, m
		if !m.ended {
			unfinished = append(unfinished, s.Hash)
		}
	}
	for h, m := range w.messages {
		if messages[h] == nil && m.published != nil && !m.older {
			m.older, w.older = true, append(w.older, h)
		}
	}
	w.older = slices.DeleteFunc(w.older, func(h chain.Hash) bool { m := w.messages[h]; return m == nil || !m.older || m.published == nil })
	size := 0
	for i, h := range slices.Backward(w.older) {
		if size += pending.Weight(w.messages[h].published); len(w.older)-i > maxOlder || size > maxOlderBytes {
			w.older = slices.Clone(w.older[i+1:])
			break
		}
		messages[h] = w.messages[h]
	}
	for h, m := range w.messages {
		if messages[h] == nil { // it is followed no longer
			m.renew()
		}
	}
	w.messages, w.traceBytes = messages, 0
	for _, m := range messages {
		w.traceBytes += m.bytes
	}
	return unfinished, slices.Clone(w.older), w.asOf
}

// check looks up the outcome of messages and publishes what has changed.
func (w *watch) check(ctx context.Context, messages []chain.Hash, asOf uint32) error {
	traces, refused, err := w.opts.Pending.Emulate(ctx, messages)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, t := range byMessage(traces) {
		w.update(*t.ExternalHashNorm, t, false, asOf)
	}
	for h, expired := range refused { // a later block may accept one that has not expired
		w.update(h, nil, expired, asOf)
	}
	rest := slices.DeleteFunc(without(messages, traces), func(h chain.Hash) bool { _, is := refused[h]; return is })
	return w.outcomes(ctx, rest, asOf)
}

// outcomes publishes the outcome of messages that have one.
func (w *watch) outcomes(ctx context.Context, rest []chain.Hash, asOf uint32) error {
	if len(rest) == 0 {
		return nil
	}
	traces, err := w.opts.Pending.Indexed(readers.Limited(ctx), rest)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	w.expire(without(rest, traces), asOf)
	for _, t := range byMessage(traces) {
		if t.State != chain.TracePending { // a pending one was not emulated in time
			w.update(*t.ExternalHashNorm, t, true, asOf)
		}
	}
	if rest = without(rest, traces); len(rest) == 0 {
		return nil
	}
	expired, err := w.opts.Pending.Expired(ctx, rest)
	for _, h := range expired {
		w.update(h, nil, true, asOf)
	}
	return err //nolint:wrapcheck // as above
}

// expire invalidates the published traces of older messages that are not indexed and whose time is over.
func (w *watch) expire(messages []chain.Hash, asOf uint32) {
	var over []chain.Hash
	w.mu.Lock()
	for _, h := range messages {
		if m := w.messages[h]; m != nil && m.older && time.Since(m.since) > maxOpen {
			over = append(over, h)
		}
	}
	w.mu.Unlock()
	for _, h := range over {
		w.update(h, nil, true, asOf)
	}
}

// without returns the messages that did not start any of the traces.
func without(messages []chain.Hash, traces []chain.FullTrace) []chain.Hash {
	found := byMessage(traces)
	return slices.DeleteFunc(slices.Clone(messages), func(h chain.Hash) bool { return found[h] != nil })
}

func byMessage(traces []chain.FullTrace) map[chain.Hash]*chain.FullTrace {
	found := make(map[chain.Hash]*chain.FullTrace, len(traces))
	for i := range traces {
		if h := traces[i].ExternalHashNorm; h != nil {
			found[*h] = &traces[i]
		}
	}
	return found
}
