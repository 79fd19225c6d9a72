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

// returnTime is how long a server that broke is expected to return: until then, data that the others lack may still exist.
const returnTime = time.Minute

// record is the history of a server that decides when to query it. The server's mutex guards it.
type record struct {
	usable   bool   // connected, head proven, not set aside
	lied     bool   // the last pause is that of a liar
	reason   string // of the last pause; follows the server's name
	until    time.Time
	since    time.Time // start of the present or last usable time
	lost     time.Time // end of the last usable time
	failures uint64
	refusals int

	broken, liar *pauses
	pace         pace

	head   uint32    // newest head it has proven
	headAt time.Time // when it did

	blocks, states, histories absences
	unsupported               map[string]time.Time // until when the kind of query is not expected to succeed, by its TL name
}

// miss records that the server does not have the data of a query. Close to the head it may simply not have it yet.
func (r *record) miss(w want, newestLT uint32, now time.Time) {
	switch {
	case w.seqno != 0 && w.seqno+laggingBlocks > r.head, w.seqno == 0 && w.lt+laggingBlocks > newestLT:
	case w.seqno != 0 && w.state:
		r.states.miss(w.seqno, r.head-laggingBlocks, now)
	case w.seqno != 0:
		r.blocks.miss(w.seqno, r.head-laggingBlocks, now)
	case w.lt != 0:
		r.histories.miss(w.lt, newestLT-laggingBlocks, now)
	}
}

// hit records that the server had the data of a query.
func (r *record) hit(w want) {
	switch {
	case w.seqno != 0 && w.state:
		r.states.hit(w.seqno)
	case w.seqno != 0:
		r.blocks.hit(w.seqno)
	case w.lt != 0:
		r.histories.hit(w.lt)
	}
}

// lacks reports whether the server probably lacks the data of a query.
func (r *record) lacks(w want, now time.Time) bool {
	switch {
	case now.Before(r.unsupported[w.query]):
		return true
	case w.seqno != 0:
		return w.seqno > r.head || r.blocks.lacks(w.seqno, now) || w.state && r.states.lacks(w.seqno, now)
	default:
		return w.lt != 0 && r.histories.lacks(w.lt, now)
	}
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
		pace:   pace{first: o.LimitPause},
	}
}

// blame records a failed query of the server and returns the class of the error, refused for all that no liteserver's
// error caused.
func (s *server) blame(w want, err error) class {
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
		s.noteAbsent(w, a)
		return a.class
	case errors.As(err, &r):
		s.noteRefusal(w, r)
		return r.class
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errStopped):
		// The caller had no time left, or the process stops; the server is not to blame.
	default:
		s.setAside(w, "broken", "could not be used", err)
	}
	return refused
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
	r.lose()
	offence := r.broken
	if r.lied = kind == "lie"; r.lied {
		offence = r.liar
	}
	pause := offence.take(served)
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
	s.log(level, "liteserver set aside", "reason", sentence, "kind", kind, "query", w.what, "pause", pause.Round(time.Millisecond), "err", err)
}

// pauseLeft returns the rest of the pause; it is never zero, so that run does not spin.
func (s *server) pauseLeft() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(time.Until(s.record.until), 10*time.Millisecond)
}

// lose ends the server's usable time.
func (r *record) lose() {
	if r.usable {
		r.usable, r.lost = false, time.Now()
	}
}

// succeeded records a valid response.
func (s *server) succeeded(w want) {
	s.mu.Lock()
	s.record.refusals = 0
	s.record.hit(w)
	s.mu.Unlock()
	for newest := s.pool.newestLT.Load(); w.lt > newest && !s.pool.newestLT.CompareAndSwap(newest, w.lt); {
		newest = s.pool.newestLT.Load()
	}
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
		s.settle()
		s.log(slog.LevelInfo, "liteserver in use", "head", seqno)
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
	now := time.Now()
	switch {
	case !r.usable || r.pace.blocked(now) > 0:
		return 0, false
	case r.lacks(w, now):
		return 2, true
	case r.lagging(head):
		return 1, true
	default:
		return 0, true
	}
}

// mayHave reports whether a server that could not be queried may have the data: it limits queries, was lost a short time
// ago, or has not been connected yet.
func (s *server) mayHave(w want) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.record
	now := time.Now()
	switch {
	case r.lacks(w, now) && w.seqno <= r.head:
		return false
	case r.usable:
		return true
	case r.head == 0:
		select {
		case <-s.tried:
			return false
		default:
			return true
		}
	default:
		return !r.lied && now.Sub(r.lost) < returnTime
	}
}

func (s *server) state(head uint32) chain.ServerState {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.record
	st := chain.ServerState{Name: s.name, Usable: r.usable, HeadSeqno: r.head, Failures: r.failures}
	switch {
	case r.usable && r.pace.limiting(time.Now()):
		st.Usable = false
		st.SetAside = "it limits the rate of queries"
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
