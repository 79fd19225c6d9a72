package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// A body counts once, also when the transactions of sender and receiver have a copy each, and large content counts as what it is made from.
func TestWeight_CountsWhatATraceRetains(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	sender, receiver := chain.Address{ID: chain.Hash{1}}, chain.Address{ID: chain.Hash{2}}
	message := func() chain.Message {
		return chain.Message{
			Key: chain.MessageKey{Account: sender, LT: 2}, Hash: chain.Hash{3}, Source: &sender, Destination: &receiver, Body: make(chain.BOC, size),
		}
	}
	received := message()
	trace := func() *chain.FullTrace {
		txs := make([]chain.FullTransaction, 2)
		txs[0].Account, txs[0].LT, txs[0].OutMessages = sender, 1, []chain.Message{message()}
		txs[1].Account, txs[1].LT, txs[1].InMessage = receiver, 3, &received
		return Trace(nil, txs)
	}
	linked := trace()
	require.Greater(t, Weight(linked), size)
	require.Less(t, Weight(linked), size+size/2)

	raw := make(chain.BOC, size)
	for i := range 4 {
		linked.Transactions[0].OutMessages = append(linked.Transactions[0].OutMessages, chain.Message{Large: &chain.LargeContent{Of: raw}})
		require.Less(t, Weight(linked), 2*size+size/2, i)
	}
	require.Greater(t, Weight(linked), 2*size)
	linked.Actions = []chain.Action{{Details: make([]byte, size)}}
	require.Greater(t, Weight(linked), 3*size)
}
