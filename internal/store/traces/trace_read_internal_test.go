package traces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Traces have the transactions with their keys, in whichever order these were read: in the order of the keys they are not copied, and a trace that lacks
// one says so.
func TestFillTrace_TransactionsInAnyOrder(t *testing.T) {
	t.Parallel()
	row := func(lt uint64) chain.FullTransaction {
		return chain.FullTransaction{Transaction: chain.Transaction{Account: chain.Address{ID: chain.Hash{byte(lt)}}, LT: lt}}
	}
	keys := func(lts ...uint64) (keys []chain.TransactionKey) {
		for _, lt := range lts {
			r := row(lt)
			keys = append(keys, r.Key())
		}
		return keys
	}
	for name, c := range map[string]struct {
		read          []uint64
		first, second []uint64 // what the traces of 1, 2, 3 and of 4, 5 get
	}{
		"in order":             {[]uint64{1, 2, 3, 4, 5}, []uint64{1, 2, 3}, []uint64{4, 5}},
		"another order":        {[]uint64{5, 1, 3, 2, 4}, []uint64{1, 2, 3}, []uint64{4, 5}},
		"second trace lacks":   {[]uint64{1, 2, 3, 5}, []uint64{1, 2, 3}, []uint64{5}},
		"first trace lacks":    {[]uint64{2, 3, 4, 5}, []uint64{2, 3}, []uint64{4, 5}},
		"first trace has none": {[]uint64{4, 5}, nil, []uint64{4, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := nodeRows{}
			for _, lt := range c.read {
				rows.rows = append(rows.rows, row(lt))
			}
			var first, second chain.FullTrace
			fillTrace(&first, keys(1, 2, 3), &rows)
			fillTrace(&second, keys(4, 5), &rows)
			lts := func(f *chain.FullTrace) (lts []uint64) {
				for i := range f.Transactions {
					lts = append(lts, f.Transactions[i].LT)
				}
				return lts
			}
			require.Equal(t, c.first, lts(&first))
			require.Equal(t, c.second, lts(&second))
			require.Equal(t, len(c.first) < 3, first.MissingNode)
			require.Equal(t, len(c.second) < 2, second.MissingNode)
			if name == "in order" {
				require.Same(t, &rows.rows[0], &first.Transactions[0])
				require.Same(t, &rows.rows[3], &second.Transactions[0])
				require.Equal(t, 3, cap(first.Transactions), "appending to a trace changes no other")
			}
		})
	}
	var large chain.FullTrace
	fillTrace(&large, nil, &nodeRows{})
	require.True(t, large.TooLarge)
}

// A transaction of the same account is not taken for one that is missing.
func TestFillTrace_MissingTransactionOfTheSameAccount(t *testing.T) {
	t.Parallel()
	account := chain.Address{ID: chain.Hash{1}}
	key := func(lt uint64) chain.TransactionKey { return chain.TransactionKey{Account: account, LT: lt} }
	rows := nodeRows{}
	for _, lt := range []uint64{2, 3} {
		rows.rows = append(rows.rows, chain.FullTransaction{Transaction: chain.Transaction{Account: account, LT: lt}})
	}
	var first, second chain.FullTrace
	fillTrace(&first, []chain.TransactionKey{key(1)}, &rows)
	fillTrace(&second, []chain.TransactionKey{key(2), key(3)}, &rows)
	require.Empty(t, first.Transactions)
	require.True(t, first.MissingNode)
	require.Len(t, second.Transactions, 2)
	require.False(t, second.MissingNode)
}

// A response has at most 50,000 transactions, of all its traces.
func TestTraceNodes_ResponseIsBounded(t *testing.T) {
	t.Parallel()
	a, b := chain.Trace{ID: chain.Hash{1}}, chain.Trace{ID: chain.Hash{2}}
	nodes := traceNodes{a.ID: make([]chain.TransactionKey, 20_000), b.ID: make([]chain.TransactionKey, 30_000)}
	require.NoError(t, nodes.bounded([]chain.Trace{a, b}))
	nodes[b.ID] = append(nodes[b.ID], chain.TransactionKey{})
	require.NoError(t, nodes.bounded([]chain.Trace{b}))
	err := nodes.bounded([]chain.Trace{a, b})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.EqualError(t, err, "these traces have 50001 transactions: request fewer traces at once; a response holds up to 50000")
}
