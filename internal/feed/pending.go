package feed

import (
	"context"
	"slices"
	"sync"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/loaders"
)

const (
	// maxWatched is how many of the newest messages are watched.
	maxWatched = 256
	// maxUpdates is how many updates are buffered for streams; a stream whose client reads too slowly misses older ones.
	maxUpdates = 4096
)

// watch follows sent messages while a stream is subscribed to pending events.
type watch struct {
	*Feed

	hints chan struct{} // one slot

	mu        sync.Mutex
	followers int
	wanted    chan struct{} // closed when the first follower subscribes
	updates   []*TraceUpdate
	first     int           // number of the first of them
	fresh     chan struct{} // closed when there are further ones
	messages  map[chain.Hash]*watched
	asOf      uint32 // masterchain block up to which the messages are evaluated
}

// watched is a message.
type watched struct {
	published *chain.FullTrace // as it was published last; nil: not published yet
	ended     bool             // no further update follows
	complete  bool             // its trace is in the index
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

// poll refreshes the messages until the last follower leaves.
func (w *watch) poll(ctx context.Context) {
	listening, mute := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer mute()
	wg.Go(func() { w.listen(listening) })
	poll := time.NewTicker(w.opts.Poll)
	defer poll.Stop()
	for {
		_, _, moved := w.now()
		if err := w.look(ctx); err != nil && ctx.Err() == nil {
			w.opts.Logger.Warn("pending traces cannot be read, retrying", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-moved:
		case <-w.hints:
		case <-poll.C:
		}
		if w.stopIfIdle() || !ctxtime.Sleep(ctx, apart) {
			return
		}
	}
}

// stopIfIdle drops all state if there is no follower.
func (w *watch) stopIfIdle() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.followers > 0 {
		return false
	}
	w.wanted = make(chan struct{})
	w.first += len(w.updates)
	for _, n := range w.updates {
		n.forget()
	}
	w.updates, w.messages = nil, map[chain.Hash]*watched{}
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
	w.opts.PendingSource.Listen(ctx, hint, func(err error) {
		w.opts.Logger.Warn("LISTEN failed, polling pending messages", "err", err)
	})
}

// look publishes what has changed.
func (w *watch) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	sent, err := w.opts.PendingSource.Sent(ctx, maxWatched)
	if err != nil {
		return err //nolint:wrapcheck // its error names the query
	}
	going := w.going(sent)
	var asOf uint32
	if ranges, _, _ := w.now(); len(ranges) > 0 {
		asOf = ranges[len(ranges)-1].Last
	}
	if len(going) > 0 {
		if err := w.opts.PendingSource.Reach(ctx, asOf); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	for len(going) > 0 {
		some := going[:min(len(going), MaxEmulated)]
		going = going[len(some):]
		if err := w.refresh(ctx, some, asOf); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asOf = asOf
	w.wake()
	return nil
}

// wake wakes all streams. The caller holds the lock.
func (w *watch) wake() {
	close(w.fresh)
	w.fresh = make(chan struct{})
}

// going returns the messages without a final outcome, and drops those that are not stored any more.
func (w *watch) going(sent []chain.Hash) []chain.Hash {
	w.mu.Lock()
	defer w.mu.Unlock()
	messages := make(map[chain.Hash]*watched, len(sent))
	var going []chain.Hash
	for _, h := range sent {
		m := w.messages[h]
		if m == nil {
			m = &watched{}
		}
		messages[h] = m
		if !m.ended {
			going = append(going, h)
		}
	}
	w.messages = messages
	return going
}

// refresh emulates or looks up the traces of messages and publishes the changes.
func (w *watch) refresh(ctx context.Context, messages []chain.Hash, asOf uint32) error {
	traces, err := w.opts.PendingSource.Emulate(ctx, messages)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, t := range byMessage(traces) {
		w.update(*t.ExternalHashNorm, t, t.Finality == chain.Invalidated, asOf)
	}
	rest := without(messages, traces)
	if len(rest) == 0 {
		return nil
	}
	if traces, err = w.opts.PendingSource.Indexed(ctx, rest); err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, t := range byMessage(traces) {
		if t.State != chain.TracePending { // otherwise there was no time to emulate the rest
			w.update(*t.ExternalHashNorm, t, true, asOf)
		}
	}
	if rest = without(rest, traces); len(rest) == 0 {
		return nil
	}
	expired, err := w.opts.PendingSource.Expired(ctx, rest)
	for _, h := range expired {
		w.update(h, nil, true, asOf)
	}
	return err //nolint:wrapcheck // as above
}

// without leaves out the messages that began one of the traces.
func without(messages []chain.Hash, traces []chain.FullTrace) []chain.Hash {
	found := byMessage(traces)
	return slices.DeleteFunc(slices.Clone(messages), func(h chain.Hash) bool { return found[h] != nil })
}

// update publishes the changes of a message's trace. over marks the last update; with a nil trace the message was invalidated.
func (w *watch) update(message chain.Hash, now *chain.FullTrace, over bool, asOf uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.messages[message]
	if m == nil { // found by its plain hash: not requested
		return
	}
	m.complete = over && now != nil && now.Finality == chain.Finalized
	if m.published == nil && over {
		m.ended = true // before it was published
		return
	}
	switch {
	case now == nil:
		now = invalidated(m.published)
	case m.published != nil && now.Finality == chain.Confirmed && now.Classification == chain.Unclassified:
		// The trace has begun, and there was no time to emulate the rest: the emulated part may still happen.
		begun := *m.published
		begun.Trace = now.Trace
		now = &begun
	}
	n := w.updateList(m.published, now, asOf)
	m.published, m.ended = now, over
	n.message, n.over = m, over
	w.publish(n)
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

// publish makes an update available to all streams. The caller holds the lock.
func (w *watch) publish(n *TraceUpdate) {
	if n.empty() {
		return
	}
	w.updates = append(w.updates, n)
	for len(w.updates) > maxUpdates {
		w.updates[0].forget()
		w.updates, w.first = w.updates[1:], w.first+1
	}
	w.wake()
}

func (w *watch) updateList(before, now *chain.FullTrace, asOf uint32) *TraceUpdate {
	n := difference(before, now)
	n.asOf, n.index, n.all, n.loaders = asOf, w.index, &w.remembered, loaders.New(w.index)
	if now.Finality != chain.Finalized { // otherwise it is in the index
		n.loaders.PrimeTrace(now)
	}
	if before != nil { // invalidated rows are nowhere else
		n.loaders.PrimeTrace(before)
	}
	return n
}

// pendingStream is a stream's position in the updates.
type pendingStream struct {
	watch *watch
	next  int            // number of the first update that was not read
	first []*TraceUpdate // what was pending when the stream began
}

// subscribe starts to follow the updates; leave must be called. The pending traces come first.
func (w *watch) subscribe() *pendingStream {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.followers++; w.followers == 1 {
		select {
		case <-w.wanted: // poll has not stopped since the last follower left
		default:
			close(w.wanted)
		}
	}
	h := &pendingStream{watch: w, next: w.first + len(w.updates)}
	for _, m := range w.messages {
		if m.published != nil && !m.ended {
			n := w.updateList(nil, m.published, w.asOf)
			n.message = m
			h.first = append(h.first, n)
		}
	}
	return h
}

func (h *pendingStream) leave() {
	h.watch.mu.Lock()
	defer h.watch.mu.Unlock()
	h.watch.followers--
}

// take returns the next update for a stream that has published everything up to a masterchain block, or a channel that is
// closed when there may be one; nil while only a block can bring one. Finality never decreases: an update older than the last
// published block is held until the messages are evaluated at that block, and dropped when the trace is complete.
func (h *pendingStream) take(at uint32) (n *TraceUpdate, fresh <-chan struct{}) {
	w := h.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	h.next = max(h.next, w.first)
	for {
		switch {
		case len(h.first) > 0:
			n = h.first[0]
		case h.next < w.first+len(w.updates):
			n = w.updates[h.next-w.first]
		default:
			return nil, w.fresh
		}
		switch {
		case n.asOf > at:
			return nil, nil
		case n.asOf < at && !n.over && w.asOf < at:
			return nil, w.fresh
		}
		if len(h.first) > 0 {
			h.first = h.first[1:]
		} else {
			h.next++
		}
		if n.asOf == at || n.over || !n.message.complete {
			return n, nil
		}
	}
}
