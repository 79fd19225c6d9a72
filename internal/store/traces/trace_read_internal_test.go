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
