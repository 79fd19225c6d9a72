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

// What a batch remembers of the contracts that others name, mostly masters and collections: a few cells each as a rule,
// so the bound is on their number, and the large ones have a small one of their own.
const (
	keptOthers = 2048
	keptLarge  = 8
	// A cell takes some 250 bytes of memory.
	keptOtherCells = 1 << 16
	keptLargeCells = 1 << 18
	largeCells     = 1024
)

// others gives states as of a block, from what the network proved earlier and the blocks since.
type others struct {
	src     chain.Source
	small   *weightedlru.Cache[chain.Address, *known]
	large   *weightedlru.Cache[chain.Address, *known]
	flights singleflight.Group
	fetched atomic.Int64

	at    chain.BlockIDExt // the masterchain block the states are as of
	final map[chain.Address]*decode.State
}

// known is an account that was asked for; not there is an answer too.
type known struct {
	state contract.State
	there bool
}

func newOthers(src chain.Source) *others {
	return &others{
		src:   src,
		small: weightedlru.New[chain.Address, *known](keptOthers, keptOtherCells),
		large: weightedlru.New[chain.Address, *known](keptLarge, keptLargeCells),
	}
}

// moveTo goes on to the next masterchain block. Elsewhere than to the one after, nothing remembered holds.
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
				o.keep(a, &known{st, s.Row.Status != chain.Nonexist}, s.Row.UsedCells)
			}
		}
	}
}

func (o *others) get(a chain.Address) (*known, bool) {
	if k, ok := o.small.Get(a); ok {
		return k, true
	}
	return o.large.Get(a)
}

func (o *others) keep(a chain.Address, k *known, cells uint64) {
	if cells > largeCells {
		o.large.Add(a, k, int(cells))
		return
	}
	o.small.Add(a, k, int(cells))
}

// State is the account as of the block.
func (o *others) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	if s := o.final[a]; s != nil {
		return StateOf(s), s.Row.Status != chain.Nonexist, nil
	}
	if k, ok := o.get(a); ok {
		return k.state, k.there, nil
	}
	v, err, _ := o.flights.Do(string(a.Bytes()), func() (any, error) { return o.fetch(ctx, a) })
	if err != nil {
		return contract.State{}, false, err
	}
	k := v.(*known) //nolint:errcheck // fetch gives nothing else
	return k.state, k.there, nil
}

func (o *others) fetch(ctx context.Context, a chain.Address) (*known, error) {
	o.fetched.Add(1)
	raw, err := o.src.Account(ctx, o.at, a)
	if err != nil {
		return nil, fmt.Errorf("account %s at block %s: %w", a, o.at.BlockID, err)
	}
	s, err := decode.Account(a, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash}, raw.Root)
	if err != nil {
		return nil, chain.NotFoundf("account %s cannot be read: %v", a, err) // an answer about this account alone
	}
	k := &known{StateOf(&s), s.Row.Status != chain.Nonexist}
	o.keep(a, k, s.Row.UsedCells)
	return k, nil
}
