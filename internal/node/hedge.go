package node

import (
	"context"
	"time"
)

// A stalling server must not delay a query until its timeout: after a while the query goes to the next server, too, and
// the first valid response counts. The attempt at the stalling server continues, so that the server is set aside if it
// never responds.
const (
	hedgeLeast = 300 * time.Millisecond
	maxHedge   = time.Second
	// hedgeFactor is how much longer than usual a response may take.
	hedgeFactor = 8
)

// timeout returns how long a query waits for s before it goes to the next server, too.
func (s *server) timeout() time.Duration {
	return min(max(hedgeFactor*time.Duration(s.latency.Load()), hedgeLeast), maxHedge)
}

// attempt is the outcome of a query at one server.
type attempt[T any] struct {
	server   *server
	response T
	err      error
}

// race queries servers one after the other, the next as soon as the previous one fails or takes too long. It passes each
// finished attempt to judge until judge returns true or all attempts have ended. Attempts still in flight then continue
// in the background, and only blame sees their outcome.
func race[T any](ctx context.Context, p *Pool, w want, servers []*server, try func(context.Context, *server) (T, error), judge func(attempt[T]) (done bool)) {
	results := make(chan attempt[T], len(servers))
	over := make(chan struct{})
	defer close(over)
	next, running := 0, 0
	start := func() {
		s := servers[next]
		next++
		// Longer than one query may take: an attempt may need several.
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*p.opts.Timeout)
		if !p.start(func() {
			defer cancel()
			response, err := try(bounded, s)
			select {
			case <-over:
				if err != nil {
					s.blame(w, err)
				}
			default:
				results <- attempt[T]{s, response, err}
			}
		}) {
			cancel()
			return
		}
		running++
	}
	start()
	for running > 0 {
		var late <-chan time.Time
		if next < len(servers) {
			late = time.After(servers[next-1].timeout())
		}
		select {
		case a := <-results:
			running--
			if judge(a) {
				return
			}
			if running == 0 && next < len(servers) {
				start()
			}
		case <-late:
			start()
		case <-ctx.Done():
			return
		}
	}
}
