package resolvers

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract/nominator"
	"tonql/loaders"
)

// NominatorPool returns a pool of nominators in its newest state. It is NotFound when there is none at the address.
func (s *Service) NominatorPool(ctx context.Context, pool chain.Address) (*chain.NominatorPool, error) {
	found, err := s.nominatorPool(ctx, pool)
	if err == nil && found == nil {
		err = chain.NotFoundf("Pool not found")
	}
	return found, err
}

// nominatorPool is [Service.NominatorPool]; nil when there is no pool at the address.
func (s *Service) nominatorPool(ctx context.Context, pool chain.Address) (*chain.NominatorPool, error) {
	rows, err := s.index.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{pool}}, chain.Page{Limit: 1})
	if err != nil || len(rows) == 0 || !isPoolState(&rows[0]) {
		return nil, err
	}
	pools, _, err := s.readPools(ctx, rows)
	if err != nil {
		return nil, err
	}
	return pools[*rows[0].DataHash], nil
}

// NominatorPositions lists what a nominator has in pools, by pool.
func (s *Service) NominatorPositions(ctx context.Context, who chain.Address, p chain.Page) ([]chain.NominatorPosition, error) {
	p, err := s.page(p)
	if err != nil {
		return nil, err
	}
	return s.index.NominatorPositions(ctx, who, p)
}

// maxPoolCells is the number of cells up to which the state of a pool is read: one with a thousand nominators has some three thousand.
const maxPoolCells = 8192

// isPoolState reports whether a state is one of a pool.
func isPoolState(a *chain.AccountState) bool {
	return a.Status == chain.Active && a.CodeHash != nil && a.DataHash != nil && nominator.IsPool(*a.CodeHash) && a.UsedCells <= maxPoolCells
}

// readPools reads the data of pools, by their hashes, and returns how many bytes they have. Data that are not in the index, or no data of a pool, are
// left out.
func (s *Service) readPools(ctx context.Context, states []chain.AccountState) (pools map[chain.Hash]*chain.NominatorPool, bytes int, err error) {
	hashes := make([]chain.Hash, len(states))
	for i := range states {
		hashes[i] = *states[i].DataHash
	}
	bags, err := s.index.Cells(ctx, hashes)
	if err != nil {
		return nil, 0, err
	}
	for _, data := range bags {
		bytes += len(data)
	}
	pools = make(map[chain.Hash]*chain.NominatorPool, len(bags))
	for i := range states {
		a := &states[i]
		if bags[*a.DataHash] == nil || pools[*a.DataHash] != nil {
			continue
		}
		if p := poolOf(a, bags[*a.DataHash]); p != nil {
			pools[*a.DataHash] = p
		}
	}
	return pools, bytes, nil
}

// poolOf reads a pool in a state with these data; nil when they are none of a pool.
func poolOf(a *chain.AccountState, data chain.BOC) *chain.NominatorPool {
	root, err := cellgraph.FromBOC(data)
	if err != nil {
		return nil
	}
	p, err := nominator.Parse(root)
	if err != nil {
		return nil
	}
	p.Address, p.CodeHash, p.DataHash, p.LastTxLT = a.Account, *a.CodeHash, *a.DataHash, a.LT
	return p
}

// loadPool reads the pool at an address with the loaders of a query; nil when there is none.
func loadPool(ctx context.Context, a chain.Address) (*chain.NominatorPool, error) {
	state, err := loaders.From(ctx).AccountState.Load(ctx, a)()
	if err != nil || state == nil || !isPoolState(state) {
		return nil, err
	}
	data, err := loaders.Cell(ctx, state, *state.DataHash)
	if err != nil || data == nil {
		return nil, err
	}
	return poolOf(state, data), nil
}

