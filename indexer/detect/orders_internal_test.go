package detect

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

func TestPayload_TooLargeOnesAreLeftOut(t *testing.T) {
	t.Parallel()
	chained := func(cells int) *cell.Cell {
		c := cell.BeginCell().EndCell()
		for i := range cells {
			c = cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreSlice(make([]byte, 119), 119*8).MustStoreRef(c).EndCell()
		}
		return c
	}
	stored := chained(490)
	require.Equal(t, stored.ToBOC(), []byte(payload(stored)))
	require.Greater(t, len(payload(stored)), 60_000)
	require.Nil(t, payload(chained(510)))
	require.Nil(t, payload(nil))
}
