package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// TestDigests_AreComputedForFullRangesBesideIndexing lets the indexer compute the digests of two full ranges among others, and again of
// one that a late change has deleted.
func TestDigests_AreComputedForFullRangesBesideIndexing(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	db := testdb.New(t)
	var blocks []*chain.MasterBlock
	for seqno := uint32(900); seqno < 3005; seqno++ {
		mb := testdb.Master(seqno)
		mb.Transactions = append(mb.Transactions, testdb.NewTransaction(mb, testdb.Address()))
		blocks = append(blocks, mb)
	}
	require.NoError(t, db.Writer().Apply(ctx, blocks...))

	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	x := indexer.New(nil, db, indexer.Options{Recheck: 20 * time.Millisecond, Logger: logger(t)})
	go func() { done <- x.RunDigests(running, time.Millisecond) }()
	t.Cleanup(func() { stop(); require.ErrorIs(t, <-done, context.Canceled) })
	all := chain.SeqnoRange{First: 1, Last: 5000}
	stored := func(n int) []chain.RangeDigest {
		var list []chain.RangeDigest
		require.Eventually(t, func() bool {
			var err error
			list, err = db.Reader().StoredDigests(ctx, all, 10)
			return err == nil && len(list) == n
		}, 4*time.Minute, 20*time.Millisecond)
		return list
	}
	for i, d := range stored(2) {
		require.Equal(t, chain.DigestRange(uint32(i+1)*1000), d.Range)
		want, err := db.Reader().RangeDigest(ctx, d.Range)
		require.NoError(t, err)
		require.Equal(t, want.RangeDigest, d)
	}
	_, _, err := db.Writer().ApplyComplete(ctx, &chain.MasterBlock{Block: blocks[300].Block, Frames: [][]byte{{7}}})
	require.NoError(t, err)
	want, err := db.Reader().RangeDigest(ctx, chain.DigestRange(1200))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		list, err := db.Reader().StoredDigests(ctx, chain.DigestRange(1200), 1)
		return err == nil && len(list) == 1 && list[0].Hash == want.Hash
	}, 4*time.Minute, 20*time.Millisecond)
}
