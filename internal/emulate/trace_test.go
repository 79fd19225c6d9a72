package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// newChain returns the transactions of a wallet and of the two accounts that it pays, of which the second also emits a
// log.
func newChain(finality ...chain.Finality) []chain.FullTransaction {
	account := func(n byte) chain.Address { return chain.Address{ID: chain.Hash{n}} }
	message := func(from *chain.Address, lt uint64, to *chain.Address) chain.Message {
		m := chain.Message{Hash: chain.Hash{0xaa, byte(lt)}, Source: from, Destination: to, CreatedLT: &lt}
		m.Key = chain.MessageKey{LT: lt}
		if from != nil {
			m.Key.Account = *from
		}
		return m
	}
	wallet, one, two := account(1), account(2), account(3)
	external := chain.Message{Key: chain.MessageKey{Account: wallet, LT: 10}, Hash: chain.Hash{0xee}, HashNorm: &chain.Hash{0xef}, Kind: chain.ExternalIn}
	txs := make([]chain.FullTransaction, 3)
	in := []chain.Message{external, message(&wallet, 11, &one), message(&wallet, 12, &two)}
	out := [][]chain.Message{{message(&wallet, 11, &one), message(&wallet, 12, &two)}, nil, {message(&two, 15, nil)}}
	for i, a := range []chain.Address{wallet, one, two} {
		tx := &txs[i]
		tx.Account, tx.LT, tx.Now, tx.McSeqno, tx.Hash = a, uint64(10+2*i), 100+uint32(i), 5, chain.Hash{byte(i + 1)}
		tx.InMessage, tx.InMsg, tx.OutMessages, tx.Finality = &in[i], &in[i].Key, out[i], finality[i]
		for j := range tx.OutMessages {
			tx.OutMessages[j].SentBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
		}
	}
	return txs
}

func TestTrace_EmulatedTransactionsMakeATrace(t *testing.T) {
	t.Parallel()
	trace := Trace(nil, newChain(chain.Pending, chain.Pending, chain.Pending))
	require.Equal(t, chain.Trace{
		ID: chain.Hash{1}, ExternalHash: &chain.Hash{0xee}, ExternalHashNorm: &chain.Hash{0xef},
		Root: chain.TransactionKey{Account: chain.Address{ID: chain.Hash{1}}, LT: 10}, State: chain.TracePending, Finality: chain.Pending,
		StartLT: 10, EndLT: 14, StartUtime: 100, EndUtime: 102, McSeqnoStart: 5, McSeqnoEnd: 5, Transactions: 3, Messages: 4,
	}, trace.Trace)
	require.Len(t, trace.Tree.Children, 2)
	require.False(t, trace.Incomplete())
	for i := range trace.Transactions {
		require.Equal(t, trace.ID, *trace.Transactions[i].TraceID)
		require.Equal(t, *trace.ExternalHash, *trace.Transactions[i].TraceExternalHash)
	}
	require.Equal(t, trace.Transactions[1].Hash, trace.Transactions[0].OutMessages[0].ReceivedBy.Hash)
	require.Equal(t, trace.ID, trace.Transactions[2].InMessage.SentBy.Hash)
	require.Len(t, traceContent(trace).Transactions[0].Out, 2)
	require.Nil(t, Trace(nil, nil))

	cut := Trace(nil, newChain(chain.Pending, chain.Pending, chain.Pending)[:2])
	require.Equal(t, 1, cut.PendingMessages, "the limit leaves a message in flight")
}

// Emulation does not change the indexed transactions of the trace.
func TestTrace_ActionHasTheLowestFinalityOfItsTransactions(t *testing.T) {
	t.Parallel()
	id := chain.Hash{0x77}
	indexed := &chain.Trace{ID: id, Transactions: 2, PendingMessages: 1, StartLT: 10, EndLT: 12}
	txs := newChain(chain.Finalized, chain.Finalized, chain.Pending)
	trace := Trace(indexed, txs)
	require.Equal(t, id, trace.ID)
	require.Equal(t, chain.Confirmed, trace.Finality)
	require.Equal(t, 3, trace.Trace.Transactions)
	require.Zero(t, trace.PendingMessages)
	require.Nil(t, trace.Transactions[0].TraceID, "indexed rows are not changed")
	require.Equal(t, id, *trace.Transactions[2].TraceID)

	setActions(trace, []chain.Action{
		{ID: chain.Hash{2}, StartLT: 12, EndLT: 14, TxHashes: []chain.Hash{{1}, {3}}},
		{ID: chain.Hash{1}, StartLT: 10, EndLT: 12, TxHashes: []chain.Hash{{1}, {2}}},
	})
	require.Equal(t, chain.Hash{1}, trace.Actions[0].ID)
	require.Equal(t, chain.Confirmed, trace.Actions[0].Finality)
	require.Equal(t, chain.Pending, trace.Actions[1].Finality)

	lost := Trace(nil, newChain(chain.Pending, chain.Pending, chain.Pending))
	setActions(lost, []chain.Action{{TxHashes: []chain.Hash{{1}}}})
	Invalidate(lost)
	require.Equal(t, chain.Invalidated, lost.Finality)
	require.Equal(t, chain.Invalidated, lost.Actions[0].Finality)
	require.Equal(t, chain.Invalidated, lost.Tree.Children[1].Transaction.Finality)
}
