package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tonql/internal/chain"
)

// refusalsBeforePause is the number of consecutive refusals after which a server is paused.
const refusalsBeforePause = 5

// record is the history of a server that decides when to query it. The server's mutex guards it.
type record struct {
	usable   bool   // connected, head proven, not set aside
	reason   string // of the last pause; follows the server's name
	until    time.Time
	since    time.Time // start of the present or last usable time
	failures uint64
	refusals int

	broken, liar *pauses

	head   uint32    // newest head it has proven
	headAt time.Time // when it did

	blocks, states depth
}

// depth estimates the oldest data of a server from its hits and misses.
type depth struct {
	from   uint32 // lowest seqno that it probably has
	lowest uint32 // lowest seqno it returned; 0 when none yet
	misses int
}

// miss records that the server did not have seqno. The estimate moves further with each miss, but not above a seqno that
// the server had. So a backfill from the first block does not try every server at every block.
func (d *depth) miss(seqno, head uint32) {
	if seqno < d.from {
		return
	}
	step := uint32(1) << min(d.misses, 24)
	d.misses++
	d.from = min(seqno+step, head-laggingBlocks+1)
	if d.lowest > seqno {
		d.from = min(d.from, d.lowest)
	}
}

// hit records that the server had seqno.
func (d *depth) hit(seqno uint32) {
	if d.lowest == 0 || seqno < d.lowest {
		d.lowest = seqno
		d.from = min(d.from, seqno)
	}
}

// depthOf returns the estimate for the data of a query. The caller holds the server's mutex.
func (r *record) depthOf(w want) *depth {
	if w.state {
		return &r.states
	}
	return &r.blocks
}

// pauses returns the growing pauses of one kind of failure.
type pauses struct {
	next *backoff.ExponentialBackOff
	last time.Duration
}

func newPauses(first, longest time.Duration, factor float64) *pauses {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval, b.Multiplier, b.RandomizationFactor = first, longest, factor, 0.1
	return &pauses{next: b}
}

// take returns the next pause. It starts again with the shortest one for a server that was usable for much longer than
// its last pause.
func (p *pauses) take(served time.Duration) time.Duration {
	if served > 8*p.last {
		p.next.Reset()
	}
	p.last = p.next.NextBackOff()
	return p.last
}

func newRecord(o Options) record {
	return record{
		broken: newPauses(o.BrokenPause, 20*o.BrokenPause, 2),
		liar:   newPauses(o.LiarPause, 30*o.LiarPause, 3),
	}
}

// blame records a failed query of the server and reports whether the server merely lacks the data.
func (s *server) blame(w want, err error) (absent bool) {
	var l *lieError
	var a *absentError
	var r *refusalError
	var b *brokenError
	switch {
	case errors.As(err, &l):
		s.setAside(w, "lie", l.sentence, err)
	case errors.As(err, &b): // before the next two, which may be its cause
		s.setAside(w, "broken", b.sentence, err)
	case errors.As(err, &a):
		s.noteAbsent(w)
		return true
	case errors.As(err, &r):
		s.noteRefusal(w, r)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		// The caller had no time left; the server is not to blame.
	default:
		s.setAside(w, "broken", "could not be used", err)
	}
	return false
}

// setAside pauses the server and closes its connection, so that queries in flight go to other servers.
func (s *server) setAside(w want, kind, sentence string, err error) {
	s.mu.Lock()
	if time.Now().Before(s.record.until) {
		s.mu.Unlock() // one of several queries that failed together; the first decided
		return
	}
	r := &s.record
	var served time.Duration
	if r.usable {
		served = time.Since(r.since)
	}
	changed := r.usable || r.reason != sentence
	offence := r.broken
	if kind == "lie" {
		offence = r.liar
	}
	pause := offence.take(served)
	r.usable = false
	r.reason = sentence
	r.until = time.Now().Add(pause)
	r.failures++
	conn := s.conn
	s.pool.metrics.failed(s.name, kind) // before the change of usable becomes visible
	s.mu.Unlock()

	if conn != nil {
		conn.Abort(fmt.Errorf("set aside: %s", sentence))
	}
	level := slog.LevelDebug // a repetition
	if changed {
		level = slog.LevelWarn
	}
	s.pool.opts.Logger.Log(context.Background(), level, "liteserver set aside", "server", s.name, "reason", sentence, "kind", kind,
		"query", w.what, "pause", pause.Round(time.Millisecond), "err", err)
}

