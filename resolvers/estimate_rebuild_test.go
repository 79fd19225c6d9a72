package resolvers

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	network "tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// Accounts rebuilt from rows are the chain's, bit by bit, for all kinds of contracts of the devnet.
func TestAccountsAreRebuiltExactly(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	d, err := devnet.Start(ctx, devnet.Options{
		Seed: [32]byte{0xeb}, Deterministic: true, Interval: devnet.ByHand, Scenario: true, ActionsPerMinute: 120,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	const last = 40
	for d.Chain.Head().ID.SeqNo < last {
		_, err := d.Advance(ctx)
		require.NoError(t, err)
	}
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	client, err := network.Open(ctx, network.Options{Config: config, Timeout: pacetest.Slow * 5 * time.Second})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	db := testdb.New(t)
	running, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- indexer.New(client, db, indexer.Options{}).Run(running) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-done) })
	svc := New(db.Reader(), nil, Options{HeadTTL: time.Nanosecond})
	t.Cleanup(svc.Close)
	require.Eventually(t, func() bool { seqno, err := svc.McSeqno(ctx); return err == nil && seqno == last }, pacetest.Slow*time.Minute, 10*time.Millisecond)

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
