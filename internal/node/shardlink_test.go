package node_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/node"
)

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
