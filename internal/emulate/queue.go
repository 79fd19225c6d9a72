package emulate

import (
	"cmp"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// InFlight is a message that was sent and not yet received.
type InFlight struct {
	LT      uint64 // of its creation; 0 for an external message
	To      chain.Address
	Message *cell.Cell
}

// messageQueue is a heap of messages by logical time, then destination.
type messageQueue []InFlight

func (q messageQueue) Len() int { return len(q) }
func (q messageQueue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].LT, q[j].LT), q[i].To.Compare(q[j].To)) < 0
}
func (q messageQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *messageQueue) Push(v any) {
	if m, ok := v.(InFlight); ok {
		*q = append(*q, m)
	}
}

// Pop implements heap.Interface.
func (q *messageQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
