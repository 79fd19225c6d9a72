package synthetic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/synthetic"
)

func TestNext_RawTransactionsSayWhatTheRowsDo(t *testing.T) {
	t.Parallel()
	c := synthetic.New(synthetic.Options{Transactions: 600, Accounts: 60, PerBlock: 30, Seed: 3, BOCs: true})
	for mb := c.Next(); mb != nil; mb = c.Next() {
		messages := map[chain.MessageKey]chain.Message{}
		for _, m := range mb.Messages {
			m.SentBy, m.ReceivedBy = nil, nil
			messages[m.Key] = m
		}
		for i := range mb.Transactions {
			want, got := mb.Transactions[i], mb.Transactions[i]
			got.PrevLT, got.PrevHash, got.TotalFees, got.Description = 0, chain.Hash{}, 0, chain.TransactionDescription{}
			var raw rawtx.Transaction
			require.NoError(t, raw.Parse(mb.BOCs[i], nil))
			require.NoError(t, raw.Read(&got))
			require.Equal(t, want, got)
			same := func(m *chain.Message) { require.Equal(t, messages[m.Key], *m) }
			require.NoError(t, raw.Messages(&got, same, same))
		}
	}
}
