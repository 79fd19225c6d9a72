package ledger

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

func TestFade_MatchesTheExponential(t *testing.T) {
	t.Parallel()
	const one = uint64(1) << 32
	require.Equal(t, one, fade(one, fade2048, 0))
	for _, seconds := range []uint32{1, 7, 2048, 5000, 65536} {
		require.InDelta(t, float64(one)*math.Exp(-float64(seconds)/2048), float64(fade(one, fade2048, seconds)), 40)
		require.InDelta(t, float64(one)*math.Exp(-float64(seconds)/65536), float64(fade(one, fade65536, seconds)), 40)
	}
	require.Zero(t, fade(one, fade2048, math.MaxUint32))
}

// TestCreateStats_CountBlocksPerValidator counts one masterchain and one shard block per round, under the
// validator's key and under the zero key.
func TestCreateStats_CountBlocksPerValidator(t *testing.T) {
	t.Parallel()
	var c *Chain
	c = openChain(t, Options{Clock: roundClock(&c)})
	mine(t, c, 5)
	st, err := layout.ParseState(c.mcTip.root)
	require.NoError(t, err)
	extra, err := layout.ParseMcExtra(st.Extra)
	require.NoError(t, err)
	s := extra.CreateStats.MustBeginParse()
	require.Equal(t, uint64(tagCreateStats), s.MustLoadUInt(8))
	dict := s.MustLoadDict(256)
	for _, creator := range [][]byte{make([]byte, 32), c.validator()} {
		v, err := dict.LoadValue(cell.BeginCell().MustStoreSlice(creator, 256).EndCell())
		require.NoError(t, err)
		require.Equal(t, uint64(4), v.MustLoadUInt(4))
		for range 2 {
			n, err := loadCounter(v)
			require.NoError(t, err)
			require.Equal(t, uint64(5), n.total)
			require.Equal(t, uint32(genesisTime+4), n.updated)
			require.Less(t, n.cnt2048, n.cnt65536)
		}
	}
}
