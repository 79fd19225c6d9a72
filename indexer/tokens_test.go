package indexer_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// The indexer counts the holders of tokens beside indexing, and counts again soon after a block that changes them.
func TestTokens_AreCountedBesideIndexing(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	db := testdb.New(t)
	master := testdb.Address()
	wallet := func(mb *chain.MasterBlock, address chain.Address, balance int64) {
		tx := testdb.NewTransaction(mb, address)
		tx.Now = mb.Block.GenUtime
		mb.Transactions = append(mb.Transactions, tx)
		testdb.AddContract(mb, address, func(c *chain.Contract) {
			c.LT = tx.LT
			c.JettonWallet = &chain.JettonWallet{Address: address, Owner: testdb.Address(), Jetton: master, Balance: big.NewInt(balance), LastTxLT: tx.LT}
		})
	}
	first := testdb.Master(1)
	testdb.AddContract(first, master, func(c *chain.Contract) {
		c.JettonMaster = &chain.JettonMaster{Address: master, TotalSupply: big.NewInt(1000), Content: chain.Content{"symbol": "S"}, LastTxLT: c.LT}
	})
	empty := testdb.Address()
	wallet(first, testdb.Address(), 600)
	wallet(first, empty, 0)
	require.NoError(t, db.Writer().Apply(ctx, first))

	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	x := indexer.New(nil, db, indexer.Options{Recheck: 20 * time.Millisecond, Logger: logger(t)})
	go func() { done <- x.RunTokens(running, time.Millisecond) }()
	t.Cleanup(func() { stop(); require.ErrorIs(t, <-done, context.Canceled) })
	holders := func(n int64) {
		t.Helper()
		require.Eventually(t, func() bool {
			counts, err := db.Reader().TokenCounts(ctx, []chain.Address{master})
			return err == nil && counts[master] != nil && counts[master].Holders == n
		}, time.Minute, 10*time.Millisecond)
	}
	holders(1)

	next := testdb.Master(2)
	next.Block.GenUtime += 60 // counts are a while apart
	next.ShardBlocks[0].GenUtime += 60
	wallet(next, empty, 400)
	require.NoError(t, db.Writer().Apply(ctx, next))
	holders(2)
}
