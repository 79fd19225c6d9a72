package exec

import "slices"

// Batch is the keys that a loader has gathered for one read. A loader registers its batches with the run of a request,
// which sends each of them once the resolvers of the run have added all keys of this level of the query.
type Batch struct {
	run     *Run
	send    func()
	waiting int // resolvers
	sent    bool
	done    bool
}

// Gather registers a batch. The run calls send at most once, in a goroutine, to read the batch; it does not call it if
// [Batch.Done] comes first, because the loader has read the batch itself.
func (r *Run) Gather(send func()) *Batch {
	b := &Batch{run: r, send: send}
	r.mu.Lock()
	r.unsent = append(r.unsent, b)
	r.mu.Unlock()
	return b
}

// Wait marks the calling resolver as waiting for the batch and returns at once; the resolver then blocks on the loader.
func (b *Batch) Wait() {
	s := &b.run.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.done {
		return
	}
	b.waiting++
	s.running--
	s.advance()
}

// Done marks all resolvers that wait for the batch as running. The loader calls it before it unblocks them.
func (b *Batch) Done() {
	s := &b.run.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.done {
		return
	}
	b.done = true
	s.running += b.waiting
	if b.sent {
		s.reading--
	} else if i := slices.Index(s.unsent, b); i >= 0 {
		s.unsent = slices.Delete(s.unsent, i, i+1)
	}
	s.advance()
}
