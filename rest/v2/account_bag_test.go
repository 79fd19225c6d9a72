package v2_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	v2 "tonql/rest/v2"
)

// A bag without a checksum is printed as its cells serialized anew, whatever its size; one that has a checksum, too; and
// bytes that are no bag as they are.
func TestBagsGetTheirChecksum(t *testing.T) {
	t.Parallel()
	root := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	for depth := range 600 { // cell numbers and offsets of one byte and of two
		root = cell.BeginCell().MustStoreUInt(uint64(depth), 64).MustStoreRef(root).EndCell()
		if depth%37 != 0 && depth != 599 {
			continue
		}
		want := `"` + base64.StdEncoding.EncodeToString(root.ToBOC()) + `"`
		bare := root.ToBOCWithOptions(cell.BOCSerializeOptions{})
		given := string(bare)
		require.Equal(t, want, string(v2.AppendBag(nil, bare)), "depth %d", depth)
		require.Equal(t, given, string(bare), "what the index gave is left alone")
		require.Equal(t, want, string(v2.AppendBag(nil, root.ToBOC())))
		indexed := root.ToBOCWithOptions(cell.BOCSerializeOptions{WithIndex: true})
		require.Equal(t, want, string(v2.AppendBag(nil, indexed)))
	}
	require.Equal(t, `""`, string(v2.AppendBag(nil, nil)))
	require.Equal(t, `"AQI="`, string(v2.AppendBag(nil, chain.BOC{1, 2})))
}
