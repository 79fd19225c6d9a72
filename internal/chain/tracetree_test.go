package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Children are in the order of their transactions, not of their messages: a message to another shard arrives later.
func TestGrow_ChildrenAreOrderedByTheirTransactions(t *testing.T) {
	t.Parallel()
	root, far, near := chain.Address{ID: chain.Hash{1}}, chain.Address{ID: chain.Hash{2}}, chain.Address{ID: chain.Hash{3}}
	message := func(lt uint64, to chain.Address) chain.Message {
		return chain.Message{Key: chain.MessageKey{Account: root, LT: lt}, Destination: &to}
	}
	received := func(a chain.Address, lt, sent uint64) chain.FullTransaction {
		return chain.FullTransaction{Transaction: chain.Transaction{
			Account: a, LT: lt, InMsg: &chain.MessageKey{Account: root, LT: sent},
		}}
	}
	trace := chain.FullTrace{Transactions: []chain.FullTransaction{
		{
			Transaction: chain.Transaction{Account: root, LT: 10},
			OutMessages: []chain.Message{message(11, far), message(12, near), message(13, far)},
		},
		received(near, 20, 12), received(far, 30, 13), received(near, 30, 99), received(far, 40, 11),
	}}
	trace.Transactions[3].InMsg.LT = 14
	trace.Transactions[0].OutMessages = append(trace.Transactions[0].OutMessages, message(14, near))
	trace.Grow()
	var lts []uint64
	for _, child := range trace.Tree.Children {
		lts = append(lts, child.Transaction.LT)
	}
	require.Equal(t, []uint64{20, 30, 30, 40}, lts)
	require.Equal(t, far, trace.Tree.Children[1].Transaction.Account, "equal LTs are ordered by account")
	require.False(t, trace.MissingNode)
}
