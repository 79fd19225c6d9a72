package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
)

func TestLoadBounced_ReadsTheOriginalBodyInBothForms(t *testing.T) {
	t.Parallel()
	more := cell.BeginCell().MustStoreUInt(9, 8).EndCell()
	original := cell.BeginCell().MustStoreUInt(0x178d4519, 32).MustStoreUInt(7, 64).MustStoreRef(more)
	info := cell.BeginCell().MustStoreCoins(5).MustStoreBoolBit(false).MustStoreUInt(6, 64).MustStoreUInt(8, 32).EndCell()
	newForm := func(b *cell.Cell) *cell.Cell {
		return cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreRef(b).MustStoreRef(info).
			MustStoreUInt(1, 8).MustStoreInt(-14, 32).MustStoreBoolBit(false).EndCell()
	}
	root := cell.BeginCell().MustStoreUInt(0x178d4519, 32).MustStoreUInt(7, 64)
	for name, body := range map[string]*cell.Cell{
		"old":                 cell.BeginCell().MustStoreUInt(contract.OpBounce, 32).MustStoreBuilder(root).EndCell(),
		"new, root":           newForm(root.EndCell()),
		"new, complete":       newForm(original.EndCell()),
		"new, not to its end": cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreRef(original.EndCell()).EndCell(),
	} {
		l := contract.LoadBounced(body)
		require.EqualValues(t, 0x178d4519, l.Uint(32), name)
		require.EqualValues(t, 7, l.Uint(64), name)
		require.NoError(t, l.Err(), name)
	}
}

func TestLoadBounced_OtherBodiesAreErrors(t *testing.T) {
	t.Parallel()
	library := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256)
	special, err := library.EndCellSpecial(true)
	require.NoError(t, err)
	for name, body := range map[string]*cell.Cell{
		"none":              nil,
		"empty":             cell.BeginCell().EndCell(),
		"31 bits":           cell.BeginCell().MustStoreUInt(0x7fffffff, 31).EndCell(),
		"another opcode":    cell.BeginCell().MustStoreUInt(0xfffffffd, 32).MustStoreUInt(1, 32).EndCell(),
		"without reference": cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreUInt(1, 64).EndCell(),
		"special original":  cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreRef(special).EndCell(),
		"special":           special,
	} {
		l := contract.LoadBounced(body)
		require.Error(t, l.Err(), name)
		require.Zero(t, l.Uint(32), name)
	}
	// The reader of an empty original body fails at its first field.
	l := contract.LoadBounced(cell.BeginCell().MustStoreUInt(contract.OpNewBounce, 32).MustStoreRef(cell.BeginCell().EndCell()).EndCell())
	require.NoError(t, l.Err())
	l.Uint(32)
	require.Error(t, l.Err())
}
