package cellgraph_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
)

// Whatever the program, the cells are valid, and most programs change them.
func TestMutate_MakesValidCells(t *testing.T) {
	t.Parallel()
	root := cell.BeginCell().MustStoreUInt(9, 100).MustStoreRef(leaves()).MustStoreRef(cellgraphtest.Shared(20, nil)).EndCell()
	require.Equal(t, root.HashKey(), cellgraphtest.Mutate(root, nil).HashKey())
	random := rand.New(rand.NewPCG(1, 1))
	changed, exotic := 0, 0
	for range 3000 {
		program := make([]byte, cellgraphtest.MutationSize*(1+random.IntN(6)))
		for i := range program {
			program[i] = byte(random.Uint32())
		}
		made := cellgraphtest.Mutate(root, program)
		parsed, err := cell.FromBOC(made.ToBOC())
		require.NoError(t, err)
		require.Equal(t, made.HashKey(), parsed.HashKey())
		if made.HashKey() != root.HashKey() {
			changed++
		}
		if made.Level() == 0 {
			require.NoError(t, cellgraph.CheckLevels(parsed))
		} else {
			exotic++
			require.ErrorIs(t, cellgraph.CheckLevels(parsed), cellgraph.ErrRootLevel)
		}
	}
	require.Greater(t, changed, 2000)
	require.NotZero(t, exotic)
}
