package transactions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
)

// The messages of raw transactions, with what the page and the statements say of their other ends, are the rows of messages.
func TestFull_MessagesOfRawTransactionsAreTheirRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	ctx := t.Context()
	joined, elsewhere := 0, 0
	for range 300 {
		f, p := randomTransactions(w), chain.Page{Limit: 1 + w.Rand.IntN(60), Sort: chain.Sort(w.Rand.IntN(2))}
		raw, err := w.Reader.Transactions(ctx, f, p)
		require.NoError(t, err)
		w.Rand.Shuffle(len(raw), func(i, j int) {
			if w.Rand.IntN(4) == 0 {
				raw[i], raw[j] = raw[j], raw[i]
			}
		})
		rows, mixed := make([]chain.Transaction, len(raw)), make([]chain.Transaction, len(raw))
		on := map[chain.TransactionKey]bool{}
		for i := range raw {
			require.NotEmpty(t, raw[i].Raw)
			on[raw[i].Key()] = true
			rows[i], mixed[i] = raw[i], raw[i]
			if rows[i].Raw = nil; w.Chance(2) {
				mixed[i].Raw = nil
			}
		}
		want, err := w.Reader.Full(ctx, rows)
		require.NoError(t, err)
		for i := range want {
			if in := want[i].InMessage; in != nil && in.SentBy != nil {
				if on[chain.TransactionKey{Account: *in.Source, LT: in.SentBy.LT}] {
					joined++
				} else {
					elsewhere++
				}
			}
		}
		for _, txs := range [][]chain.Transaction{raw, mixed} {
			got, err := w.Reader.Full(ctx, txs)
			require.NoError(t, err)
			for i := range got {
				got[i].Raw = nil
			}
			require.Equal(t, want, got)
		}
	}
	require.Greater(t, joined, 100)
	require.Greater(t, elsewhere, 100)
}

// A raw transaction that is damaged after its columns were read is an error, not a page without messages.
func TestFull_DamagedMessagesAreAnError(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	tx := w.Transactions[0]
	tx.Raw = append(chain.BOC{}, tx.Raw[:len(tx.Raw)-1]...)
	_, err := w.Reader.Full(t.Context(), []chain.Transaction{tx})
	require.ErrorContains(t, err, "damaged")
}
