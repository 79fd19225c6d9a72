package resolvers_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// The changes of every trace of the scenario, system messages and tick-tock included, equal the differences of account
// states. The sums of Jettons that moved (transferred, minted, burned, bounced and claimed from an airdrop) equal the
// balances of the wallets.
func TestBalanceChanges_EqualStatesAndWalletBalances(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	const blocks = 50
	db := testdb.New(t)
	client := scenario(t, db, blocks)
	svc := resolvers.New(db.Reader(), client, resolvers.Options{})

	parts, err := svc.FullTraces(ctx, chain.TraceFilter{}, chain.Page{Limit: 1000, Sort: chain.Ascending}, chain.TraceInclude{Actions: true})
	require.NoError(t, err)
	require.Greater(t, parts.Len(), 1)
	var traces []chain.FullTrace
	for i := range parts.Len() {
		part, err := parts.Read(ctx, i)
		require.NoError(t, err)
		traces = append(traces, part...)
	}
	require.Len(t, traces, parts.Rows)
	require.Greater(t, len(traces), 100)
	balances := map[chain.Address]map[chain.Address]*big.Int{}
	for i := range traces {
		tr := &traces[i]
		changes, err := svc.BalanceChanges(ctx, &tr.ID, nil)
		require.NoError(t, err)
		want := map[chain.Address]*big.Int{}
		for j := range tr.Transactions {
			tx := &tr.Transactions[j]
			if want[tx.Account] == nil {
				want[tx.Account] = new(big.Int)
			}
			want[tx.Account].Add(want[tx.Account], big.NewInt(int64(tx.StateAfter.Balance)-int64(tx.StateBefore.Balance)))
		}
		require.Len(t, changes.Changes, len(want))
		for a, n := range want {
			require.Equal(t, n.String(), changes.Changes[a].String(), "trace %s, account %s", tr.ID, a)
			require.NotContains(t, changes.Fees[a].String(), "-")
		}
		for owner, jettons := range changes.Jettons {
			for master, n := range jettons {
				if balances[owner] == nil {
					balances[owner] = map[chain.Address]*big.Int{}
				}
				if balances[owner][master] == nil {
					balances[owner][master] = new(big.Int)
				}
				amount, ok := new(big.Int).SetString(n.String(), 10)
				require.True(t, ok)
				balances[owner][master].Add(balances[owner][master], amount)
			}
		}
		for _, a := range tr.Actions {
			of, err := svc.BalanceChanges(ctx, nil, &a.ID)
			require.NoError(t, err)
			require.LessOrEqual(t, len(of.Changes), len(changes.Changes))
		}
	}
	wallets, err := svc.JettonWallets(ctx, chain.JettonWalletFilter{ExcludeZero: true}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.Greater(t, len(wallets), 20)
	for i := range wallets {
		w := &wallets[i]
		n := balances[w.Owner][w.Jetton]
		require.NotNil(t, n, "Jetton %s of %s", w.Jetton, w.Owner)
		require.Equal(t, w.Balance.String(), n.String(), "Jetton %s of %s", w.Jetton, w.Owner)
	}

	_, err = svc.BalanceChanges(ctx, nil, new(testdb.Hash()))
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	_, err = svc.BalanceChanges(ctx, new(testdb.Hash()), nil)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	_, err = svc.BalanceChanges(ctx, nil, nil)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

// scenario indexes the first blocks of a local chain with traffic.
func scenario(t *testing.T, db *store.DB, blocks uint32) *node.Client {
	t.Helper()
	d := devnettest.Start(t.Context(), t, devnettest.Options{
		Devnet: devnet.Options{Seed: [32]byte{7}, Scenario: true, ActionsPerMinute: 120}, Blocks: blocks,
	})
	from, err := indexer.ParseFrom("1")
	require.NoError(t, err)
	stop := d.Index(t, db, indexer.Options{From: from})
	d.WaitIndexed(t, db)
	stop()
	return d.Client
}
