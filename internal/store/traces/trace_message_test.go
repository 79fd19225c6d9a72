package traces_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// A contract may accept the same message any number of times. A page of the traces of its hash reads the transactions of its own traces only.
func TestTraces_OfAMessageThatIsAcceptedOftenAreReadInPages(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	mb := testdb.Master(1)
	const executions, each = 300, 20
	account, hash, norm := testdb.Address(), testdb.Hash(), testdb.Hash()
	for i := range executions {
		tx := testdb.NewTransaction(mb, account)
		tx.LT = mb.Block.StartLT + uint64(i+1)*20
		in := testdb.NewMessage(mb, account, account)
		in.Kind, in.Source, in.Value, in.CreatedLT, in.CreatedAt = chain.ExternalIn, nil, nil, nil, nil
		in.Bounce, in.Bounced, in.IHRDisabled, in.FwdFee, in.IHRFee = nil, nil, nil, nil, nil
		in.Key, in.Hash, in.HashNorm = chain.MessageKey{Account: account, LT: tx.LT}, hash, &norm
		testdb.Receive(&tx, &in)
		testdb.AddTransaction(mb, &tx)
		mb.Messages = append(mb.Messages, in)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for name, named := range map[string]chain.Hash{"hash": hash, "normalized hash": norm} {
		f := chain.TraceFilter{MsgHashes: []chain.Hash{named}}
		seen := map[chain.Hash]bool{}
		for offset := 0; offset < executions; offset += each {
			page, err := db.Reader().TracesInFull(t.Context(), f, chain.Page{Limit: each, Offset: offset, Sort: chain.Ascending}, chain.TraceInclude{})
			require.NoError(t, err)
			require.Len(t, page.Traces, each, name)
			require.Equal(t, each, page.Read(), name)
			full, err := page.Full(t.Context(), 0, each)
			require.NoError(t, err)
			last := uint64(0)
			for i := range full {
				require.Len(t, full[i].Transactions, 1)
				require.Equal(t, hash, full[i].Transactions[0].InMessage.Hash)
				require.Greater(t, full[i].EndLT, last)
				last = full[i].EndLT
				seen[full[i].ID] = true
			}
		}
		require.Len(t, seen, executions, name)
	}
}
