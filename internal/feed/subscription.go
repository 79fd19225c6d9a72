package feed

// subscription is the position of a stream in the updates.
type subscription struct {
	watch *watch
	next  int            // number of the next update
	first []*TraceUpdate // what was pending when the stream started
}

// subscribe starts a subscription, unless fresh with what is pending now. The caller must call close.
func (w *watch) subscribe(fresh bool) *subscription {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.subscribers++; w.subscribers == 1 {
		select {
		case <-w.wanted: // poll has not noted yet that there was no subscriber
		default:
			close(w.wanted)
		}
	}
	s := &subscription{watch: w, next: w.first + len(w.updates)}
	for _, m := range w.messages {
		if !fresh && m.published != nil && !m.ended {
			s.first = append(s.first, w.firstOf(m))
		}
	}
	return s
}

func (s *subscription) close() {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.subscribers--
}

// take returns the next update for a stream that has sent everything up to masterchain block at. If there is none, it
// returns a channel that is closed when there may be one, or nil if only a new block can lead to one.
//
// Finality never decreases: an update that is older than the block is held until the updates after that block are
// published, and left out if the trace is complete.
func (s *subscription) take(at uint32) (u *TraceUpdate, fresh <-chan struct{}) {
	w := s.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	s.next = max(s.next, w.first)
	for {
		switch {
		case len(s.first) > 0:
			u = s.first[0]
		case s.next < w.first+len(w.updates):
			u = w.updates[s.next-w.first]
		default:
			return nil, w.fresh
		}
		switch {
		case u.asOf > at:
			return nil, nil
		case u.asOf < at && !u.last && w.asOf < at:
			return nil, w.fresh
		}
		if len(s.first) > 0 {
			s.first = s.first[1:]
		} else {
			s.next++
		}
		if u.asOf == at || u.last || !u.message.complete {
			return u, nil
		}
	}
}
