package node_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
)

// laterMaster proves a shard block by the masterchain block that commits its child. All links are valid.
func laterMaster(t *testing.T, d *devnet) nodetest.Fault {
	t.Helper()
	return func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		q, ok := query.(ton.GetShardBlockProof)
		if !ok {
			return next(ctx, query)
		}
		child, err := d.chain.BySeqno(q.ID.Workchain, q.ID.Shard, q.ID.SeqNo+1)
		if err != nil {
			return next(ctx, query)
		}
		proof, err := cell.CreateMerkleProof(child.Root)
		if err != nil {
			return next(ctx, query)
		}
		response, ok := next(ctx, ton.GetShardBlockProof{ID: &child.ID}).(ton.ShardBlockProof)
		if !ok {
			return next(ctx, query)
		}
		response.Links = append(response.Links, ton.ShardBlockLink{ID: q.ID, Proof: proof.ToBOC()})
		return response
	}
}

func TestShardBlockProof_IsByTheBlockThatCommits(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 20)
	faulty, honest := d.proxy(t), d.proxy(t)
	c := open(t, d.through(faulty, honest))
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	faulty.Break(laterMaster(t, d))
	ctx := within(t, time.Minute)
	seqno := uint32(0)
	eventually(t, "the server is set aside", func() bool {
		seqno = seqno%10 + 1
		committed, err := d.chain.BySeqno(0, -1<<63, seqno)
		require.NoError(t, err)
		id := idOf(committed.ID)
		got, err := c.ShardBlockProof(ctx, id, d.head())
		require.NoError(t, err)
		tops, err := c.Shards(ctx, got.Master)
		require.NoError(t, err)
		require.Contains(t, tops, id, "each masterchain block of this chain commits one block of the shard")
		return !c.States()[0].Usable
	})
	require.Contains(t, c.States()[0].SetAside, "which did not commit it")
	require.Zero(t, c.States()[1].Failures)
}

// A link from a shard block shows its header with the parents. What a proof leaves out is no parent.
func TestShardLink_PartsThatAreCutOffShowNothing(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 6)
	child, err := d.chain.BySeqno(0, -1<<63, 3)
	require.NoError(t, err)
	parent, err := d.chain.BySeqno(0, -1<<63, 2)
	require.NoError(t, err)
	at := idOf(child.ID)
	proof, err := cell.CreateMerkleProof(child.Root)
	require.NoError(t, err)
	require.NoError(t, node.CheckShardLink(at, idOf(parent.ID), proof.ToBOC()))
	require.ErrorContains(t, node.CheckShardLink(at, at, proof.ToBOC()), "does not follow")

	nothing := chain.BlockIDExt{BlockID: chain.BlockID{Shard: chain.FullShard}}
	for name, path := range map[string][]int{"header": {0}, "parents": {0, 1}, "block": {}} {
		body, err := cell.CreateMerkleProof(replacedAt(proof.MustPeekRef(0), cellgraphtest.Branch, path...))
		require.NoError(t, err)
		cut := body.ToBOC()
		require.Error(t, node.CheckShardLink(at, idOf(parent.ID), cut), name)
		require.Error(t, node.CheckShardLink(at, nothing, cut), name)
	}
	require.Error(t, node.CheckShardLink(idOf(parent.ID), at, proof.ToBOC()), "the proof of another block")
	other := at
	other.Seqno++
	require.Error(t, node.CheckShardLink(other, idOf(parent.ID), proof.ToBOC()), "a block of another place")
}
