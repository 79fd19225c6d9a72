package cellgraph_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
)

// The walks of tonutils-go that must visit each distinct cell once: bags of cells written and read, proofs, hashes. A graph of
// shared cells costs little more than a chain of as many cells. TONQL_MEASURE prints the times.
func TestLibraryWalks_VisitEachCellOnce(t *testing.T) {
	t.Parallel()
	for name, walk := range libraryWalks(t) {
		for _, levels := range cellgraphtest.Levels {
			began := time.Now()
			row, rowBytes := measured(func() { walk(cellgraphtest.Chain(levels, nil)) })
			dag, dagBytes := measured(func() { walk(cellgraphtest.Shared(levels, nil)) })
			// A tree of 100 levels would not end. 50 MB and a second are the aim's order of magnitude.
			require.Less(t, time.Since(began), 10*time.Second, name)
			if os.Getenv("TONQL_MEASURE") != "" {
				t.Logf("%-24s %3d levels: in a row %8s %7d B, shared %8s %7d B", name, levels, row, rowBytes, dag, dagBytes)
			}
		}
	}
}

func libraryWalks(t *testing.T) map[string]func(*cell.Cell) {
	t.Helper()
	return map[string]func(*cell.Cell){
		"ToBOC": func(c *cell.Cell) { require.NotEmpty(t, c.ToBOC()) },
		"ToBOC, all": func(c *cell.Cell) {
			require.NotEmpty(t, c.ToBOCWithOptions(cell.BOCSerializeOptions{
				WithCRC32C: true, WithIndex: true, WithCacheBits: true, WithTopHash: true, WithIntHashes: true,
			}))
		},
		"FromBOC": func(c *cell.Cell) {
			again, err := cell.FromBOC(c.ToBOC())
			require.NoError(t, err)
			require.Equal(t, c.HashKey(), again.HashKey())
		},
		"Merkle proof": func(c *cell.Cell) {
			b := cell.NewMerkleProofBuilder(c)
			at := b.Root()
			for at.RefsNum() > 0 {
				ref, err := at.MustBeginParse().LoadRefCell()
				require.NoError(t, err)
				at = ref
			}
			proof, err := b.CreateProof()
			require.NoError(t, err)
			require.NoError(t, cell.CheckProof(proof, c.Hash()))
			require.NotEmpty(t, proof.ToBOC())
		},
		"hashes": func(c *cell.Cell) { require.NotZero(t, c.HashKey()) },
		"Visits": func(c *cell.Cell) { require.NotZero(t, cellgraph.Visits(c, cellgraph.MaxVisits)) },
		"Count": func(c *cell.Cell) {
			_, _, err := cellgraph.Count(c, 1000)
			require.NoError(t, err)
		},
	}
}

// measured returns the duration of f and the bytes it allocates, which include those of tests that run at the same time.
func measured(f func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	f()
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	return took, after.TotalAlloc - before.TotalAlloc
}
