package indexer_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// requireReplayed checks that every indexed transaction was executed again with the same result.
func requireReplayed(t *testing.T, n *devnettest.Network, opts indexer.Options) {
	t.Helper()
	ctx := testContext(t)
	db := testdb.New(t)
	run(ctx, t, n.Client, db, 1, n.Head(), opts)
	for page := (chain.Page{Limit: 1000}); ; page.Offset += page.Limit {
		txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, page)
		require.NoError(t, err)
		for i := range txs {
			require.Equal(t, chain.Replayed, txs[i].Verification, "transaction %s %d", txs[i].Account, txs[i].LT)
		}
		if len(txs) < page.Limit {
			break
		}
	}
	requireVerified(ctx, t, n.Client, db, 1, n.Head())
}

// The traffic of the scenario is indexed and re-executed at each protocol version of the main network.
func TestIndex_EveryGlobalVersionIsReplayed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, version := range map[string]uint32{"13": 13, "14": 14, "15": 15} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := devnettest.Start(testContext(t), t, devnettest.Options{
				Devnet: devnet.Options{Seed: testSeed(), Scenario: true, ActionsPerMinute: 240, GlobalVersion: version}, Blocks: 60, Node: nodeOptions,
			})
			got, err := tlb.BlockchainConfig{Root: n.Chain.Config()}.GetGlobalVersion()
			require.NoError(t, err)
			require.Equal(t, version, got.Version)
			require.NotNil(t, n.Chain.Libraries(), "the scenario has published its library")
			requireReplayed(t, n, indexer.Options{})
		})
	}
}

// Five masterchain blocks a second, each with chains of eight shard blocks, splits and merges under load: the index is the
// same in whatever order the blocks come.
func TestIndex_ChainsOfShardBlocksAreFollowed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 50
	n := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{
		Seed: testSeed(), Scenario: true, ActionsPerMinute: 900, ShardPeriod: 24,
		ShardBlocks: ledger.MaxShardBlocks, ClockStep: 200 * time.Millisecond,
	}, Blocks: blocks, Node: nodeOptions})
	forward, backward := testdb.New(t), testdb.New(t)
	run(ctx, t, n.Client, forward, 1, blocks, indexer.Options{})
	report := requireVerified(ctx, t, n.Client, forward, 1, blocks)
	require.Greater(t, report.Transactions, 300)
	run(ctx, t, n.Client, backward, blocks, blocks, indexer.Options{From: from(t, "latest")})
	run(ctx, t, n.Client, backward, 1, blocks, indexer.Options{Batch: 5, Workers: 2})
	require.Equal(t, digest(ctx, t, forward), digest(ctx, t, backward))

	workchain, busiest := int32(0), map[uint32]int{}
	shards, merged := map[chain.Shard]bool{}, false
	for page := (chain.Page{Limit: 500}); ; page.Offset += page.Limit {
		list, err := forward.Reader().Blocks(ctx, chain.BlockFilter{Workchain: &workchain}, page)
		require.NoError(t, err)
		for _, b := range list {
			shards[b.Shard], merged = true, merged || b.AfterMerge
			if b.TxCount > 0 {
				busiest[b.McSeqno]++
			}
		}
		if len(list) < page.Limit {
			break
		}
	}
	require.Greater(t, len(shards), 2, "the chain splits")
	require.True(t, merged, "the chain merges")
	chains := 0
	for _, withTransactions := range busiest {
		if withTransactions > 4 {
			chains++
		}
	}
	require.Positive(t, chains, "the load is in all blocks of a shard, not in the last one only")
}

// The indexer follows a network that makes five masterchain blocks a second, each with chains of shard blocks. How far it is
// behind depends on the machine and is logged.
func TestFollow_FiveBlocksASecond(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{
		Seed: testSeed(), Scenario: true, ActionsPerMinute: 240, ShardPeriod: 40, ShardBlocks: 4, Interval: 200 * time.Millisecond,
	}, Node: nodeOptions})
	db := testdb.New(t)
	n.Index(t, db, indexer.Options{Logger: logger(t)})
	const blocks = 60
	require.NoError(t, n.Chain.WaitSeqno(ctx, blocks))
	reached := n.Head()
	waitUntil(ctx, t, "the head", func() bool {
		info, err := db.Reader().MasterchainInfo(ctx)
		return err == nil && info.Last.Seqno >= reached
	})
	t.Logf("block %d is indexed when the chain is at %d", reached, n.Head())
	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	require.Len(t, ranges, 1)
	seconds := map[uint32]int{}
	workchain := chain.MasterchainID
	list, err := db.Reader().Blocks(ctx, chain.BlockFilter{Workchain: &workchain}, chain.Page{Limit: 500})
	require.NoError(t, err)
	for _, b := range list {
		seconds[b.GenUtime]++
	}
	require.Less(t, len(seconds), len(list), "blocks share a second")
}
