package node_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"golang.org/x/sync/errgroup"

	network "tonql/internal/devnet"
	"tonql/internal/devnet/ledger"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/pacetest"
)

// TestClient_ReadsEveryBlockAndAccountOfADevnet reads every block of a busy network with several shards, and every
// account after each of its transactions, and compares the accounts with the hashes in the blocks.
func TestClient_ReadsEveryBlockAndAccountOfADevnet(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, opts := range map[string]network.Options{
		"a block of each shard a second":                           {},
		"chains of shard blocks, five masterchain blocks a second": {ShardBlocks: ledger.MaxShardBlocks, ClockStep: 200 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts.Deterministic, opts.Seed, opts.Scenario, opts.ActionsPerMinute, opts.ShardPeriod = true, [32]byte{9}, true, 240, 12
			requireEverythingIsRead(t, opts)
		})
	}
}

func requireEverythingIsRead(t *testing.T, opts network.Options) {
	t.Helper()
	ctx := within(t, 2*time.Minute)
	live, err := network.Start(ctx, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, live.Close()) })
	for range 60 {
		_, err := live.Advance(ctx)
		require.NoError(t, err)
	}
	config, err := live.GlobalConfig()
	require.NoError(t, err)
	d := &devnet{ctx: ctx, chain: live.Chain, config: config}
	c := open(t, config, func(o *node.Options) { o.Timeout = pacetest.Slow * 10 * time.Second })
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)

	accounts, shards := 0, map[chain.Shard]bool{}
	for seqno := uint32(1); seqno <= head.Seqno; seqno++ {
		b, err := c.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		sameBlocks(t, d, b, seqno)
		accounts += touchedAccounts(ctx, t, c, append(b.Shards, b.Master))
		for _, top := range b.Top {
			shards[top.Shard] = true
		}
	}
	require.Greater(t, accounts, 100)
	require.Greater(t, len(shards), 2, "the network splits")
	require.Equal(t, uint64(0), c.States()[0].Failures)
}

// touchedAccounts compares the accounts that blocks changed with the state hashes in the blocks.
func touchedAccounts(ctx context.Context, t *testing.T, c *node.Client, blocks []chain.RawBlock) int {
	t.Helper()
	var group errgroup.Group
	count := 0
	for _, b := range blocks {
		var block tlb.Block
		require.NoError(t, tlb.Parse(&block, b.Root))
		var list tlb.ShardAccountBlocks
		require.NoError(t, tlb.Parse(&list, block.Extra.ShardAccountBlocks))
		if list.Accounts.IsEmpty() {
			continue
		}
		items, err := list.Accounts.RangeExtra(false, false)
		require.NoError(t, err)
		for _, item := range items {
			var changed tlb.AccountBlock
			require.NoError(t, tlb.LoadFromCell(&changed, item.Value))
			hashes := changed.StateUpdate.MustBeginParse()
			hashes.MustLoadSlice(8 + 256) // tag and the hash before
			after := chain.HashFrom(hashes.MustLoadSlice(256))
			account := chain.Address{Workchain: b.ID.Workchain, ID: chain.HashFrom(changed.Addr)}
			count++
			group.Go(func() error {
				got, err := c.Account(ctx, b.ID, account)
				if err == nil && got.Root != nil && chain.Hash(got.Root.HashKey()) != after {
					t.Errorf("account %s after block %s has another state than the block says", account, b.ID)
				}
				return err
			})
		}
	}
	require.NoError(t, group.Wait())
	return count
}
