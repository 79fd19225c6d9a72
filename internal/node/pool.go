package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

const (
	// retryRounds is the number of times that all servers are queried again when none had the data or all were busy.
	retryRounds = 3
	// exploreEvery is how often a query goes to the next server by rotation, regardless of its load, so that a server that
	// was slow once is measured again.
	exploreEvery = 16
	// laggingBlocks and laggingTime: a server so far behind for so long is queried last.
	laggingBlocks = 8
	laggingTime   = 4 * time.Second
)

// Pool is a set of liteservers of one network; each can serve any query. The client has one for the servers of its
// configuration. Pools of private servers can be opened in addition.
type Pool struct {
	opts     Options
	trust    *trust
	metrics  *metrics
	parser   responseParser
	servers  []*server
	rotation atomic.Uint32 // spreads queries over servers of equal fitness
	head     headLine
	newestLT atomic.Uint32 // highest position of an LT that a server had

	ready     chan struct{} // closed once a server has become usable
	readyOnce sync.Once

	cancel context.CancelFunc
	mu     sync.Mutex // guards closed, so that nothing starts after close
	closed bool
	wg     sync.WaitGroup
}

// newPool connects to the endpoints in the background.
func newPool(endpoints []endpoint, t *trust, m *metrics, o Options) *Pool {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Pool{opts: o, trust: t, metrics: m, parser: newResponseParser(), ready: make(chan struct{}), cancel: cancel}
	p.head.init()
	for _, e := range endpoints {
		p.servers = append(p.servers, newServer(p, e))
	}
	for _, s := range p.servers {
		p.wg.Go(func() { s.run(ctx) })
	}
	return p
}

// close drops all connections and returns when every goroutine has ended.
func (p *Pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	p.wg.Wait()
}

// start runs f in a goroutine that close waits for; it refuses once the pool is closed.
func (p *Pool) start(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.wg.Go(f)
	return true
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// settled waits until a server has become usable or all of them have failed once.
func (p *Pool) settled(ctx context.Context) {
	for _, s := range p.servers {
		select {
		case <-s.tried:
		case <-p.ready:
			return
		case <-ctx.Done():
			return
		}
	}
}

// States lists the servers in the order of the configuration.
func (p *Pool) States() []chain.ServerState {
	states := make([]chain.ServerState, len(p.servers))
	head := p.head.seqno()
	for i, s := range p.servers {
		states[i] = s.state(head)
	}
	return states
}

// want describes the data that a query needs, to choose the server.
type want struct {
	what  string // name of the data for errors and metrics
	seqno uint32 // of the masterchain block it concerns; 0 when it concerns none
	state bool   // needs the state after that block, which servers forget sooner than the block
	lt    uint32 // position of the LT it concerns, if no block is named; 0 when it concerns none
	query string // TL name of a query that older servers do not support; else empty
}

// order lists the servers worth querying, best first: not set aside; likely to have the data; fresh; least loaded.
func (p *Pool) order(w want) []*server {
	type candidate struct {
		s     *server
		class int
		load  int
	}
	head := p.head.seqno()
	// Spread by multiplication: queries often come in groups of the same length, and each kind would meet one server.
	rotation := int(p.rotation.Add(1) * 0x9e3779b1 >> 16)
	list := make([]candidate, 0, len(p.servers))
	for i := range p.servers {
		s := p.servers[(i+rotation)%len(p.servers)]
		if class, ok := s.fitness(w, head); ok {
			load := s.load()
			if rotation%exploreEvery == 0 {
				load = 0
			}
			list = append(list, candidate{s, class, load})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.load, b.load))
	})
	servers := make([]*server, len(list))
	for i, c := range list {
		servers[i] = c.s
	}
	return servers
}

// query sends a query to one server after another until one returns a valid response. try queries one server and checks
// the response; a lie, an absence or a broken connection counts against that server only. try may run for several
// servers at once, and after query has returned, so it must not write to variables of the caller.
//
// NotFound is a statement about the network, which callers store. It needs the word of every server that may have the
// data: as long as one of them is lost, limits queries or fails in another way, the error is Unavailable.
func query[T any](ctx context.Context, p *Pool, w want, try func(context.Context, *server) (T, error)) (T, error) {
	var none T
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval = 60 * time.Millisecond
	pause.Multiplier = 3
	deadline := time.Now().Add(p.opts.Timeout)
	var last error
	for n := 0; ; n++ {
		r := queryOnce(ctx, p, w, try)
		if r.last != nil {
			last = r.last
		}
		switch {
		case r.succeeded:
			return r.response, nil
		case ctx.Err() != nil:
			return none, fmt.Errorf("%s: %w", w.what, ctx.Err())
		case r.final != nil:
			return none, r.final
		}
		done := n == retryRounds
		if err := p.unanimous(w, &r.tally, done, last); err != nil {
			return none, err
		}
		var wait time.Duration
		if r.limited < len(r.queried) {
			if done {
				return none, p.unavailable(w, last)
			}
			wait = pause.NextBackOff()
		} else { // servers that limit queries are left, or none
			left, ok := p.limitLeft()
			if !ok || p.isClosed() || time.Now().Add(left).After(deadline) {
				return none, p.unavailable(w, last)
			}
			wait = max(left, time.Millisecond)
			n--
		}
		if !ctxtime.Sleep(ctx, wait) {
			return none, fmt.Errorf("%s: %w", w.what, ctx.Err())
		}
	}
}

