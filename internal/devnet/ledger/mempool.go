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
	size     int // bytes of its BoC, as the mempool counts them
}

// maxMempoolBytes limits the size of the waiting messages, in addition to their number.
const maxMempoolBytes = 32 << 20

// mempool queues external messages in order of arrival, each at most once.
type mempool struct {
	mu      sync.Mutex
	limit   int
	budget  int // bytes that may still be added
	order   []*external
	pending map[cell.Hash]bool
	arrived chan struct{} // has a token after an arrival
}

func newMempool(limit int) *mempool {
	return &mempool{limit: limit, budget: maxMempoolBytes, pending: map[cell.Hash]bool{}, arrived: make(chan struct{}, 1)}
}

func (p *mempool) has(hash cell.Hash) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending[hash]
}

// add queues a message. For a message that already waits it does nothing.
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
	e.size = len(e.cell.ToBOC())
	if e.size > p.budget {
		return &chain.Error{Kind: chain.Unavailable, Message: fmt.Sprintf("external messages of %d bytes are waiting already", maxMempoolBytes-p.budget)}
	}
	p.budget -= e.size
	p.pending[hash] = true
	p.order = append(p.order, e)
	select {
	case p.arrived <- struct{}{}:
	default:
	}
	return nil
}

// list returns a copy of the waiting messages.
func (p *mempool) list() []*external {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*external(nil), p.order...)
}

// remove drops messages that a round has processed.
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
	remaining := make([]*external, 0, len(p.order))
	for _, e := range p.order {
		if gone[e] {
			p.budget += e.size
		} else {
			remaining = append(remaining, e)
		}
	}
	p.order = remaining
}

func (p *mempool) len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.order)
}
