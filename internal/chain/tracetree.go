package chain

import (
	"cmp"
	"slices"
)

// Grow links the trace's transactions, which are sorted by LT, along messages into its tree. The first one is the root:
// causes come before effects. MissingNode is set when a message has a receiver that is not among them.
func (t *FullTrace) Grow() {
	receivers := make(map[MessageKey]*TraceNode, len(t.Transactions))
	nodes := make([]TraceNode, len(t.Transactions))
	for i := range t.Transactions {
		nodes[i].Transaction = &t.Transactions[i]
		if key := t.Transactions[i].InMsg; key != nil {
			receivers[*key] = &nodes[i]
		}
	}
	for i := range nodes {
		for j := range nodes[i].Transaction.OutMessages {
			m := &nodes[i].Transaction.OutMessages[j]
			if m.Destination == nil {
				continue
			}
			if child := receivers[m.Key]; child != nil {
				nodes[i].Children = append(nodes[i].Children, child)
			} else if m.ReceivedBy != nil {
				t.MissingNode = true
			}
		}
	}
	for i := range nodes {
		slices.SortFunc(nodes[i].Children, (*TraceNode).compare)
	}
	if len(nodes) > 0 {
		t.Tree = &nodes[0]
	}
}

// compare orders children as they are published: by their transactions' LT, then account.
func (n *TraceNode) compare(other *TraceNode) int {
	return cmp.Or(cmp.Compare(n.Transaction.LT, other.Transaction.LT), n.Transaction.Account.Compare(other.Transaction.Account))
}
