package emulate

import "tonql/internal/chain"

// What rows take in memory, about, in bytes, besides what they refer to.
const (
	transactionWeight = 2048
	messageWeight     = 1024
	actionWeight      = 1024
)

// Weight returns how many bytes of memory a trace retains, about. Bytes that several messages share count once.
func Weight(t *chain.FullTrace) int {
	weight, weighed := 0, Weighing{}
	for i := range t.Transactions {
		weight += weighed.Transaction(&t.Transactions[i])
	}
	for i := range t.Actions {
		a := &t.Actions[i]
		weight += actionWeight + len(a.Details) + len(a.TxHashes)*len(chain.Hash{}) + len(a.Accounts)*len(chain.Address{}.ID)
	}
	return weight
}

// Weighing holds the first bytes of the bags of cells that it has weighed.
type Weighing map[*byte]struct{}

// Transaction returns how many bytes of memory a transaction retains beside those that were weighed before.
func (w Weighing) Transaction(t *chain.FullTransaction) int {
	weight := transactionWeight + len(t.OutMessages)*messageWeight
	if t.InMessage != nil {
		weight += messageWeight + w.message(t.InMessage)
	}
	for i := range t.OutMessages {
		weight += w.message(&t.OutMessages[i])
	}
	return weight
}

func (w Weighing) message(m *chain.Message) int {
	weight := w.bag(m.Body) + w.bag(m.Init)
	if m.Large != nil {
		weight += w.bag(m.Large.Of)
	}
	return weight
}

func (w Weighing) bag(b chain.BOC) int {
	if len(b) == 0 {
		return 0
	}
	if _, ok := w[&b[0]]; ok {
		return 0
	}
	w[&b[0]] = struct{}{}
	return len(b)
}
