package indexer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// The main network from its zerostates on: every transaction is replayed, and every row is that of the chain.
func TestIndex_FirstBlocksOfTheMainNetworkReplay(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	first := mainnet.OpenFirstBlocks(t)
	head, err := first.Head(ctx)
	require.NoError(t, err)
	db := testdb.New(t)
	run(ctx, t, first, db, 1, head.Seqno, indexer.Options{})
	counts, err := db.Reader().VerificationCounts(ctx)
	require.NoError(t, err)
	if first.Further() {
		require.Equal(t, chain.VerificationCounts{Replayed: counts.Replayed, OldRules: counts.OldRules}, counts)
	} else {
		require.Equal(t, chain.VerificationCounts{Replayed: 1087}, counts)
	}
	requireEveryTransactionOnce(ctx, t, first, db, head.Seqno)
	requireVerified(ctx, t, first, db, 1, head.Seqno)
}
