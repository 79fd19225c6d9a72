package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// TestDays_AreComputedBesideIndexing lets the indexer compute the sums of full ranges and of the head, follow the head, and compute again
// what a late change has deleted.
func TestDays_AreComputedBesideIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	db := testdb.New(t)
	master := func(seqno uint32) *chain.MasterBlock {
		mb := testdb.Master(seqno)
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.Now = mb.Block.GenUtime
		mb.Transactions = append(mb.Transactions, tx)
		return mb
	}
	var blocks []*chain.MasterBlock
	for seqno := uint32(900); seqno < 2305; seqno++ {
		blocks = append(blocks, master(seqno))
	}
	require.NoError(t, db.Writer().Apply(ctx, blocks...))

	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	x := indexer.New(nil, db, indexer.Options{Recheck: 20 * time.Millisecond, Logger: logger(t)})
	go func() { done <- x.RunDays(running, time.Millisecond) }()
	t.Cleanup(func() { stop(); require.ErrorIs(t, <-done, context.Canceled) })
	counted := func(n int64) {
		require.Eventually(t, func() bool {
			days, err := db.Reader().NetworkDays(ctx, chain.DayRange{First: testdb.Epoch / chain.SecondsPerDay, Last: testdb.Epoch/chain.SecondsPerDay + 1})
			sum := int64(0)
			for i := range days.Days {
				sum += days.Days[i].Transactions
			}
			return err == nil && sum == n
		}, time.Minute, 20*time.Millisecond)
	}
	counted(1305) // the first 100 blocks begin no range
	require.NoError(t, db.Writer().Apply(ctx, master(2305)))
	counted(1306)
	_, _, err := db.Writer().ApplyComplete(ctx, &chain.MasterBlock{Block: blocks[300].Block, Frames: [][]byte{{7}}})
	require.NoError(t, err)
	counted(1306)
}