// PoolEvents lists what nominators deposited, earned and withdrew, by LT in the page's direction. It is Invalid when the pool has too many
// transactions in the time for a page. Transactions of which the index lacks a state have no events.
func (s *Service) PoolEvents(ctx context.Context, f chain.PoolEventFilter, p chain.Page) ([]chain.PoolEvent, error) {
	w := poolWalk[chain.PoolEvent]{
		s: s, meter: meter{s: s}, pools: []chain.Address{f.Pool}, start: f.StartUtime, end: f.EndUtime,
		concerns: func(m *chain.Message) bool { return nominator.ChangesNominators(m, f.Nominator) },
		read: func(t *poolChange) []chain.PoolEvent {
			list := nominator.Events(t.before, t.after, nominator.Recovered(&t.Transaction, t.InMessage))
			list = slices.DeleteFunc(list, func(e chain.PoolEvent) bool {
				return f.Nominator != nil && e.Nominator() != *f.Nominator || f.Type != nil && e.Type != *f.Type
			})
			for i := range list {
				e := &list[i]
				e.Pool, e.TxLT, e.TxHash, e.Now = t.Account, t.LT, t.Hash, t.Now
			}
			return list
		},
		cursor: (*chain.PoolEvent).Cursor,
	}
	return w.page(ctx, p)
}

// maxPools is the number of pools of a validator whose events are listed together. Validators have two; anyone can deploy a pool and name a
// validator in it.
const maxPools = 100

// PoolValidatorEvents lists what a validator deposited into its pools, earned and withdrew, as [Service.PoolEvents] does. The filter names
// the pool or the validator.
func (s *Service) PoolValidatorEvents(ctx context.Context, f chain.PoolValidatorEventFilter, p chain.Page) ([]chain.PoolValidatorEvent, error) {
	w := poolWalk[chain.PoolValidatorEvent]{
		s: s, meter: meter{s: s}, start: f.StartUtime, end: f.EndUtime, concerns: nominator.ChangesValidator,
		read: func(t *poolChange) []chain.PoolValidatorEvent {
			e := nominator.ValidatorEvent(t.before, t.after, t.InMessage, nominator.Recovered(&t.Transaction, t.InMessage))
			if e == nil || f.Type != nil && e.Type != *f.Type || f.Validator != nil && e.Validator != *f.Validator {
				return nil
			}
			e.Pool, e.TxLT, e.TxHash, e.Now = t.Account, t.LT, t.Hash, t.Now
			return []chain.PoolValidatorEvent{*e}
		},
		cursor: (*chain.PoolValidatorEvent).Cursor,
	}
	switch {
	case f.Pool != nil:
		w.pools = []chain.Address{*f.Pool}
	case f.Validator != nil:
		pools, err := s.index.PoolsOfValidator(ctx, *f.Validator, maxPools+1)
		if err != nil {
			return nil, err
		}
		if len(pools) > maxPools {
			return nil, chain.Invalidf("more than %d pools name the validator: give the pool, too", maxPools)
		}
		w.pools = pools
	default:
		return nil, chain.Invalidf("validator or pool parameter is required")
	}
	return w.page(ctx, p)
}

// Limits of a walk over transactions of pools.
const (
	// walkedAtFirst and walkedAtOnce are the numbers of transactions that are read together.
	walkedAtFirst, walkedAtOnce = 128, 1024
	// changesAtOnce is the number of transactions whose states are read together.
	changesAtOnce = 16
)

// poolWalk lists events in transactions of pools, which it computes from the states before and after each of them.
type poolWalk[T any] struct {
	s          *Service
	meter      meter
	pools      []chain.Address
	start, end *uint32
	concerns   func(*chain.Message) bool // whether the code of a pool may make an event of a message
	read       func(*poolChange) []T     // the events of a transaction, by index
	cursor     func(*T) chain.Cursor
}

// poolChange is a transaction with the pool before and after it.
type poolChange struct {
	*chain.FullTransaction

	before, after *chain.NominatorPool
}

