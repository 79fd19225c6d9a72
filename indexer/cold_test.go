package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/readers"
	"tonql/internal/testdb"
)

// While an indexer runs, a move whose commit on the cold server got no response delays requests for moved blocks for a while, and not until the indexer starts again
// or more blocks are moved.
func TestIndex_InterruptedMoveIsUndoneBesideIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	db := testdb.New(t)
	var blocks []*chain.MasterBlock
	for seqno := uint32(1); seqno < 40; seqno++ {
		mb := testdb.Master(seqno)
		mb.Transactions = append(mb.Transactions, testdb.NewTransaction(mb, testdb.Address()))
		blocks = append(blocks, mb)
	}
	require.NoError(t, db.Writer().Apply(ctx, blocks...))
	proxy, through := testdb.NewProxy(t, testdb.URL(t))
	name, err := db.Cold().Connect(ctx, through)
	require.NoError(t, err)
	_, err = db.Writer().MoveCold(ctx, name, 10, 10)
	require.NoError(t, err)
	proxy.CutBehind("Q\x00\x00\x00\x0bCOMMIT\x00") // of the connection that the rows travel on
	_, err = db.Writer().MoveCold(ctx, name, 20, 10)
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)
	read := func(index int) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			rows, err := db.Reader().TransactionsByHash(ctx, []chain.Hash{blocks[index].Transactions[0].Hash})
			if err == nil {
				require.Len(t, rows, 1)
			}
			return err
		})
	}
	require.Equal(t, chain.Unavailable, chain.KindOf(read(0)), "rows of the step are on both servers")

	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	x := indexer.New(nil, db, indexer.Options{Logger: logger(t)})
	go func() { done <- x.RunClaims(running, 50*time.Millisecond) }()
	t.Cleanup(func() { stop(); require.ErrorIs(t, <-done, context.Canceled) })
	require.Eventually(t, func() bool { return read(0) == nil && read(15) == nil }, time.Minute, 20*time.Millisecond)
}
