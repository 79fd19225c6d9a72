package exec

import "slices"

// Batch is keys that a loader has gathered and not yet read. A loader tells the run of a request of its batches, so that
// they are read in time and no sooner.
type Batch struct {
	run     *Run
	send    func()
	waiting int // resolvers
	sent    bool
	done    bool
}

// Gather begins a batch; send reads it, and is called once unless Begun comes first.
func (r *Run) Gather(send func()) *Batch {
	b := &Batch{run: r, send: send}
	r.mu.Lock()
	r.unsent = append(r.unsent, b)
	r.mu.Unlock()
	return b
}

// Wait ends the turn of a resolver until the batch is there. The resolver then waits by itself.
func (b *Batch) Wait() {
	t := &b.run.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	if b.done {
		return
	}
	b.waiting++
	t.running--
	t.settle()
}

// Done gives all resolvers that wait for the batch their turns. It comes before they can go on.
func (b *Batch) Done() {
	t := &b.run.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	if b.done {
		return
	}
	b.done = true
	t.running += b.waiting
	if b.sent {
		t.reading--
	} else if i := slices.Index(t.unsent, b); i >= 0 {
		t.unsent = slices.Delete(t.unsent, i, i+1)
	}
	t.settle()
}
