package indexer

import (
	"context"
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/store"
)

// latestBytes bounds the memory of the states of one step of a redetection, with those that its contracts name. The largest account
// that is stored has less.
const latestBytes = 256 << 20

// latest returns the newest states of accounts: those of the index, otherwise those that the network proves at a block. It
// caches every result and is used for one step of a redetection. It is safe for concurrent use.
type latest struct {
	r   *store.Reader
	src chain.Source
	at  chain.BlockIDExt
	// alone is whether the step has one account, which cannot have fewer: accounts that it names above the bound are then as if they did
	// not exist. Otherwise the error is [detect.ErrTooMuch].
	alone bool

	mu     sync.Mutex
	left   int // bytes of memory
	cached map[chain.Address]cachedState
}

type cachedState struct {
	state  contract.State
	exists bool
}

func newLatest(r *store.Reader, src chain.Source, at chain.BlockIDExt, alone bool, limit int) *latest {
	return &latest{r: r, src: src, at: at, alone: alone, left: limit, cached: map[chain.Address]cachedState{}}
}

// State returns the state of an account. The boolean is false when the account does not exist.
func (l *latest) State(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	l.mu.Lock()
	found, ok := l.cached[a]
	l.mu.Unlock()
	if ok {
		return found.state, found.exists, nil
	}
	rows, err := l.r.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{a}, WithBOC: true}, chain.Page{Limit: 1})
	if err != nil {
		return contract.State{}, false, fmt.Errorf("state of account %s: %w", a, err)
	}
	var st contract.State
	if len(rows) > 0 {
		st, ok, err = l.open(ctx, &rows[0])
	} else {
		st, ok, err = l.prove(ctx, a)
	}
	if err != nil {
		return contract.State{}, false, err
	}
	l.mu.Lock()
	l.cached[a] = cachedState{st, ok}
	l.mu.Unlock()
	return st, ok, nil
}

// open reads the cells of a row. It fetches cells that the index leaves out for their size from the network.
func (l *latest) open(ctx context.Context, row *chain.AccountState) (contract.State, bool, error) {
	s := &decode.State{Row: *row}
	for _, part := range []struct {
		hash *chain.Hash
		boc  chain.BOC
		into **cell.Cell
	}{{row.CodeHash, row.CodeBOC, &s.Code}, {row.DataHash, row.DataBOC, &s.Data}} {
		if part.hash == nil {
			continue
		}
		if len(part.boc) == 0 {
			return l.prove(ctx, row.Account)
		}
		c, err := cell.FromBOC(part.boc)
		if err != nil {
			return contract.State{}, false, fmt.Errorf("cell %s of account %s: %w", part.hash.Hex(), row.Account, err)
		}
		*part.into = c
	}
	return l.counted(detect.StateOf(s), row.Status != chain.Nonexist)
}

// counted subtracts the memory of a state from what is left.
func (l *latest) counted(st contract.State, exists bool) (contract.State, bool, error) {
	for _, root := range []*cell.Cell{st.Code, st.Data} {
		if root == nil {
			continue
		}
		l.mu.Lock()
		left := l.left
		l.mu.Unlock()
		bytes, ok := cellgraph.MemoryOf(root, max(left, 0))
		l.mu.Lock()
		l.left -= bytes
		ok = ok && l.left >= 0
		l.mu.Unlock()
		switch {
		case ok:
		case l.alone:
			return contract.State{}, false, chain.NotFoundf("account %s is too large: those of one contract have more than %d MiB", st.Address, latestBytes>>20)
		default:
			return contract.State{}, false, fmt.Errorf("account %s: %w", st.Address, detect.ErrTooMuch)
		}
	}
	return st, exists, nil
}

// prove fetches an account from the network. The error is of kind NotFound when the network no longer has it.
func (l *latest) prove(ctx context.Context, a chain.Address) (contract.State, bool, error) {
	raw, err := l.src.Account(ctx, l.at, a)
	if err != nil {
		return contract.State{}, false, fmt.Errorf("account %s at block %s: %w", a, l.at.BlockID, err)
	}
	s, err := decode.Account(a, chain.TransactionRef{LT: raw.LastTxLT, Hash: raw.LastTxHash}, raw.Root)
	if err != nil {
		return contract.State{}, false, chain.NotFoundf("account %s cannot be read: %v", a, err)
	}
	return l.counted(detect.StateOf(&s), s.Row.Status != chain.Nonexist)
}
