package node

import (
	"context"
	"slices"
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
	// attemptTimeouts bounds an attempt, which may consist of several queries and of large responses, in timeouts of one
	// query. A query that ends with the attempt says nothing about the server, so it is longer than any single one.
	attemptTimeouts = 6
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
	var began time.Time // of the newest attempt
	start := func() {
		s := servers[next]
		next++
		began = time.Now()
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTimeouts*p.opts.Timeout)
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
			if next < len(servers) && (running == 0 || a.server == servers[next-1]) {
				start()
			}
		case <-late:
			// More downloads of the same large response would slow down the first.
			if !slices.ContainsFunc(servers[:next], (*server).receiving) || time.Since(began) > p.opts.Timeout {
				start()
			}
		case <-ctx.Done():
			return
		}
	}
}
