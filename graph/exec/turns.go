package exec

import (
	"sync"
	"time"
)

// patience is how long gathered keys and finished rows wait for resolvers that do something else than wait, such as one
// that asks a node. Nothing must have happened for it twice: when the machine has kept the process waiting, the alarm
// comes before those who could not move.
const patience = 3 * time.Millisecond

// turns knows which goroutines of a run do something. Keys are read when nobody does: every key that this level of the
// query has is then in its batch.
type turns struct {
	mu      sync.Mutex
	running int // the goroutine that builds the tree, and resolvers that do not wait for a batch
	reading int // batches that are being read
	unsent  []*Batch
	ready   []func() // results for the goroutine that builds the tree
	idle    bool     // it waits for them
	wake    chan struct{}
	alarm   *time.Timer
	armed   bool
	moves   int  // whatever happened so far
	seen    int  // when the alarm was set
	still   bool // the alarm has come already since something happened
}

func (t *turns) begin() { t.running, t.wake = 1, make(chan struct{}, 1) }

func (t *turns) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.disarm()
}

func (t *turns) enter() {
	t.mu.Lock()
	t.running++
	t.moves++
	t.mu.Unlock()
}

// deliver ends the turn of a resolver.
func (t *turns) deliver(take func()) {
	t.mu.Lock()
	t.ready = append(t.ready, take)
	t.running--
	t.settle()
	t.mu.Unlock()
}

// next waits for results.
func (t *turns) next() []func() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	t.idle = true
	t.settle()
	t.mu.Unlock()
	<-t.wake
	t.mu.Lock()
	ready := t.ready
	t.ready = nil
	return ready
}

// settle decides who goes on when a goroutine has stopped. Rows come before batches, since they may add keys to them,
// and batches begin together.
func (t *turns) settle() {
	t.moves++
	switch {
	case t.running > 0:
		t.arm()
	case len(t.ready) > 0:
		t.rouse()
	case t.reading == 0:
		t.send()
	}
}

// rouse gives the turn to the goroutine that builds the tree.
func (t *turns) rouse() {
	if !t.idle {
		return
	}
	t.disarm()
	t.idle = false
	t.running++
	t.wake <- struct{}{}
}

func (t *turns) send() {
	t.disarm()
	for _, b := range t.unsent {
		b.sent = true
		t.reading++
		go b.send()
	}
	t.unsent = t.unsent[:0]
}

func (t *turns) arm() {
	if t.armed || len(t.unsent) == 0 && (len(t.ready) == 0 || !t.idle) {
		return
	}
	t.armed, t.seen = true, t.moves
	if t.alarm == nil {
		t.alarm = time.AfterFunc(patience, t.impatient)
		return
	}
	t.alarm.Reset(patience)
}

func (t *turns) disarm() {
	if t.armed {
		t.alarm.Stop()
		t.armed = false
	}
}

func (t *turns) impatient() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.armed {
		return
	}
	t.armed = false
	if moved := t.moves != t.seen; moved || !t.still {
		t.still = !moved
		t.arm()
		return
	}
	t.still = false
	if len(t.ready) > 0 {
		t.rouse()
	}
	t.send()
}
