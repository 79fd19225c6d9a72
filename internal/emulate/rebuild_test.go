package emulate

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
)

func TestRebuild_CellsOfDevnetAccountsHaveTheHashOnChain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*2*time.Minute)
	t.Cleanup(cancel)
	d := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{0xeb}, Scenario: true, ActionsPerMinute: 120},
	})
	x, db := newEmulator(t, d, 40, nil)

	rows, err := db.Reader().TopAccounts(ctx, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.Greater(t, len(rows), 40)
	v, err := x.At(ctx, nil)
	require.NoError(t, err)
	exact, other := 0, 0
	for _, row := range rows {
		acc, err := x.Account(ctx, v, row.Account)
		require.NoError(t, err)
		root, err := x.AccountCell(ctx, v, acc)
		require.NoError(t, err)
		if chain.Hash(root.HashKey()) == acc.State.Hash {
			exact++
			continue
		}
		// Rows do not store the storage statistics of large accounts, the special flags and the account's own libraries.
		require.True(t, acc.State.UsedCells > 25 || acc.State.Account.Workchain == chain.MasterchainID, "%s", acc.State.Account)
		other++
	}
	require.Less(t, other, exact/3)
}
