package resolvers

import (
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract/getmethod"
)

func TestParseCell_BoundsTheCellsOfAParameter(t *testing.T) {
	t.Parallel()
	// A tree with n leaves, each another cell.
	tree := func(n int) string {
		row := make([]*cell.Cell, n)
		for i := range row {
			row[i] = cell.BeginCell().MustStoreUInt(uint64(i), 32).EndCell()
		}
		for len(row) > 1 {
			var up []*cell.Cell
			for i := 0; i < len(row); i += 4 {
				b := cell.BeginCell()
				for _, c := range row[i:min(i+4, len(row))] {
					b.MustStoreRef(c)
				}
				up = append(up, b.EndCell())
			}
			row = up
		}
		return base64.StdEncoding.EncodeToString(row[0].ToBOC())
	}
	_, err := ParseCell("body", tree(1000))
	require.NoError(t, err)
	_, err = ParseCell("body", tree(66_000))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	complete := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	_, err = ParseCell("body", base64.StdEncoding.EncodeToString(cellgraphtest.Hidden(complete)))
	require.Equal(t, chain.Invalid, chain.KindOf(err), "pruned cells")
}

// A list is printed flat, however long it is.
func TestAppendStack_LongListsArePrintedFlat(t *testing.T) {
	t.Parallel()
	var list any
	for range 8000 {
		list = []any{big.NewInt(7), list}
	}
	printed, err := AppendStack(nil, []any{list})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(printed), `"list"`))
	require.Equal(t, 8000, strings.Count(string(printed), `"num"`))
	values := getmethod.Print(nil, []any{list})
	require.Equal(t, "list", values[0].Type)
	require.Len(t, values[0].Items, 8000)
}
