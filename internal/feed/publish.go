package feed

import (
	"time"

	"tonql/internal/chain"
	"tonql/internal/pending"
)

// update publishes the difference between the last published version of a message's trace and now, which is nil for a message that expired or is
// refused. If last is set, no further update follows.
func (w *watch) update(message chain.Hash, now *chain.FullTrace, last bool, asOf uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := w.messages[message]
	if m == nil || m.ended { // found by its plain hash, which is not watched; or by an earlier try
		return
	}
	m.complete = last && now != nil && now.Finality == chain.Finalized
	if m.published == nil && (last || now == nil) {
		m.ended = last // before its first update
		return
	}
	over := last || now == nil // nothing of what is published remains
	switch {
	case now == nil:
		now = invalidated(m.published)
	case m.published != nil && now.Finality == chain.Confirmed && now.Classification == chain.Unclassified:
		// The first transaction is in a block, but the rest was not emulated in time: the emulated rows remain valid.
		begun := *m.published
		begun.Trace = now.Trace
		now = &begun
	default:
		now = withMissing(m.published, now)
	}
	bytes := pending.Weight(now)
	if bytes <= smallTrace || over {
		bytes = 0
	}
	if bytes > 0 && w.traceBytes-m.bytes+bytes > maxPublishedBytes {
		return
	}
	if m.published == nil {
		m.since = time.Now()
	}
	m.renew()
	u := w.newUpdate(m.published, now, asOf)
	w.traceBytes += bytes - m.bytes
	m.published, m.bytes, m.ended = now, bytes, last
	if over {
		m.published = nil
	}
	u.message, u.last = m, last
	w.publish(u)
}

// publish makes an update available to all streams. It requires the lock.
func (w *watch) publish(u *TraceUpdate) {
	if u.empty() {
		return
	}
	w.updates, w.updateBytes = append(w.updates, u), w.updateBytes+u.bytes
	for len(w.updates) > maxUpdates || w.updateBytes > maxUpdateBytes && len(w.updates) > 1 {
		oldest := w.updates[0]
		oldest.release()
		w.updates[0] = nil
		w.updates, w.updateBytes, w.first = w.updates[1:], w.updateBytes-oldest.bytes, w.first+1
	}
	w.wake()
}

func (w *watch) newUpdate(before, now *chain.FullTrace, asOf uint32) *TraceUpdate {
	u := difference(before, now)
	u.asOf, u.index, u.all = asOf, w.index, &w.cachedBytes
	if now.Finality != chain.Finalized { // a finalized trace is in the index
		u.now = now
		u.emulated = append(u.emulated, now)
	}
	if before != nil { // its invalidated rows are nowhere else
		u.emulated = append(u.emulated, before)
	}
	for _, t := range u.emulated {
		u.bytes += pending.Weight(t)
	}
	return u
}

// firstOf returns the update from nothing to the published version of a message's trace. It requires the lock. Streams that start in the same block share
// it: anyone can send messages whose traces are large, and start many streams.
func (w *watch) firstOf(m *watched) *TraceUpdate {
	if m.first == nil || m.first.asOf != w.asOf {
		m.renew()
		m.first = w.newUpdate(nil, m.published, w.asOf)
		m.first.message = m
	}
	return m.first
}

// renew forgets the update of new streams.
func (m *watched) renew() {
	if m.first != nil {
		m.first.release()
		m.first = nil
	}
}