// pauseLeft returns the rest of the pause; it is never zero, so that run does not spin.
func (s *server) pauseLeft() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(time.Until(s.record.until), 10*time.Millisecond)
}

// noteAbsent records that the server no longer has a block that it must have had.
func (s *server) noteAbsent(w want) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.seqno == 0 || w.seqno+laggingBlocks > s.record.head {
		return // it may simply not have it yet
	}
	s.record.depthOf(w).miss(w.seqno, s.record.head)
}

// noteRefusal counts errors that are not lies or broken connections (too many requests, internal errors).
func (s *server) noteRefusal(w want, r *refusalError) {
	s.mu.Lock()
	s.record.refusals++
	many := s.record.refusals >= refusalsBeforePause
	if many {
		s.record.refusals = 0
	}
	s.mu.Unlock()
	s.pool.metrics.failed(s.name, "refusal")
	if many {
		s.setAside(w, "broken", fmt.Sprintf("refused %d queries in a row, the last with error %d", refusalsBeforePause, r.code), r)
	}
}

// succeeded records a valid response.
func (s *server) succeeded(w want) {
	s.mu.Lock()
	s.record.refusals = 0
	if w.seqno != 0 {
		s.record.depthOf(w).hit(w.seqno)
	}
	s.mu.Unlock()
}

// noteHead records a proven head and makes the server usable.
func (s *server) noteHead(seqno uint32) {
	s.mu.Lock()
	r := &s.record
	now := time.Now()
	came := !r.usable && now.After(r.until)
	if came {
		r.usable, r.since, r.reason = true, now, ""
	}
	if seqno > r.head {
		r.head, r.headAt = seqno, now
	}
	s.mu.Unlock()
	s.pool.metrics.serverHead(s.name, seqno)
	if came {
		s.pool.readyOnce.Do(func() { close(s.pool.ready) })
		s.triedOnce.Do(func() { close(s.tried) })
		s.pool.opts.Logger.Info("liteserver in use", "server", s.name, "head", seqno)
	}
}

// lagging reports whether the server has been far behind the pool's head for a while.
func (r *record) lagging(head uint32) bool {
	return r.head+laggingBlocks < head && time.Since(r.headAt) > laggingTime
}

// fitness ranks a usable server for a query; 0 is best.
func (s *server) fitness(w want, head uint32) (class int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.record
	from := max(r.blocks.from, r.depthOf(w).from)
	switch {
	case !r.usable:
		return 0, false
	case w.seqno != 0 && (w.seqno < from || w.seqno > r.head):
		return 2, true
	case r.lagging(head):
		return 1, true
	default:
		return 0, true
	}
}

func (s *server) state(head uint32) chain.ServerState {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.record
	st := chain.ServerState{Name: s.name, Usable: r.usable, HeadSeqno: r.head, Failures: r.failures}
	switch {
	case r.usable && r.lagging(head):
		st.Usable = false
		st.SetAside = fmt.Sprintf("it stays %d blocks behind the newest known block %d", head-r.head, head)
	case r.usable:
	case r.reason != "":
		st.SetAside = "it " + r.reason
		if left := time.Until(r.until).Round(time.Second); left > 0 {
			st.SetAside += fmt.Sprintf("; it is tried again in %s", left)
		}
	default:
		st.SetAside = "it is being connected"
	}
	return st
}
