package resolvers

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// Accounts rebuilt from rows are the chain's, bit by bit, for all kinds of contracts of the devnet.
func TestAccountsAreRebuiltExactly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	d := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xeb}, Scenario: true, ActionsPerMinute: 120}, Blocks: 40,
	})
	db := testdb.New(t)
	d.Index(t, db, indexer.Options{})
	d.WaitIndexed(t, db)
	svc := New(db.Reader(), nil, Options{HeadTTL: time.Nanosecond})
	t.Cleanup(svc.Close)

	rows, err := svc.TopAccounts(ctx, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.Greater(t, len(rows), 40)
	v, err := svc.exec.view(ctx, nil)
	require.NoError(t, err)
	exact, other := 0, 0
	for _, row := range rows {
		acc, err := svc.exec.account(ctx, v, row.Account)
		require.NoError(t, err)
		root, err := svc.exec.accountCell(ctx, v, acc)
		require.NoError(t, err)
		if chain.Hash(root.HashKey()) == acc.row.Hash {
			exact++
			continue
		}
		// What rows do not hold: storage statistics of large accounts, special accounts, libraries.
		require.True(t, acc.row.UsedCells > 25 || acc.row.Account.Workchain == chain.MasterchainID, "%s", acc.row.Account)
		other++
	}
	require.Less(t, other, exact/3)
}
