package contract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
)

func TestParseRelaxed_ReadsInternalMessagesOnly(t *testing.T) {
	t.Parallel()
	to := address.MustParseRawAddr("0:1111111111111111111111111111111111111111111111111111111111111111")
	body := cell.BeginCell().MustStoreUInt(0xdeadbeef, 32).EndCell()
	code := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	for name, m := range map[string]*tlb.InternalMessage{
		"plain":        {DstAddr: to, Amount: tlb.FromNanoTONU(5), Body: body},
		"with a state": {DstAddr: to, Amount: tlb.FromNanoTONU(5), StateInit: &tlb.StateInit{Code: code, Data: code}, Body: body},
		"empty body":   {DstAddr: to, Amount: tlb.FromNanoTONU(5), Body: cell.BeginCell().EndCell()},
	} {
		c, err := tlb.ToCell(m)
		require.NoError(t, err, name)
		got, err := contract.ParseRelaxed(c)
		require.NoError(t, err, name)
		require.Equal(t, "0:1111111111111111111111111111111111111111111111111111111111111111", strings.ToLower(got.Destination.String()), name)
		require.EqualValues(t, 5, got.Value.Uint64(), name)
		require.Equal(t, m.Body.Hash(), got.Body.Hash(), name)

		_, err = contract.ParseRelaxed(cell.BeginCell().MustStoreBoolBit(true).MustStoreBuilder(c.ToBuilder()).EndCell())
		require.Error(t, err, "%s: an external message", name)
	}
	c, err := tlb.ToCell(&tlb.InternalMessage{DstAddr: to, Body: cell.BeginCell().MustStoreSlice(make([]byte, 120), 960).EndCell()})
	require.NoError(t, err)
	_, err = contract.ParseRelaxed(c.ToBuilder().MustStoreRef(code).EndCell())
	require.Error(t, err, "data after the body")
	_, err = contract.ParseRelaxed(nil)
	require.Error(t, err)
}
