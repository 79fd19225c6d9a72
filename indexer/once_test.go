package indexer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// requireEveryTransactionOnce lists the transactions of the chain with the parser of tonutils-go and reads each from
// the index.
func requireEveryTransactionOnce(ctx context.Context, t *testing.T, src chain.Source, db *store.DB, last uint32) {
	t.Helper()
	total := 0
	for seqno := uint32(1); seqno <= last; seqno++ {
		raw, err := src.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		for _, b := range append([]chain.RawBlock{raw.Master}, raw.Shards...) {
			var parsed tlb.Block
			require.NoError(t, tlb.Parse(&parsed, b.Root))
			txs, err := parsed.ListTransactions()
			require.NoError(t, err)
			var hashes []chain.Hash
			for _, tx := range txs {
				hashes = append(hashes, chain.HashFrom(tx.Hash))
			}
			rows, err := db.Reader().TransactionsByHash(ctx, hashes)
			require.NoError(t, err)
			require.Len(t, rows, len(hashes))
			for i := range rows {
				require.Equal(t, chain.Replayed, rows[i].Verification)
				require.Equal(t, b.ID.BlockID, rows[i].Block)
				require.Equal(t, seqno, rows[i].McSeqno)
			}
			total += len(hashes)
		}
	}
	all, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: total + 1})
	require.NoError(t, err)
	require.Len(t, all, total)
}
