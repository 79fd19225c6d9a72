package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	network "tonql/internal/devnet"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// busy starts a network with several shards and much traffic.
func busy(t *testing.T) *devnet {
	t.Helper()
	ctx := within(t, 2*time.Minute)
	live, err := network.Start(ctx, network.Options{
		Deterministic: true, Seed: [32]byte{11}, Scenario: true, ActionsPerMinute: 240, ShardPeriod: 12,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, live.Close()) })
	for range 50 {
		_, err := live.Advance(ctx)
		require.NoError(t, err)
	}
	config, err := live.GlobalConfig()
	require.NoError(t, err)
	return &devnet{ctx: ctx, chain: live.Chain, config: config}
}

func slow(o *node.Options) { o.Timeout = 10 * time.Second }

// The client finds the same blocks by seqno, LT and time as the chain, and proves each from the head.
func TestFindBlock_BySeqnoLTAndTimeIsProven(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := busy(t)
	c := open(t, d.config, slow)
	ctx := within(t, time.Minute)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	shards := map[chain.Shard]bool{}
	for seqno := uint32(2); seqno <= head.Seqno; seqno += 3 {
		master, err := c.FindBlock(ctx, chain.BlockSearch{Workchain: -1, Shard: chain.FullShard, Seqno: &seqno})
		require.NoError(t, err)
		b, err := c.Block(ctx, master)
		require.NoError(t, err)
		var parsed tlb.Block
		require.NoError(t, tlb.Parse(&parsed, b.Root))
		root, err := c.StateRoot(ctx, master)
		require.NoError(t, err)
		state, err := d.chain.State(*toTL(master))
		require.NoError(t, err)
		require.Equal(t, state.Hash(), root[:])

		tops, err := c.Shards(ctx, master)
		require.NoError(t, err)
		for _, top := range tops {
			if top.Seqno == 0 {
				continue
			}
			shards[top.Shard] = true
			found, err := c.FindBlock(ctx, chain.BlockSearch{Shard: top.Shard, Seqno: &top.Seqno})
			require.NoError(t, err)
			require.Equal(t, top, found)
			for _, q := range []chain.BlockSearch{
				{Shard: top.Shard, LT: &parsed.BlockInfo.StartLt}, {Shard: top.Shard, Utime: &parsed.BlockInfo.GenUtime},
			} {
				found, err := c.FindBlock(ctx, q)
				if err != nil {
					require.Equal(t, chain.NotFound, chain.KindOf(err), err)
					continue
				}
				require.True(t, found.Shard == q.Shard || found.Workchain == 0)
			}

			p, err := c.ShardBlockProof(ctx, top, head)
			require.NoError(t, err)
			require.Equal(t, head, p.From)
			require.LessOrEqual(t, p.Master.Seqno, seqno)
			require.Equal(t, top, p.Links[len(p.Links)-1].ID)
			require.Equal(t, p.Master == head, p.Back == nil)
			if p.Master.Seqno > 1 {
				old, err := c.MasterBlockID(ctx, p.Master.Seqno-1)
				require.NoError(t, err)
				_, err = c.ShardBlockProof(ctx, top, old)
				require.Equal(t, chain.Invalid, chain.KindOf(err))
			}
		}
		same, err := c.ShardBlockProof(ctx, master, head)
		require.NoError(t, err)
		require.Equal(t, master, same.Master)
		require.Empty(t, same.Links)
	}
	require.Greater(t, len(shards), 2)
	_, err = c.FindBlock(ctx, chain.BlockSearch{Shard: chain.FullShard, Seqno: new(uint32(1 << 30))})
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	require.Zero(t, c.States()[0].Failures)
}

// Signatures are those of the block's validators; queue sizes cover every shard.
func TestQueries_SignaturesAndQueueSizesAreComplete(t *testing.T) {
	t.Parallel()
	d := busy(t)
	c := open(t, d.config, slow)
	ctx := within(t, time.Minute)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	for _, seqno := range []uint32{1, 2, head.Seqno / 2, head.Seqno} {
		b, err := c.BlockSignatures(ctx, seqno)
		require.NoError(t, err)
		require.Equal(t, seqno, b.ID.Seqno)
		require.NotEmpty(t, b.Signatures)
		for _, s := range b.Signatures {
			require.Len(t, s.Signature, 64)
			require.False(t, s.NodeIDShort.IsZero())
		}
	}
	_, err = c.BlockSignatures(ctx, head.Seqno+1000)
	require.Equal(t, chain.NotFound, chain.KindOf(err))

	sizes, err := c.QueueSizes(ctx)
	require.NoError(t, err)
	require.True(t, sizes.Shards[0].ID.IsMaster())
	tops, err := c.Shards(ctx, sizes.Shards[0].ID)
	require.NoError(t, err)
	require.Len(t, sizes.Shards, len(tops)+1)
	require.Equal(t, uint32(8000), sizes.Limit)
}

