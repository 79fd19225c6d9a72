package indexer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// TestIndex_FollowsSwitchesOfTheConsensus indexes a busy chain while its validators leave Simplex and return to it, then
// once more backwards by a client that connects after the switches. Both indexes are equal and complete.
func TestIndex_FollowsSwitchesOfTheConsensus(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n := devnettest.Start(ctx, t, devnettest.Options{
		Devnet: devnet.Options{Seed: testSeed(), Scenario: true, ActionsPerMinute: 120, ShardPeriod: 24, Consensus: devnet.Simplex},
		Blocks: 12, Node: nodeOptions,
	})
	db := testdb.New(t)
	stop := n.Index(t, db, indexer.Options{Logger: logger(t)})
	switches := map[uint32]devnet.Consensus{}
	for _, to := range []devnet.Consensus{devnet.Ordinary, devnet.Simplex, devnet.Ordinary} {
		require.NoError(t, n.SetConsensus(ctx, to))
		switches[n.Head()+1] = to
		n.AdvanceTo(t, n.Head()+9)
		require.Equal(t, to, n.Chain.Consensus())
		n.WaitIndexed(t, db)
	}
	stop()

	consensus, key := devnet.Simplex, uint32(0)
	for seqno := uint32(1); seqno <= n.Head(); seqno++ {
		sigs, err := n.Chain.Signatures(seqno)
		require.NoError(t, err)
		_, simplex := sigs.(ton.SignatureSetSimplex)
		require.Equal(t, consensus == devnet.Simplex, simplex, "form of the signatures of block %d", seqno)
		b, err := db.Reader().Block(ctx, chain.MasterBlockID(seqno))
		require.NoError(t, err)
		require.Equal(t, key, b.PrevKeyBlockSeqno)
		to, switched := switches[seqno]
		require.True(t, !switched || b.KeyBlock, "block %d", seqno)
		if switched {
			consensus = to
		}
		if b.KeyBlock {
			key = seqno
		}
	}
	require.Len(t, switches, 3)
	report := requireVerified(ctx, t, n.Client, db, 1, n.Head())
	require.Greater(t, report.Transactions, 100)

	config, err := n.GlobalConfig()
	require.NoError(t, err)
	late := testdb.New(t)
	run(ctx, t, connect(ctx, t, config), late, 1, n.Head(), indexer.Options{Batch: 5, Workers: 2})
	require.Equal(t, digest(ctx, t, db), digest(ctx, t, late))
	require.Zero(t, n.Client.States()[0].Failures)
}
