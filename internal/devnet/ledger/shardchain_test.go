package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"

	"tonql/internal/devnet/layout"
	"tonql/internal/pacetest"
)

// chainLoad sends transfers between accounts of a chain whose shards make several blocks in a round.
type chainLoad struct {
	c       *Chain
	wallets []*testWallet
	seqnos  []uint32
	sent    int
}

func newChainLoad(t *testing.T, opts Options, wallets int) *chainLoad {
	t.Helper()
	l := &chainLoad{wallets: testWallets(t, wallets, 0), seqnos: make([]uint32, wallets)}
	opts.Genesis = accountsOf(l.wallets...)
	l.c = openChain(t, opts)
	return l
}

// round sends one message of every wallet, each with two transfers, and makes a masterchain block. It sends nothing
// while earlier messages wait.
func (l *chainLoad) round(t *testing.T) {
	t.Helper()
	if l.c.pool.len() > 0 {
		mine(t, l.c, 1)
		return
	}
	for i, w := range l.wallets {
		to := func(n int) *tlb.InternalMessage { return pay(l.wallets[(i*5+n)%len(l.wallets)].address, 1e6) }
		err := l.c.SendExternal(context.Background(), w.transfer(t, l.seqnos[i], to(3), to(int(l.seqnos[i]))))
		require.NoError(t, err)
		l.seqnos[i]++
		l.sent += 2
	}
	mine(t, l.c, 1)
}

// drain makes blocks until no message waits.
func (l *chainLoad) drain(t *testing.T) {
	t.Helper()
	for range 60 {
		mine(t, l.c, 1)
		if queued(l.c) == 0 && l.c.pool.len() == 0 {
			return
		}
	}
	require.Fail(t, "messages still wait")
}

// received counts the internal messages between basechain accounts that made a transaction, by hash.
func received(t *testing.T, c *Chain) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, b := range allBlocks(t, c) {
		for _, tx := range blockTxs(t, b) {
			if tx.IO.In == nil || tx.IO.In.MsgType != tlb.MsgTypeInternal || tx.IO.In.AsInternal().SrcAddr.Workchain() != 0 {
				continue
			}
			msg, err := tx.IO.In.ToCell()
			require.NoError(t, err)
			counts[string(msg.Hash())]++
		}
	}
	return counts
}

func requireReceivedOnce(t *testing.T, c *Chain, want int) {
	t.Helper()
	counts := received(t, c)
	require.Equal(t, want, len(counts), "messages received") //nolint:testifylint // the map is too large to print
	for hash, n := range counts {
		require.Equal(t, 1, n, "message %x", hash)
	}
}

// TestShardBlocks_MasterBlockCommitsChains makes eight blocks of each shard between two masterchain blocks,
// while the shards split and merge. Every message arrives once, and the chain re-executes to the same hashes.
func TestShardBlocks_MasterBlockCommitsChains(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, limit := range map[string]int{"room": 0, "full blocks": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newChainLoad(t, Options{ShardBlocks: MaxShardBlocks, MaxBlockTxs: limit}, 24)
			full := layout.FullShard
			left, _ := layout.ShardChildren(full)
			l.round(t)
			require.NoError(t, l.c.RequestSplit(0, int64(full)))
			for range 4 {
				l.round(t)
			}
			require.NoError(t, l.c.RequestSplit(0, int64(left)))
			for range 4 {
				l.round(t)
			}
			require.Len(t, shardNames(l.c), 3)
			require.NoError(t, l.c.RequestMerge(0, int64(left)))
			for range 4 {
				l.round(t)
			}
			require.NoError(t, l.c.RequestMerge(0, int64(full)))
			for range 5 {
				l.round(t)
			}
			require.Equal(t, []string{"8000000000000000"}, shardNames(l.c))
			l.drain(t)
			requireReceivedOnce(t, l.c, l.sent)
			requireChains(t, l.c)
			replayAll(t, l.c)
		})
	}
}

// requireChains checks that each masterchain block commits eight blocks of every shard, one the parent of the next,
// with the fees of all of them.
func requireChains(t *testing.T, c *Chain) {
	t.Helper()
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		root, err := c.State(masterID(seqno))
		require.NoError(t, err)
		ref, err := newReference(tlb.ExtBlkRef{SeqNo: seqno}, root, nil)
		require.NoError(t, err)
		require.Len(t, blocks, MaxShardBlocks*len(ref.shards))
		for i, d := range ref.shards {
			made := blocks[i*MaxShardBlocks : (i+1)*MaxShardBlocks]
			fees := layout.Sum()
			for n, b := range made {
				var blk tlb.Block
				require.NoError(t, tlb.Parse(&blk, b.Root))
				require.Equal(t, seqno-1, blk.BlockInfo.MasterRef.SeqNo)
				require.Equal(t, seqno, b.McSeqno)
				require.False(t, blk.BlockInfo.BeforeSplit && n < MaxShardBlocks-1, "the last block before a split is the last of its chain")
				if n > 0 {
					require.Equal(t, made[n-1].ID.RootHash, b.Prev[0].RootHash)
					require.Greater(t, b.StartLT, made[n-1].EndLT)
				}
				flow := blk.ValueFlow.MustBeginParse()
				flow.MustLoadUInt(32) // value_flow#b8e48dfb
				collected, err := flow.LoadBigCoins()
				require.NoError(t, err)
				fees.Add(fees, collected)
			}
			require.Equal(t, d.RootHash, made[MaxShardBlocks-1].ID.RootHash)
			require.Zero(t, fees.Cmp(d.FeesCollected))
		}
	}
}

// TestShardBlocks_ChainResumes closes a chain of several shard blocks in a round and opens it again; old states,
// also those in the middle of a round, are rebuilt.
func TestShardBlocks_ChainResumes(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 4, 0)
	open := func(dir string) *Chain {
		var c *Chain
		c = openChain(t, Options{Dir: dir, Genesis: accountsOf(wallets...), Clock: roundClock(&c), ShardBlocks: 3})
		return c
	}
	dir := t.TempDir()
	c := open(dir)
	c.states.keepRounds = 2
	mineRounds(t, c, wallets, 0, 9)
	c.due.blocks = snapshotBlocks // the next round writes a snapshot
	mineRounds(t, c, wallets, 9, 16)
	requireStates(t, c)
	require.NoError(t, c.Close())

	c = open(dir)
	requireStates(t, c)
	mineRounds(t, c, wallets, 16, 18)
	want := fileHashes(t, c)
	require.NoError(t, c.Close())

	memory := open("")
	mineRounds(t, memory, wallets, 0, 18)
	require.Equal(t, want, fileHashes(t, memory))
}

func TestShardBlocks_NumberIsBounded(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-1, MaxShardBlocks + 1} {
		_, err := Open(context.Background(), Options{ShardBlocks: n})
		require.ErrorContains(t, err, "should be 1 to 8")
	}
}
