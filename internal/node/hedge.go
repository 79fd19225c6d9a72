package node

import (
	"context"
	"time"
)

// A server that stalls must not hold up a question until its time is over: after a while the next server is asked as
// well, and the first true answer counts. The one that stalls keeps its question, so that it is set aside if it never
// answers.
const (
	hedgeLeast = 300 * time.Millisecond
	maxHedge   = time.Second
	// hedgeFactor is how much longer than usual an answer may take.
	hedgeFactor = 8
)

// timeout is how long s alone is waited for.
func (s *server) timeout() time.Duration {
	return min(max(hedgeFactor*time.Duration(s.latency.Load()), hedgeLeast), maxHedge)
}

// attempt is how one server dealt with a question.
type attempt[T any] struct {
	server   *server
	response T
	err      error
}

// race asks servers one after the other, the next as soon as the one before has failed or takes too long, and hands each
// attempt to judge as it ends, until judge has had enough or all have ended. Attempts still under way then go on by
// themselves and are judged by blame alone.
func race[T any](ctx context.Context, p *Pool, w want, servers []*server, try func(context.Context, *server) (T, error), judge func(attempt[T]) (done bool)) {
	results := make(chan attempt[T], len(servers))
	over := make(chan struct{})
	defer close(over)
	next, running := 0, 0
	start := func() {
		s := servers[next]
		next++
		// Longer than any one query may take: a question may need several.
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
