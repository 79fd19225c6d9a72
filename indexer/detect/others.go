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
)

// others is a snapshot of the accounts at a block: cached states that the network proved earlier, updated by the blocks since.
type others struct {
	src     chain.Source
	small   *weightedlru.Cache[chain.Address, *cachedState]
	large   *weightedlru.Cache[chain.Address, *cachedState]
	flights singleflight.Group
	fetched atomic.Int64

	at    chain.BlockIDExt // the masterchain block of the states
	final map[chain.Address]*decode.State
}

// cachedState is the state of a fetched account. Absence is cached, too.
type cachedState struct {
	state  contract.State
	exists bool
}

func newOthers(src chain.Source) *others {
	return &others{
		src:   src,
		small: weightedlru.New[chain.Address, *cachedState](maxSmall, maxSmallCells),
		large: weightedlru.New[chain.Address, *cachedState](maxLarge, maxLargeCells),
	}
}

// moveTo advances to a masterchain block. If it is not the next one, the cache is purged.
func (o *others) moveTo(m *decode.Master) {
	next := m.Block.BlockIDExt
	if o.at.Seqno != next.Seqno && o.at.Seqno+1 != next.Seqno {
		o.small.Purge()
		o.large.Purge()
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
		if s := m.Final[a]; s != nil {
			if st, err := detach(StateOf(s), &before.state); err == nil {
				o.add(a, &cachedState{st, s.Row.Status != chain.Nonexist}, s.Row.UsedCells)
			}
		}
	}
}

func (o *others) get(a chain.Address) (*cachedState, bool) {
	if k, ok := o.small.Get(a); ok {
		return k, true
	}
	return o.large.Get(a)
}

func (o *others) add(a chain.Address, k *cachedState, cells uint64) {
	if cells > largeCells {
		o.large.Add(a, k, int(cells))
		return
	}
	o.small.Add(a, k, int(cells))
}

// State returns the account at the block.
func (o *others) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	if s := o.final[a]; s != nil {
		return StateOf(s), s.Row.Status != chain.Nonexist, nil
	}
	if k, ok := o.get(a); ok {
		return k.state, k.exists, nil
	}
	v, err, _ := o.flights.Do(string(a.Bytes()), func() (any, error) { return o.fetch(ctx, a) })
	if err != nil {
		return contract.State{}, false, err
	}
	k := v.(*cachedState) //nolint:errcheck // fetch returns no other type
	return k.state, k.exists, nil
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
	k := &cachedState{StateOf(&s), s.Row.Status != chain.Nonexist}
	o.add(a, k, s.Row.UsedCells)
	return k, nil
}
