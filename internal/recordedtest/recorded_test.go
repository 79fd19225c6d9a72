package recordedtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/recordedtest"
	"tonql/internal/testdb"
)

func TestMain(m *testing.M) { testdb.Main(m) }

func TestDevnet_EveryTransactionReplays(t *testing.T) {
	t.Parallel()
	blocks := devnetBlocks(t)
	n := 0
	for _, mb := range blocks {
		for i := range mb.Transactions {
			require.Equal(t, chain.Replayed, mb.Transactions[i].Verification)
		}
		n += len(mb.Transactions)
	}
	require.Greater(t, n, 1000)
	want, err := recordedtest.Index(t, blocks).Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	got, err := recordedtest.IndexAsBefore(t, blocks).Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}
