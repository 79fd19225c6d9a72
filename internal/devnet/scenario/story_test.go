package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/layout"
	"tonql/internal/pacetest"
)

// everything lists the events that a chain of some minutes must have, by the names of the census.
var everything = []string{
	"EXTERNAL_IN ok", "EXTERNAL_IN aborted", "INTERNAL ok", "INTERNAL aborted", "external-out", "plain",
	"op 00000000 ok",      // comment
	"op 642b7d07 ok",      // Jetton mint
	"op 0f8a7ea5 ok",      // Jetton transfer
	"op 0f8a7ea5 aborted", // more than the balance
	"op 178d4519 ok",      // internal_transfer
	"op 7362d09c ok",      // transfer_notification
	"op 595f07bc ok",      // burn
	"op 7bdd97de ok",      // burn_notification
	"op d53276db ok",      // excesses
	"op 2c76b973 ok",      // provide_wallet_address
	"op d1735400 ok",      // take_wallet_address
	"op 00000001 ok",      // NFT and SBT mint
	"op 5fcc3d14 ok",      // NFT transfer
	"op 05138d91 ok",      // ownership_assigned
	"op 2fcb26a2 ok",      // get_static_data
	"op 693d3950 ok",      // get_royalty_params
	"op 04ded148 ok",      // prove_ownership
	"op d0c3bfea ok",      // request_owner
	"op 4eb1f0f9 ok",      // change_dns_record
	"op 656d6901 ok",      // log
	"op 6c696201 ok",      // library
	"op ae42e5a4 ok",      // highload wallet to itself
	"deferred",            // messages of its batch wait in the dispatch queue
	"exit 706", "exit -14", "action 32", "action 34", "action 37", "compute skipped", "bounce phase", "bounced", "bounced ffffffff", "bounced fffffffe",
	"0 to -1", "-1 to 0", "cross-shard", "split", "merge", "depth 0", "depth 1", "depth 2",
	"key block", "tick-tock", "destroyed",
	"status UNINIT -> ACTIVE", "status NON_EXIST -> UNINIT", "status NON_EXIST -> ACTIVE", "status ACTIVE -> NON_EXIST",
}

func TestScenario_MinutesOfTrafficHaveEveryEvent(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	skipIfShort(t)
	w := newTestChain(t, "", Options{ActionsPerMinute: 120})
	w.mine(300)
	c := w.census()
	for _, name := range everything {
		require.Positive(t, c[name], name)
	}
	require.Zero(t, c["unreadable"])
	stats := w.play.Stats()
	require.Equal(t, 300, stats.Rounds)
	require.Zero(t, stats.Refused, "every message is signed for the state in which it is executed")
	for _, a := range actions {
		require.Positive(t, stats.Actions[a.name], a.name)
	}
	// The library exists before the first wallet uses it.
	require.Zero(t, c["exit 9"])
}

func TestShards_FirstSplitIsEarly(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{})
	w.mine(40)
	v, err := newView(w.chain, w.chain.Head())
	require.NoError(t, err)
	require.Len(t, v.shards, 2)
}

func TestScenario_ContractsAreDeployedInTheFirstBlocks(t *testing.T) {
	t.Parallel()
	w := newTestChain(t, "", Options{ActionsPerMinute: -1, ShardPeriod: -1})
	w.mine(20)
	v, err := newView(w.chain, w.chain.Head())
	require.NoError(t, err)
	batch := w.play.newBatch(v, w.chain.Head().ID.SeqNo, w.chain.Head().ID.SeqNo)
	for _, c := range append(batch.contractSet.allDeploys, batch.contractSet.dnsRoot) {
		require.True(t, batch.look(c.Address).active, c.Address.StringRaw())
	}
	for i, k := range batch.contractSet.tokens {
		for _, holder := range batch.cast.actors[:firstHolders] {
			require.True(t, batch.look(k.wallet(holder.Address)).active, "jetton %d", i)
		}
	}
	require.Equal(t, uint64(firstItems), batch.minted(batch.contractSet.nfts))
	require.Equal(t, uint64(firstSBTs), batch.minted(batch.contractSet.sbts))
	for _, actor := range batch.cast.actors {
		require.GreaterOrEqual(t, batch.look(actor.Address).balance, actorPoor)
	}
	require.NotNil(t, v.master.Libraries)
	require.NoError(t, batch.failed)

	sent := w.play.Stats().Externals
	w.mine(8)
	require.Equal(t, sent, w.play.Stats().Externals, "a complete setup needs no more messages")
}

func TestWantedShape_FollowsTheShardPeriod(t *testing.T) {
	t.Parallel()
	for seqno, want := range map[uint32]shape{
		0: {}, 29: {}, 30: {halves: true}, 50: {halves: true}, 79: {halves: true}, 80: {},
		129: {}, 130: {halves: true}, 145: {halves: true, leftQuarters: true}, 162: {halves: true}, 180: {}, 230: {halves: true},
		245: {halves: true},
	} {
		require.Equal(t, want, wantedShape(seqno, 100), "block %d", seqno)
	}
}

func TestScenario_RateFollowsTheChainClock(t *testing.T) {
	t.Parallel()
	for rate, want := range map[int]int{60: 20, 600: 200, 90: 30, -1: 0} {
		w := newTestChain(t, "", Options{ActionsPerMinute: rate, ShardPeriod: -1})
		w.mine(21)
		total := 0
		for _, n := range w.play.Stats().Actions {
			total += n
		}
		// In the first batches no actor may have coins.
		require.InDelta(t, want, total, float64(want)/5, "rate %d", rate)
	}
}

func TestGenesisAccounts_AreUniqueAndHaveCode(t *testing.T) {
	t.Parallel()
	g, err := GenesisAccounts([32]byte{1}, -777)
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, a := range g.Accounts {
		require.False(t, seen[a.Address.StringRaw()])
		seen[a.Address.StringRaw()] = true
		require.NotNil(t, a.Code)
	}
	require.True(t, seen[g.DNSRoot.StringRaw()])
	require.Equal(t, layout.Masterchain, g.DNSRoot.Workchain())
	faucet, err := FaucetAddress([32]byte{1})
	require.NoError(t, err)
	require.True(t, seen[faucet.StringRaw()])
	other, err := FaucetAddress([32]byte{2})
	require.NoError(t, err)
	require.NotEqual(t, faucet.StringRaw(), other.StringRaw())
}

func TestShards_SplitAndMergeUnderLoad(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	skipIfShort(t)
	w := newTestChain(t, "", Options{ActionsPerMinute: 1200, ShardPeriod: 40})
	w.mine(160)
	c := w.census()
	require.Greater(t, c["merge"], 3)
	require.Greater(t, c["cross-shard"], 500)
}
