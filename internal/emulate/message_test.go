package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/emulate"
)

// A message whose cells are pruned, behind a cell that claims to be complete, has the hash of the complete message. The network refuses it,
// and here it must not take the place of the complete one.
func TestParseExternal_MessageWithHiddenCellsIsRefused(t *testing.T) {
	t.Parallel()
	body := cell.BeginCell().MustStoreUInt(1, 32).MustStoreRef(cell.BeginCell().MustStoreUInt(2, 64).EndCell()).EndCell()
	message, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: address.NewAddress(0, 0, make([]byte, 32)), Body: body})
	require.NoError(t, err)
	m, err := emulate.ParseExternal(message.ToBOC())
	require.NoError(t, err)
	require.Equal(t, chain.Hash(message.HashKey()), m.Hash)

	for mask := range byte(8) {
		_, err = emulate.ParseExternal(cellgraphtest.WithLevel(message, mask))
		require.Equal(t, chain.Invalid, chain.KindOf(err), "mask %d: %v", mask, err)
		require.ErrorContains(t, err, "is not a bag of cells")
	}
}

// What a client reads names its mistake, not the steps of a decoder.
func TestParseExternal_CellWithoutAMessageIsRefusedWithOneSentence(t *testing.T) {
	t.Parallel()
	_, err := emulate.ParseExternal(cell.BeginCell().EndCell().ToBOC())
	require.Equal(t, "boc is not a message that a transaction can begin with", chain.PublicMessage(err))
}
