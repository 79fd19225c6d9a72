package detect

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	// fetchAtOnce is the number of accounts that are fetched concurrently. It is a constant, so that the accounts that are left out do
	// not depend on the machine.
	fetchAtOnce = 16
	// maxFetchedCells bounds the accounts that are fetched for a masterchain block: some 250 MB.
	maxFetchedCells = 1 << 20
)

// rounds runs detections concurrently and fetches the accounts that they need together. A detection that needs an account waits until
// every other one has ended or waits, too; then all their requests are served in the order of the targets. So it does not depend on
// the machine which requests a block may make.
type rounds struct {
	block *BlockContext
	slots chan struct{} // held by detections that neither wait nor have ended

	mu      sync.Mutex
	running int        // detections that neither wait nor have ended, those without a slot included
	waiting []*request // of the next round
}

// request is an account that a detection waits for.
type request struct {
	target  int
	account chain.Address
	done    chan struct{} // closed after the fields below are set
	state   *cachedState
	err     error
}

// newRounds returns the rounds of n detections, of which workers run at a time.
func newRounds(block *BlockContext, workers, n int) *rounds {
	return &rounds{block: block, slots: make(chan struct{}, workers), running: n}
}

// run returns a function that runs one detection.
func (r *rounds) run(ctx context.Context, detect func() error) func() error {
	return func() error {
		defer r.serve(ctx, nil)
		if err := r.enter(ctx); err != nil {
			return err
		}
		defer func() { <-r.slots }()
		return detect()
	}
}

func (r *rounds) enter(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// snapshot returns the other accounts for the detection of a target.
func (r *rounds) snapshot(target int) contract.Snapshot {
	if r.block.others == nil {
		return r.block.snapshot
	}
	return &member{r, target}
}

// member is the snapshot of one target.
type member struct {
	rounds *rounds
	target int
}

// State returns an account. The error is of kind NotFound when the block may not cause another request.
func (m *member) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	r := m.rounds
	if st, exists, ok := r.block.others.touched(a); ok {
		return st, exists, nil
	}
	q := &request{target: m.target, account: a, done: make(chan struct{})}
	<-r.slots
	r.serve(ctx, q)
	var err error
	select {
	case <-q.done:
		err = q.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	r.slots <- struct{}{} // those that hold a slot do not wait for this detection
	if err != nil {
		return contract.State{}, false, err
	}
	return q.state.state, q.state.exists, nil
}

// serve is called when a detection waits, with its request, or has ended, without one. It serves a round when no other one runs.
func (r *rounds) serve(ctx context.Context, q *request) {
	r.mu.Lock()
	r.running--
	if q != nil {
		r.waiting = append(r.waiting, q)
	}
	var due []*request
	if r.running == 0 {
		due, r.waiting = r.waiting, nil
		r.running = len(due)
	}
	r.mu.Unlock()
	if len(due) == 0 {
		return
	}
	slices.SortFunc(due, func(a, b *request) int { return cmp.Compare(a.target, b.target) })
	r.block.others.serve(ctx, due)
}

// grants are the accounts that the detection of a masterchain block may use besides those with transactions in it. Those that are
// cached when they are first needed are free, so that an attacker who names many accounts does not hide the masters in use.
type grants struct {
	max       int                      // requests to the network
	given     map[chain.Address]*grant // also of an earlier detection of the same block, which ended with an error
	requests  int                      // accounts in given that are not free
	cellsLeft int
}

// grant is the decision about one account.
type grant struct {
	refused error // nil if the account may be used
	counted bool  // its cells are subtracted from cellsLeft, or it is free
}

func (g *grants) reset() {
	g.given, g.requests, g.cellsLeft = map[chain.Address]*grant{}, 0, maxFetchedCells
}

// decide returns the decision about an account, which remains the same for the block.
func (g *grants) decide(a chain.Address, cached bool) *grant {
	if d := g.given[a]; d != nil {
		return d
	}
	d := &grant{counted: cached}
	if !cached && g.requests == g.max {
		return &grant{refused: chain.NotFoundf("account %s is not fetched: the block named %d others before", a, g.max)}
	}
	if !cached {
		g.requests++
	}
	g.given[a] = d
	return d
}

// count subtracts the cells of a fetched account. It refuses the account when too few are left.
func (g *grants) count(a chain.Address, cells uint64) error {
	d := g.given[a]
	switch {
	case d.counted || d.refused != nil:
	case cells > uint64(g.cellsLeft):
		d.refused = chain.NotFoundf("account %s is too large: the accounts that the block named have more than %d cells", a, maxFetchedCells)
	default:
		g.cellsLeft -= int(cells)
		d.counted = true
	}
	return d.refused
}

// serve sets the results of requests, which are in the order of their targets.
func (o *others) serve(ctx context.Context, requests []*request) {
	results := make(map[chain.Address]*result, len(requests))
	var wanted []*result
	for _, q := range requests {
		a := q.account
		if results[a] != nil {
			continue
		}
		k, cached := o.get(a)
		f := &result{account: a, state: k, err: o.decide(a, cached).refused}
		results[a] = f
		if !cached && f.err == nil {
			wanted = append(wanted, f)
		}
	}
	err := o.fetchAll(ctx, wanted)
	for _, q := range requests {
		f := results[q.account]
		q.state, q.err = f.state, cmp.Or(f.err, err)
		close(q.done)
	}
}

// result is an account that a round needs.
type result struct {
	account chain.Address
	state   *cachedState
	err     error // of kind NotFound
}

// fetchAll fetches accounts, in groups of fetchAtOnce. After an error of the network, the groups before are cached.
func (o *others) fetchAll(ctx context.Context, wanted []*result) error {
	for some := range slices.Chunk(wanted, fetchAtOnce) {
		group, ctx := errgroup.WithContext(ctx)
		for _, f := range some {
			group.Go(func() error {
				f.state, f.err = o.fetch(ctx, f.account)
				if f.err != nil && chain.KindOf(f.err) != chain.NotFound {
					return f.err
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for _, f := range some {
			if f.err != nil {
				o.given[f.account].refused = f.err
				continue
			}
			if f.err = o.count(f.account, f.state.cells); f.err == nil {
				o.add(f.account, f.state)
			}
		}
	}
	return nil
}
