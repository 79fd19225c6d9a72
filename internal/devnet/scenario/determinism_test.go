package scenario

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// ids returns the names and hashes of all blocks.
func (w *testChain) ids() []string {
	w.t.Helper()
	var list []string
	for _, b := range w.blocks(1) {
		list = append(list, fmt.Sprintf("%d:%016x:%d %x %x", b.ID.Workchain, uint64(b.ID.Shard), b.ID.SeqNo, b.ID.RootHash[:8], b.ID.FileHash[:8]))
	}
	return list
}

func TestScenario_SameSeedMakesTheSameChain(t *testing.T) {
	t.Parallel()
	blocks := 120
	if pacetest.Short() {
		blocks = 60
	}
	opts := Options{ActionsPerMinute: 180}
	first := newTestChain(t, "", opts)
	first.mine(blocks)
	want := first.ids()
	require.NotEmpty(t, want)

	second := newTestChain(t, "", opts)
	second.mine(blocks)
	requireSame(t, want, second.ids())

	// A restart amid the split shards changes nothing. Waiting messages do not survive it, so the last batch is sent
	// again, as Run does.
	third := newTestChain(t, t.TempDir(), opts)
	third.mine(50)
	third.restart()
	require.NoError(t, third.play.Step(t.Context(), 50))
	third.mine(blocks - 50)
	requireSame(t, want, third.ids())
}

// requireSame fails with the first block that differs.
func requireSame(t *testing.T, want, got []string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "block %d of %d", i, len(want))
	}
}

func TestScenario_OtherRateMakesAnotherChain(t *testing.T) {
	t.Parallel()
	one, two := newTestChain(t, "", Options{ActionsPerMinute: 60}), newTestChain(t, "", Options{ActionsPerMinute: 120})
	one.mine(30)
	two.mine(30)
	require.NotEqual(t, one.ids(), two.ids())
}