// The client reads a history in parts, down to the first transaction. An LT and hash of no transaction are not found.
func TestHistory_EndsAtTheFirstTransaction(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	d := newDevnet(t, 3)
	for range 20 {
		d.pay(t, addresses(1)...)
	}
	c := open(t, d.config)
	ctx := within(t, time.Minute)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	faucet := addressOf(d.faucet.Address)
	acc, err := c.Account(ctx, head, faucet)
	require.NoError(t, err)
	last := chain.TransactionRef{LT: acc.LastTxLT, Hash: acc.LastTxHash}
	all, err := c.History(ctx, faucet, last, 1000)
	require.NoError(t, err)
	require.Len(t, all, 20)
	part, err := c.History(ctx, faucet, last, 18)
	require.NoError(t, err)
	require.Len(t, part, 18)
	require.Equal(t, all[17].Root.Hash(), part[17].Root.Hash())
	_, err = c.History(ctx, faucet, chain.TransactionRef{LT: last.LT, Hash: chain.Hash{1}}, 5)
	require.Equal(t, chain.NotFound, chain.KindOf(err), err)
}

// With a lying and an honest server, the client returns the response of the honest one.
func TestClient_HonestResponseWinsOverALyingServer(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault nodetest.Fault
		query func(t *testing.T, d *devnet, c *node.Client)
	}{
		"history of another account": {swapHistory(), func(t *testing.T, d *devnet, c *node.Client) {
			t.Helper()
			acc, err := c.Account(within(t, time.Minute), d.head(), addressOf(d.faucet.Address))
			require.NoError(t, err)
			got, err := c.History(within(t, time.Minute), addressOf(d.faucet.Address), chain.TransactionRef{LT: acc.LastTxLT, Hash: acc.LastTxHash}, 2)
			require.NoError(t, err)
			require.Equal(t, acc.LastTxHash[:], got[0].Root.Hash())
		}},
		"foreign lookup": {nodetest.ForeignLookup(), func(t *testing.T, d *devnet, c *node.Client) {
			t.Helper()
			found, err := c.FindBlock(within(t, time.Minute), chain.BlockSearch{Shard: chain.FullShard, Seqno: new(uint32(3))})
			require.NoError(t, err)
			committed, err := d.chain.BySeqno(0, -1<<63, 3)
			require.NoError(t, err)
			require.Equal(t, idOf(committed.ID), found)
		}},
		"header of another block in a link": {otherDestination(), func(t *testing.T, d *devnet, c *node.Client) {
			t.Helper()
			ctx := within(t, time.Minute)
			committed, err := d.chain.BySeqno(-1, -1<<63, 3)
			require.NoError(t, err)
			id := idOf(committed.ID)
			got, err := c.ShardBlockProof(ctx, id, d.head())
			require.NoError(t, err)
			header, err := cell.FromBOC(got.Back.DestProof)
			require.NoError(t, err)
			_, err = ton.CheckBlockProof(header, id.RootHash[:])
			require.NoError(t, err)
		}},
		"repeated out-queues": {repeatedQueues(), func(t *testing.T, _ *devnet, c *node.Client) {
			t.Helper()
			got, err := c.QueueSizes(within(t, time.Minute))
			require.NoError(t, err)
			require.Len(t, got.Shards, 2, "masterchain and one shard")
		}},
		"signatures": {nodetest.WrongBlockProof(), func(t *testing.T, d *devnet, c *node.Client) {
			t.Helper()
			got, err := c.BlockSignatures(within(t, time.Minute), d.head().Seqno)
			require.NoError(t, err)
			require.NotEmpty(t, got.Signatures)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 6)
			d.pay(t, addresses(1)...)
			d.pay(t, addresses(2)...)
			faulty, honest := d.proxy(t), d.proxy(t)
			c := open(t, d.through(faulty, honest))
			eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
			faulty.Break(tc.fault)
			eventually(t, "the liar is set aside", func() bool {
				tc.query(t, d, c)
				return !c.States()[0].Usable
			})
			require.Zero(t, c.States()[1].Failures)
		})
	}
}

// otherDestination puts the header of the newer block into links to older blocks.
func otherDestination() nodetest.Fault {
	return nodetest.Falsify(func(a ton.PartialBlockProof) tl.Serializable {
		for i, step := range a.Steps {
			if l, ok := step.(ton.BlockLinkBackward); ok {
				l.DestProof = l.Proof
				a.Steps[i] = l
			}
		}
		return a
	})
}

// repeatedQueues lists the out-queues of shards more than once.
func repeatedQueues() nodetest.Fault {
	return nodetest.Falsify(func(a ton.OutMsgQueueSizes) tl.Serializable {
		for range 1000 {
			a.Shards = append(a.Shards, a.Shards[len(a.Shards)-1])
		}
		return a
	})
}

// swapHistory reverses a list of transactions.
func swapHistory() nodetest.Fault {
	return nodetest.Falsify(func(a ton.TransactionList) tl.Serializable {
		roots, err := cell.FromBOCMultiRoot(a.Transactions)
		if err != nil || len(roots) < 2 {
			return a
		}
		roots[0], roots[1] = roots[1], roots[0]
		a.Transactions = cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{})
		return a
	})
}

func toTL(id chain.BlockIDExt) *ton.BlockIDExt {
	return &ton.BlockIDExt{
		Workchain: id.Workchain, Shard: int64(id.Shard), SeqNo: id.Seqno, RootHash: id.RootHash[:], FileHash: id.FileHash[:],
	}
}
