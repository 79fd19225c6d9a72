package ledger

import (
	"fmt"
	"sync"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// external is an external message that waits for a block.
type external struct {
	cell     *cell.Cell
	prepared *tvm.PreparedMessage
	dest     *address.Address
}

// mempool keeps external messages in order of arrival, each at most once.
type mempool struct {
	mu      sync.Mutex
	limit   int
	order   []*external
	pending map[cell.Hash]bool
	arrived chan struct{} // has a token after an arrival
}

func newMempool(limit int) *mempool {
	return &mempool{limit: limit, pending: map[cell.Hash]bool{}, arrived: make(chan struct{}, 1)}
}

func (p *mempool) has(hash cell.Hash) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending[hash]
}

// add queues a message; one that already waits is taken as sent.
func (p *mempool) add(e *external) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash := e.cell.HashKey()
	if p.pending[hash] {
		return nil
	}
	if len(p.order) >= p.limit {
		return &chain.Error{Kind: chain.Unavailable, Message: fmt.Sprintf("%d external messages are waiting already", p.limit)}
	}
	p.pending[hash] = true
	p.order = append(p.order, e)
	select {
	case p.arrived <- struct{}{}:
	default:
	}
	return nil
}

// list is a copy of what waits.
func (p *mempool) list() []*external {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*external(nil), p.order...)
}

// remove drops messages that a round has dealt with.
func (p *mempool) remove(used []*external) {
	if len(used) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	gone := make(map[*external]bool, len(used))
	for _, e := range used {
		gone[e] = true
		delete(p.pending, e.cell.HashKey())
	}
	kept := make([]*external, 0, len(p.order))
	for _, e := range p.order {
		if !gone[e] {
			kept = append(kept, e)
		}
	}
	p.order = kept
}

func (p *mempool) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.order)
}
