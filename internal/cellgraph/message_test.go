package cellgraph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/cellgraph/cellgraphtest"
)

func TestCheckMessage_BoundsItsDictionaries(t *testing.T) {
	t.Parallel()
	to := address.NewAddress(0, 0, make([]byte, 32))
	leaf := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(cell.BeginCell().EndCell())
	libraries := func(keys uint) *tlb.StateInit {
		return &tlb.StateInit{Code: cell.BeginCell().EndCell(), Lib: wide(keys, leaf).AsDict(256)}
	}
	currencies := func(keys uint) *cell.Dictionary {
		return cellgraphtest.Dict(keys, cell.BeginCell().MustStoreUInt(0, 5)).AsDict(32)
	}
	body := cellgraphtest.Shared(500, nil) // no parser walks it
	for name, m := range map[string]any{
		"libraries of an external message":  &tlb.ExternalMessage{DstAddr: to, StateInit: libraries(256), Body: body},
		"libraries of an internal message":  &tlb.InternalMessage{SrcAddr: to, DstAddr: to, StateInit: libraries(256), Body: body},
		"currencies of an internal message": &tlb.InternalMessage{SrcAddr: to, DstAddr: to, ExtraCurrencies: currencies(32), Body: body},
	} {
		c, err := tlb.ToCell(m)
		require.NoError(t, err, name)
		require.ErrorIs(t, cellgraph.CheckMessage(c), cellgraph.ErrTooManyEntries, name)
		require.Error(t, cellgraph.CheckExecution(c, cellgraph.MaxVisits), name)
	}
	for name, m := range map[string]any{
		"external-in":  &tlb.ExternalMessage{DstAddr: to, Body: body},
		"external-out": &tlb.ExternalMessageOut{SrcAddr: to, Body: body},
		"internal": &tlb.InternalMessage{
			SrcAddr: to, DstAddr: to, Amount: tlb.FromNanoTONU(1), Body: body,
			ExtraCurrencies: dictionary(t, 32, cell.BeginCell().MustStoreUInt(0, 5).EndCell()),
			StateInit:       &tlb.StateInit{Lib: dictionary(t, 256, leaf.EndCell())},
		},
	} {
		c, err := tlb.ToCell(m)
		require.NoError(t, err, name)
		require.NoError(t, cellgraph.CheckMessage(c), name)
		var many *cellgraph.TooManyVisitsError
		require.ErrorAs(t, cellgraph.CheckExecution(c, cellgraph.MaxVisits), &many, name)
	}
	// 8192 entries are within the limit of visits, but over the limit of entries.
	between, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: to, StateInit: libraries(13), Body: cell.BeginCell().EndCell()})
	require.NoError(t, err)
	require.ErrorIs(t, cellgraph.CheckExecution(between, cellgraph.MaxVisits), cellgraph.ErrTooManyEntries)
	require.NoError(t, cellgraph.CheckExecution(nil, 1))
	active := tlb.AccountStorage{StateInit: libraries(256)}
	require.ErrorIs(t, cellgraph.CheckAccount(&tlb.AccountState{AccountStorage: active}), cellgraph.ErrTooManyEntries)
	require.ErrorIs(t, cellgraph.CheckAccount(&tlb.AccountState{
		AccountStorage: tlb.AccountStorage{ExtraCurrencies: currencies(32)},
	}), cellgraph.ErrTooManyEntries)
	require.NoError(t, cellgraph.CheckAccount(&tlb.AccountState{AccountStorage: tlb.AccountStorage{StateInit: &tlb.StateInit{}}}))
	require.NoError(t, cellgraph.CheckAccount(nil))
	require.NoError(t, cellgraph.CheckMessage(nil))
	require.NoError(t, cellgraph.CheckMessage(cell.BeginCell().EndCell()))
}

// wide makes a dictionary of 2^keys entries; the other bits of their keys are zero.
func wide(keys uint, value *cell.Builder) *cell.Cell {
	d := cellgraphtest.Dict(keys, value)
	if keys == 256 {
		return d
	}
	root := d.MustBeginParse()
	root.MustLoadUInt(2)
	label := cell.BeginCell().MustStoreUInt(0b110, 3).MustStoreUInt(uint64(256-keys), 9) // hml_same
	return label.MustStoreRef(root.MustLoadRef().MustToCell()).MustStoreRef(root.MustLoadRef().MustToCell()).EndCell()
}

func dictionary(t *testing.T, keyBits uint, value *cell.Cell) *cell.Dictionary {
	t.Helper()
	d := cell.NewDict(keyBits)
	for i := range uint64(100) {
		require.NoError(t, d.Set(cell.BeginCell().MustStoreSlice(make([]byte, 32), keyBits-8).MustStoreUInt(i, 8).EndCell(), value))
	}
	return d
}
