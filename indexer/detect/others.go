package detect

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"tonql/indexer/decode"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/weightedlru"
)

// Limits of the cache of contracts that other contracts refer to, mostly masters and collections. Most have a few cells, so
// their number is limited; large ones have a separate cache with fewer entries.
const (
	maxSmall = 2048
	maxLarge = 8
	// A cell takes some 250 bytes of memory.
	maxSmallCells = 1 << 16
	maxLargeCells = 1 << 18
	largeCells    = 1024
	maxAbsent     = 2048
)

// others is a snapshot of the accounts at a block: cached states that the network proved earlier, updated by the blocks since.
type others struct {
	src     chain.Source
	small   *weightedlru.Cache[chain.Address, *cachedState]
	large   *weightedlru.Cache[chain.Address, *cachedState]
	absent  *weightedlru.Cache[chain.Address, *cachedState]
	flights singleflight.Group
	fetched atomic.Int64

	at    chain.BlockIDExt // the masterchain block of the states
	final map[chain.Address]*decode.State
	grants
}

// cachedState is the state of a fetched account. Absence is cached, too, apart from the others, because anyone can name accounts that
// do not exist.
type cachedState struct {
	state  contract.State
	exists bool
	cells  uint64
}

// newOthers returns a snapshot without states. A masterchain block may cause at most fetches requests.
func newOthers(src chain.Source, fetches int) *others {
	o := &others{
		src:    src,
		small:  weightedlru.New[chain.Address, *cachedState](maxSmall, maxSmallCells),
		large:  weightedlru.New[chain.Address, *cachedState](maxLarge, maxLargeCells),
		absent: weightedlru.New[chain.Address, *cachedState](maxAbsent, maxAbsent),
	}
	o.max = fetches
	o.reset()
	return o
}

// moveTo advances to a masterchain block. If it is not the next one, the cache is purged.
func (o *others) moveTo(m *decode.Master) {
	next := m.Block.BlockIDExt
	if o.at.Seqno != next.Seqno && o.at.Seqno+1 != next.Seqno {
		o.small.Purge()
		o.large.Purge()
		o.absent.Purge()
	}
	if o.at != next {
		o.reset()
	}
	o.at, o.final = next, m.Final
	for i := range m.Transactions {
		a := m.Transactions[i].Account
		before, ok := o.get(a)
		if !ok {
			continue
		}
		o.small.Remove(a)
		o.large.Remove(a)
		o.absent.Remove(a)
		if s := m.Final[a]; s != nil {
			if st, err := detach(StateOf(s), &before.state); err == nil {
				o.add(a, &cachedState{st, s.Row.Status != chain.Nonexist, s.Row.UsedCells})
			}
		}
	}
}

func (o *others) get(a chain.Address) (*cachedState, bool) {
	if k, ok := o.small.Get(a); ok {
		return k, true
	}
	if k, ok := o.large.Get(a); ok {
		return k, true
	}
	return o.absent.Get(a)
}

func (o *others) add(a chain.Address, k *cachedState) {
	if !k.exists {
		o.absent.Add(a, k, 1)
		return
	}
	if k.cells > largeCells {
		o.large.Add(a, k, int(k.cells))
		return
	}
	o.small.Add(a, k, int(k.cells))
}

// State returns the account at the block, without a limit of requests. Detections use [rounds].
func (o *others) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	if st, exists, ok := o.touched(a); ok {
		return st, exists, nil
	}
	if k, ok := o.get(a); ok {
		return k.state, k.exists, nil
	}
	v, err, _ := o.flights.Do(string(a.Bytes()), func() (any, error) { return o.load(ctx, a) })
	if err != nil {
		return contract.State{}, false, err
	}
	k := v.(*cachedState) //nolint:errcheck // fetch returns no other type
	return k.state, k.exists, nil
}

// touched returns an account that the block has transactions of.
func (o *others) touched(a chain.Address) (st contract.State, exists, ok bool) {
	if s := o.final[a]; s != nil {
		return StateOf(s), s.Row.Status != chain.Nonexist, true
	}
	return st, false, false
}

// load fetches an account and caches it.
func (o *others) load(ctx context.Context, a chain.Address) (*cachedState, error) {
	k, err := o.fetch(ctx, a)
	if err == nil {
		o.add(a, k)
	}
	return k, err
}

func (o *others) fetch(ctx context.Context, a chain.Address) (*cachedState, error) {
	o.fetched.Add(1)
	raw, err := o.src.Account(ctx, o.at, a)
	if err != nil {
		return nil, fmt.Errorf("account %s at block %s: %w", a, o.at.BlockID, err)
	}
	s, err := decode.Account(a, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash}, raw.Root)
	if err != nil {
		return nil, chain.NotFoundf("account %s cannot be read: %v", a, err) // concerns only this account
	}
	return &cachedState{StateOf(&s), s.Row.Status != chain.Nonexist, s.Row.UsedCells}, nil
}