// round is the outcome of sending a query to every usable server once.
type round[T any] struct {
	tally

	response  T
	succeeded bool
	final     error // of a server, if another one would return the same
	last      error // of the last server that failed otherwise
}

// queryOnce sends a query to the usable servers, until one returns a valid response or an error that is final.
func queryOnce[T any](ctx context.Context, p *Pool, w want, try func(context.Context, *server) (T, error)) round[T] {
	var r round[T]
	servers := p.order(w)
	if len(servers) == 0 {
		return r
	}
	race(ctx, p, w, servers, try, func(a attempt[T]) bool {
		if a.err == nil {
			a.server.succeeded(w)
			r.response, r.succeeded = a.response, true
			return true
		}
		if final := (*chain.Error)(nil); errors.As(a.err, &final) {
			r.final = a.err
			return true
		}
		r.last = fmt.Errorf("%s: %w", a.server.name, a.err)
		r.add(w, a.server, a.server.blame(w, a.err))
		return false
	})
	return r
}

// unanimous returns the error of a query that all servers which may have its data refuse, or for which all of them lack the data; otherwise
// nil. Absence counts in the last round, or where the data is too old to come later. last is the error of one of them.
func (p *Pool) unanimous(w want, t *tally, done bool, last error) error {
	switch {
	case len(t.queried) == 0 || p.others(w, t.queried):
		return nil
	case t.invalid == len(t.queried):
		return &chain.Error{Kind: chain.Invalid, Message: "every liteserver refuses the query for the " + w.what, Err: last}
	case t.absent == len(t.queried) && (done || t.behind == 0 && p.past(w)):
		return &chain.Error{Kind: chain.NotFound, Message: "no liteserver has the " + w.what, Err: last}
	default:
		return nil
	}
}

// tally counts the outcomes of one round of a query.
type tally struct {
	queried                          []*server
	absent, behind, invalid, limited int
}

func (t *tally) add(w want, s *server, c class) {
	t.queried = append(t.queried, s)
	switch {
	case c == behind:
		t.behind++
		t.absent++
	case c == absent, c == nonexistent, c == unsupported && w.query != "":
		t.absent++
	case c == invalid:
		t.invalid++
	case c == limited:
		t.limited++
	}
}

// others reports whether a server outside of a list may have the data of a query.
func (p *Pool) others(w want, queried []*server) bool {
	return slices.ContainsFunc(p.servers, func(s *server) bool { return !slices.Contains(queried, s) && s.mayHave(w) })
}

// past reports whether the data of a query is so old that servers that do not have it will not have it later either.
func (p *Pool) past(w want) bool {
	if w.seqno != 0 {
		return w.seqno+laggingBlocks <= p.head.seqno()
	}
	return w.lt != 0 && w.lt+laggingBlocks <= p.newestLT.Load()
}

// limitLeft returns the shortest time until a server that limits queries can be queried again. It returns false when no
// usable server does.
func (p *Pool) limitLeft() (left time.Duration, ok bool) {
	for _, s := range p.servers {
		if limit := s.limitLeft(); s.isUsable() && (!ok || limit < left) {
			left, ok = limit, true
		}
	}
	return left, ok
}

// unavailable returns the error of a pool without usable servers. Its cause lists the failure of every server.
func (p *Pool) unavailable(w want, last error) error {
	causes := []error{last}
	for _, st := range p.States() {
		if st.SetAside != "" {
			causes = append(causes, fmt.Errorf("%s: %s", st.Name, st.SetAside))
		}
	}
	if reached, to, ok := p.trust.progress.running(); ok {
		return chain.Unavailablef(errors.Join(causes...), "the %s is not available yet: the chain of signatures is checked up to block %d of %d", w.what, reached, to)
	}
	return chain.Unavailablef(errors.Join(causes...), "none of the network's %d liteservers could return the %s now", len(p.servers), w.what)
}
