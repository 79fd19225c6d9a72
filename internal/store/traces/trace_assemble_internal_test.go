package traces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// A trace begins where nothing on the chain caused the transaction: without a message, with one from outside, or with one of the system.
func TestIsRoot_WhereNothingOnTheChainIsTheCause(t *testing.T) {
	t.Parallel()
	system, other := chain.SystemAddress, chain.Address{ID: chain.Hash{1}}
	require.True(t, isRoot(nil))
	require.True(t, isRoot(&chain.Message{Kind: chain.ExternalIn}))
	require.True(t, isRoot(&chain.Message{Kind: chain.InternalMessage, Source: &system}))
	require.False(t, isRoot(&chain.Message{Kind: chain.InternalMessage, Source: &other}))
}

// A trace that is computed again begins as it did the first time.
func TestAssembly_RestartIsTheBeginning(t *testing.T) {
	t.Parallel()
	tx := &chain.Transaction{Account: chain.Address{ID: chain.Hash{1}}, LT: 5, Hash: chain.Hash{2}, Now: 7, McSeqno: 3}
	for name, in := range map[string]*chain.Message{"without a message": nil, "with a message": {Kind: chain.ExternalIn, Hash: chain.Hash{3}}} {
		first, again := begin(tx, in), begin(tx, in)
		again.add(tx.Now, tx.McSeqno, tx.LT, 2, 1)
		again.restart()
		require.Equal(t, first.Trace, again.Trace, name)
		first.add(tx.Now, tx.McSeqno, tx.LT, 0, 0)
		require.Zero(t, first.PendingMessages, name)
		received := 0
		if in != nil {
			received = 1
		}
		require.Equal(t, received, first.Messages, name)
	}
}
