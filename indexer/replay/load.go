package replay

import (
	"context"
	"fmt"
	"sync"

	"tonql/internal/boundedvm"
)

// defaultLoadedCells is how many cells the large accounts of a masterchain block may have together: 64 of the largest that the network
// permits, and at most some 1.2 GB of memory.
const defaultLoadedCells = 4 << 20

// load sets the state before the first transaction of every lane, from the cache or from the network with a proof.
func (r *Replayer) load(ctx context.Context, lanes []*lane) error {
	for _, l := range lanes {
		l.state, l.cold = r.states.take(l.account)
	}
	limit := newLoadLimit(lanes, r.opts.LoadedCells)
	return each(ctx, r.opts.Fetches, lanes, func(l *lane, ctx context.Context) error {
		defer context.AfterFunc(ctx, limit.wake)()
		if !limit.start(ctx, l) {
			return ctx.Err()
		}
		err := l.load(ctx)
		limit.end(l)
		return err
	})
}

func (l *lane) load(ctx context.Context) error {
	if l.refused || l.resume() {
		return nil
	}
	return l.fetchBase(ctx)
}

// loadLimit distributes the cells that the large accounts of a block may have, in the order of the lanes. Lanes are loaded
// concurrently, and those without a share are released when all lanes before them are loaded.
type loadLimit struct {
	limit int

	mu     sync.Mutex
	moved  *sync.Cond // next or loaded has changed
	lanes  []*lane
	index  map[*lane]int
	ended  []bool // parallel to lanes: loaded
	next   int    // the first lane without a decision
	left   int    // cells for the lanes from next on
	loaded int    // cells of the lanes that are loaded, decided or not
}

func newLoadLimit(lanes []*lane, cells int) *loadLimit {
	d := &loadLimit{limit: cells, lanes: lanes, index: make(map[*lane]int, len(lanes)), ended: make([]bool, len(lanes)), left: cells}
	d.moved = sync.NewCond(&d.mu)
	for i, l := range lanes {
		d.index[l] = i
	}
	return d
}

func (d *loadLimit) wake() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.moved.Broadcast()
}

// start waits until the lane may be loaded: more lanes are not loaded ahead when those that are have as many cells as the block may.
// It refuses a lane whose cached state has too many already. It reports false when ctx has ended.
func (d *loadLimit) start(ctx context.Context, l *lane) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.loaded > d.limit && d.index[l] != d.next && ctx.Err() == nil {
		d.moved.Wait()
	}
	if l.cachedCells() > d.left { // which only decreases
		l.refuse(d.limit)
	}
	return ctx.Err() == nil
}

// end records that a lane is loaded, and decides about it and those after it when all before them are.
func (d *loadLimit) end(l *lane) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.loaded += l.stateCells()
	d.ended[d.index[l]] = true
	for ; d.next < len(d.lanes) && d.ended[d.next]; d.next++ {
		l, cells := d.lanes[d.next], d.lanes[d.next].stateCells()
		if cells > d.left {
			d.loaded -= cells
			l.refuse(d.limit)
			continue
		}
		d.left -= cells
	}
	d.moved.Broadcast()
}

// cachedCells returns the number of cells of the cached state of a large account, before it is prepared; 0 for others.
func (l *lane) cachedCells() int {
	switch {
	case l.cold != nil && l.cold.startsAt(l.tx(0)):
		return l.cold.cells
	case l.state != nil && l.state.startsAt(l.tx(0)):
		return l.state.largeCells()
	default:
		return 0
	}
}

// refuse leaves the transactions of a lane unverified.
func (l *lane) refuse(limit int) {
	l.state, l.cold, l.base, l.refused = nil, nil, nil, true
	l.overrun = &boundedvm.Exceeded{Resource: "cells", Limit: fmt.Sprintf("%d cells in the large accounts of a masterchain block", limit)}
}
