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
	// maxNews is how many news are kept for streams that have not heard them; who is further behind, since his client
	// hardly reads, misses some.
	maxNews = 4096
)

// watch follows what becomes of messages, while any stream wants to hear of it.
type watch struct {
	*Feed

	hints chan struct{} // one slot

	mu        sync.Mutex
	followers int
	wanted    chan struct{} // closed when followers become more than none
	news      []*TraceUpdate
	first     int           // number of the first of them
	fresh     chan struct{} // closed when there are more
	messages  map[chain.Hash]*watched
	asOf      uint32 // everything is known of them that follows from this masterchain block
}

// watched is a message.
type watched struct {
	told     *chain.FullTrace // as streams know it; nil: nothing was known yet
	ended    bool             // nothing more is to be told
	complete bool             // its trace is in the index
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
			w.attend(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// attend watches while anybody follows.
func (w *watch) attend(ctx context.Context) {
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
			w.opts.Logger.Warn("what is pending cannot be told now", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-moved:
		case <-w.hints:
		case <-poll.C:
		}
		if w.deserted() || !ctxtime.Sleep(ctx, apart) {
			return
		}
	}
}

// deserted forgets everything when nobody follows.
func (w *watch) deserted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.followers > 0 {
		return false
	}
	w.wanted = make(chan struct{})
	w.first += len(w.news)
	for _, n := range w.news {
		n.forget()
	}
	w.news, w.messages = nil, map[chain.Hash]*watched{}
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

// look finds out what has changed.
func (w *watch) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	sent, err := w.opts.PendingSource.Sent(ctx, maxWatched)
	if err != nil {
		return err //nolint:wrapcheck // it names what was asked
	}
	going := w.going(sent)
	var asOf uint32
	if ledger, _, _ := w.now(); len(ledger) > 0 {
		asOf = ledger[len(ledger)-1].Last
	}
	if len(going) > 0 {
		if err := w.opts.PendingSource.Reach(ctx, asOf); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	for len(going) > 0 {
		some := going[:min(len(going), MaxEmulated)]
		going = going[len(some):]
		if err := w.ask(ctx, some, asOf); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asOf = asOf
	w.wake()
	return nil
}

// wake lets all streams look again; it needs the lock.
func (w *watch) wake() {
	close(w.fresh)
	w.fresh = make(chan struct{})
}

// going are the messages of which more may become known. Those that are not kept any more are forgotten.
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

// ask asks what becomes of messages, and tells what is new.
func (w *watch) ask(ctx context.Context, messages []chain.Hash, asOf uint32) error {
	traces, err := w.opts.PendingSource.Emulate(ctx, messages)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, t := range byMessage(traces) {
		w.tell(*t.ExternalHashNorm, t, t.Finality == chain.Invalidated, asOf)
	}
	rest := without(messages, traces)
	if len(rest) == 0 {
		return nil
	}
	if traces, err = w.opts.PendingSource.Indexed(ctx, rest); err != nil {
		return err //nolint:wrapcheck // as above
	}
	for _, t := range byMessage(traces) {
		if t.State != chain.TracePending { // or else there was no time to foretell how it goes on
			w.tell(*t.ExternalHashNorm, t, true, asOf)
		}
	}
	if rest = without(rest, traces); len(rest) == 0 {
		return nil
	}
	expired, err := w.opts.PendingSource.Expired(ctx, rest)
	for _, h := range expired {
		w.tell(h, nil, true, asOf)
	}
	return err //nolint:wrapcheck // as above
}

// without leaves out the messages that began one of the traces.
func without(messages []chain.Hash, traces []chain.FullTrace) []chain.Hash {
	found := byMessage(traces)
	return slices.DeleteFunc(slices.Clone(messages), func(h chain.Hash) bool { return found[h] != nil })
}

// tell tells what is new of a message's trace. Over says that nothing more will be; nil, then, that nothing came of it.
func (w *watch) tell(message chain.Hash, now *chain.FullTrace, over bool, asOf uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.messages[message]
	if m == nil { // by its plain hash: not asked for
		return
	}
	m.complete = over && now != nil && now.Finality == chain.Finalized
	if m.told == nil && over {
		m.ended = true // before anybody heard of it
		return
	}
	switch {
	case now == nil:
		now = invalidated(m.told)
	case m.told != nil && now.Finality == chain.Confirmed && now.Classification == chain.Unclassified:
		// It has begun, and there was no time to foretell how it goes on: what was foretold may still come about.
		begun := *m.told
		begun.Trace = now.Trace
		now = &begun
	}
	n := w.newsOf(m.told, now, asOf)
	m.told, m.ended = now, over
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

// publish hands news to all streams; it needs the lock.
func (w *watch) publish(n *TraceUpdate) {
	if n.empty() {
		return
	}
	w.news = append(w.news, n)
	for len(w.news) > maxNews {
		w.news[0].forget()
		w.news, w.first = w.news[1:], w.first+1
	}
	w.wake()
}

func (w *watch) newsOf(before, now *chain.FullTrace, asOf uint32) *TraceUpdate {
	n := difference(before, now)
	n.asOf, n.index, n.all, n.loaders = asOf, w.index, &w.remembered, loaders.New(w.index)
	if now.Finality != chain.Finalized { // or else the index has it
		n.loaders.PrimeTrace(now)
	}
	if before != nil { // what came to nothing is nowhere else
		n.loaders.PrimeTrace(before)
	}
	return n
}

// hearing is a stream's place in the news.
type hearing struct {
	watch *watch
	next  int            // number of the first that was not heard
	first []*TraceUpdate // what was pending when the stream began
}

// hear begins to follow the news; leave must be called. What is pending comes first.
func (w *watch) hear() *hearing {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.followers++; w.followers == 1 {
		select {
		case <-w.wanted: // whoever attends has not noticed that everybody had left
		default:
			close(w.wanted)
		}
	}
	h := &hearing{watch: w, next: w.first + len(w.news)}
	for _, m := range w.messages {
		if m.told != nil && !m.ended {
			n := w.newsOf(nil, m.told, w.asOf)
			n.message = m
			h.first = append(h.first, n)
		}
	}
	return h
}

func (h *hearing) leave() {
	h.watch.mu.Lock()
	defer h.watch.mu.Unlock()
	h.watch.followers--
}

// take gives the next news for a stream that has told everything up to a masterchain block, or else what is closed when
// there may be some; nil when only blocks can bring them. Nothing becomes less sure: news that are older than what was told
// wait until it is known what follows from that, and are left out when the trace is complete.
func (h *hearing) take(at uint32) (n *TraceUpdate, fresh <-chan struct{}) {
	w := h.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	h.next = max(h.next, w.first)
	for {
		switch {
		case len(h.first) > 0:
			n = h.first[0]
		case h.next < w.first+len(w.news):
			n = w.news[h.next-w.first]
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
