package exec

import (
	"sync"
	"time"
)

// idleInterval bounds how long unsent batches and finished resolvers wait for resolvers that neither return nor wait for
// a batch, such as one that queries a node. The timer fires only after two intervals without any event of the run, so
// that a process which was descheduled does not send incomplete batches.
const idleInterval = 3 * time.Millisecond

// scheduler counts the running goroutines of a run. Batches are sent when none is running, because then each batch
// contains every key that this level of the query needs.
type scheduler struct {
	mu      sync.Mutex
	running int // the builder, and resolvers that do not wait for a batch
	reading int // batches that are being read
	unsent  []*Batch
	ready   []func() // results of resolvers, for the builder
	idle    bool     // the builder waits for results
	wake    chan struct{}

	timer  *time.Timer
	armed  bool
	events int  // events of the run so far
	seen   int  // value of events when the timer was set
	quiet  bool // the previous interval had no event
}

func (s *scheduler) begin() { s.running, s.wake = 1, make(chan struct{}, 1) }

func (s *scheduler) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.disarm()
}

// enter counts a resolver that is about to start.
func (s *scheduler) enter() {
	s.mu.Lock()
	s.running++
	s.events++
	s.mu.Unlock()
}

// deliver hands the result of a resolver, which ends with it, to the builder.
func (s *scheduler) deliver(take func()) {
	s.mu.Lock()
	s.ready = append(s.ready, take)
	s.running--
	s.advance()
	s.mu.Unlock()
}

// next waits for results of resolvers. Only the builder calls it.
func (s *scheduler) next() []func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
	s.idle = true
	s.advance()
	s.mu.Unlock()
	<-s.wake
	s.mu.Lock()
	ready := s.ready
	s.ready = nil
	return ready
}

// advance decides what runs next after a goroutine has stopped running. Finished resolvers come before batches, because
// their results may add keys to the batches. All batches are sent together. It requires the lock.
func (s *scheduler) advance() {
	s.events++
	switch {
	case s.running > 0:
		s.arm()
	case len(s.ready) > 0:
		s.wakeBuilder()
	case s.reading == 0:
		s.send()
	}
}

// wakeBuilder lets the builder continue if it waits.
func (s *scheduler) wakeBuilder() {
	if !s.idle {
		return
	}
	s.disarm()
	s.idle = false
	s.running++
	s.wake <- struct{}{}
}

// send sends all unsent batches.
func (s *scheduler) send() {
	s.disarm()
	for _, b := range s.unsent {
		b.sent = true
		s.reading++
		go b.send()
	}
	s.unsent = s.unsent[:0]
}

// arm sets the timer if a batch or a result waits and the timer is not set.
func (s *scheduler) arm() {
	if s.armed || len(s.unsent) == 0 && (len(s.ready) == 0 || !s.idle) {
		return
	}
	s.armed, s.seen = true, s.events
	if s.timer == nil {
		s.timer = time.AfterFunc(idleInterval, s.expire)
		return
	}
	s.timer.Reset(idleInterval)
}

func (s *scheduler) disarm() {
	if s.armed {
		s.timer.Stop()
		s.armed = false
	}
}

// expire handles the timer: after the second interval without an event it wakes the builder and sends the batches.
func (s *scheduler) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.armed {
		return
	}
	s.armed = false
	if active := s.events != s.seen; active || !s.quiet {
		s.quiet = !active
		s.arm()
		return
	}
	s.quiet = false
	if len(s.ready) > 0 {
		s.wakeBuilder()
	}
	s.send()
}
