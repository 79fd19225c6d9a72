package cellgraph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
)

func leaves() *cell.Cell {
	a := cell.BeginCell().MustStoreUInt(1, 64).EndCell()
	b := cell.BeginCell().MustStoreUInt(2, 3).MustStoreRef(a).EndCell()
	return cell.BeginCell().MustStoreUInt(3, 13).MustStoreRef(a).MustStoreRef(b).EndCell()
}

// A cell that claims to be complete while its references are pruned has the hash of the complete one in the library. If this test fails
// because the library refuses it, the functions that it tests are no longer needed.
func TestFromBOC_RefusesCellsThatHideTheirReferences(t *testing.T) {
	t.Parallel()
	complete := leaves()
	hidden := cellgraphtest.HiddenCell(complete)
	require.Equal(t, complete.HashKey(), hidden.HashKey(), "the library")
	require.Zero(t, hidden.Level(), "the library")

	for mask := range byte(8) {
		_, err := cellgraph.FromBOC(cellgraphtest.WithLevel(complete, mask))
		if mask == 1 {
			require.ErrorIs(t, err, cellgraph.ErrRootLevel)
			continue
		}
		require.ErrorIs(t, err, cellgraph.ErrLevel, "mask %d", mask)
	}
	_, err := cellgraph.FromBOCMultiRoot(cellgraphtest.Hidden(complete))
	require.ErrorIs(t, err, cellgraph.ErrLevel)
	_, err = cellgraph.FromBOCWithOptions(cellgraphtest.Hidden(complete), cell.BOCParseOptions{NoCopyPayload: true, Lazy: true})
	require.ErrorIs(t, err, cellgraph.ErrLevel)
}

// The complete cell stands beside the one that hides its references: both have the same hash.
func TestCheckLevels_VisitsCellsOfEqualHash(t *testing.T) {
	t.Parallel()
	complete := leaves()
	hidden := cellgraphtest.HiddenCell(complete)
	require.NoError(t, cellgraph.CheckLevels(nil, complete))
	above, err := cell.FromBOC(cellgraphtest.WithLevel(complete, 1))
	require.NoError(t, err)
	require.ErrorIs(t, cellgraph.CheckLevels(above), cellgraph.ErrRootLevel)
	require.ErrorIs(t, cellgraph.CheckLevels(complete, nil, hidden), cellgraph.ErrLevel)
	for _, refs := range [][2]*cell.Cell{{complete, hidden}, {hidden, complete}} {
		above := cell.BeginCell().MustStoreRef(refs[0]).MustStoreRef(refs[1]).EndCell()
		require.ErrorIs(t, cellgraph.CheckLevels(above), cellgraph.ErrLevel)
	}
	for _, levels := range cellgraphtest.Levels {
		require.NoError(t, cellgraph.CheckLevels(cellgraphtest.Shared(levels, nil)))
	}
}

// Pruned branches below a Merkle proof have their levels, and contracts may have such cells.
func TestFromBOC_AcceptsProofs(t *testing.T) {
	t.Parallel()
	above, err := cell.FromBOC(cellgraphtest.WithLevel(leaves(), 1))
	require.NoError(t, err)
	proof, err := cell.CreateMerkleProof(above)
	require.NoError(t, err)
	root := cell.BeginCell().MustStoreRef(proof).MustStoreRef(leaves()).EndCell()
	require.Zero(t, root.Level())
	parsed, err := cellgraph.FromBOC(root.ToBOC())
	require.NoError(t, err)
	require.Equal(t, root.HashKey(), parsed.HashKey())
	require.NoError(t, cellgraph.CheckLevels(root))
	two, err := cellgraph.FromBOCMultiRoot(cell.ToBOCWithOptions([]*cell.Cell{root, proof}, cell.BOCSerializeOptions{}))
	require.NoError(t, err)
	require.Len(t, two, 2)
	_, err = cellgraph.FromBOC(cell.ToBOCWithOptions([]*cell.Cell{root, proof}, cell.BOCSerializeOptions{}))
	require.Error(t, err)
}