// page lists the events of a page. Its rows are in the order of the page, also of a page of the last rows, which is walked backwards.
func (w *poolWalk[T]) page(ctx context.Context, p chain.Page) ([]T, error) {
	p, err := w.s.page(p)
	if err != nil || len(w.pools) == 0 {
		return []T{}, err
	}
	f := chain.TransactionFilter{Accounts: w.pools, StartUtime: w.start, EndUtime: w.end}
	bound := func(c *chain.Cursor, from bool) {
		if c != nil && from == (p.Sort == chain.Ascending) {
			f.StartLT = &c.Major
		} else if c != nil {
			f.EndLT = &c.Major
		}
	}
	bound(p.After, true)
	bound(p.Before, false)
	list, walked := []T{}, 0
	step := chain.Page{Limit: walkedAtFirst, Sort: p.Sort, Last: p.Last}
	for len(list) < p.Limit {
		txs, err := w.s.index.Transactions(ctx, f, step)
		if err != nil {
			return nil, err
		}
		if limit := w.s.opts.Limits.Walked; walked+len(txs) > limit {
			return nil, chain.Invalidf("the pool has more than %d transactions in this time: give a shorter one (start_utime, end_utime)", limit)
		}
		walked += len(txs)
		w.meter.add(ctx, 0, len(txs))
		if list, err = w.add(ctx, list, txs, p); err != nil {
			return nil, err
		}
		if len(txs) < step.Limit {
			break
		}
		if p.Last {
			step.Before = new(txs[0].Cursor())
		} else {
			step.After = new(txs[len(txs)-1].Cursor())
		}
		step.Limit = min(2*step.Limit, walkedAtOnce)
	}
	if p.Last {
		slices.Reverse(list)
	}
	return listed(ctx, w.s, list, nil, nil, w.end)
}

// add appends the events of transactions, as many as the page has rows. The transactions are in the order of the page.
func (w *poolWalk[T]) add(ctx context.Context, list []T, txs []chain.Transaction, p chain.Page) ([]T, error) {
	full, err := w.s.index.WithStates(ctx, txs)
	if err != nil {
		return nil, err
	}
	if p.Last {
		slices.Reverse(full)
	}
	full = slices.DeleteFunc(full, func(t chain.FullTransaction) bool {
		return !w.concerns(t.InMessage) || !isPoolState(&t.StateBefore) || !isPoolState(&t.StateAfter) || *t.StateBefore.DataHash == *t.StateAfter.DataHash
	})
	for some := range slices.Chunk(full, changesAtOnce) {
		states := make([]chain.AccountState, 0, 2*len(some))
		for i := range some {
			states = append(states, some[i].StateBefore, some[i].StateAfter)
		}
		pools, bytes, err := w.s.readPools(ctx, states)
		if err != nil {
			return nil, err
		}
		w.meter.add(ctx, bytes, 0)
		for i := range some {
			t := &poolChange{&some[i], pools[*some[i].StateBefore.DataHash], pools[*some[i].StateAfter.DataHash]}
			if t.before == nil || t.after == nil {
				continue
			}
			events := w.read(t)
			if (p.Sort == chain.Descending) != p.Last {
				slices.Reverse(events)
			}
			for j := range events {
				if len(list) < p.Limit && w.within(w.cursor(&events[j]), p) {
					list = append(list, events[j])
				}
			}
		}
		if len(list) >= p.Limit {
			break
		}
	}
	return list, nil
}

// within reports whether an event is between the cursors of a page.
func (w *poolWalk[T]) within(c chain.Cursor, p chain.Page) bool {
	order := func(other *chain.Cursor) int {
		key, index := c.PoolEventPlace()
		otherKey, otherIndex := other.PoolEventPlace()
		lts, indexes := cmp.Compare(key.LT, otherKey.LT), cmp.Compare(index, otherIndex)
		if p.Sort == chain.Descending {
			lts, indexes = -lts, -indexes
		}
		return cmp.Or(lts, key.Account.Compare(otherKey.Account), indexes)
	}
	return (p.After == nil || order(p.After) > 0) && (p.Before == nil || order(p.Before) < 0)
}
