package indexer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// TestDigests_AreComputedForFullRangesBesideIndexing lets the indexer compute the digests of two full ranges among others, and again of
// one that a late change has deleted.
func TestDigests_AreComputedForFullRangesBesideIndexing(t *testing.T) {
	pacetest.Long(t)
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
	// Rows that do not follow from blocks alone are compared with their digest.
	verified := func() indexer.Report {
		r, err := indexer.VerifyRows(ctx, db.Reader(), chain.SeqnoRange{First: 1000, Last: 2999}, 2)
		require.NoError(t, err)
		r.Differences = slices.DeleteFunc(r.Differences, func(d indexer.Difference) bool { return d.Table != "range_digests" })
		return r
	}
	require.Equal(t, 2, verified().Digests)
	sql := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, sql.Close()) })
	change := func(by int) {
		_, err := sql.ExecContext(ctx, `UPDATE traces SET transactions = transactions + $1 WHERE trace_id = (SELECT trace_id FROM traces WHERE mc_seqno_end = 1500 ORDER BY trace_id LIMIT 1)`, by)
		require.NoError(t, err)
	}
	change(1)
	r := verified()
	require.Equal(t, 1, r.Digests)
	require.Len(t, r.Differences, 1)
	require.Contains(t, r.Differences[0].String(), "masterchain block 1000: range_digests 1000 to 1999: the rows of these blocks have the digest ")
	change(-1)

	_, _, err := db.Writer().ApplyComplete(ctx, &chain.MasterBlock{Block: blocks[300].Block, Frames: [][]byte{{7}}})
	require.NoError(t, err)
	want, err := db.Reader().RangeDigest(ctx, chain.DigestRange(1200))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		list, err := db.Reader().StoredDigests(ctx, chain.DigestRange(1200), 1)
		return err == nil && len(list) == 1 && list[0].Hash == want.Hash
	}, 4*time.Minute, 20*time.Millisecond)
}
