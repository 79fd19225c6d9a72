package v2_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
	v2 "tonql/rest/v2"
)

// Bags of cells of every size, with and without a checksum, are printed with a checksum. Bytes that are not a bag of
// cells are printed unchanged.
func TestAppendBag_AddsTheChecksum(t *testing.T) {
	t.Parallel()
	root := cell.BeginCell().MustStoreUInt(1, 8).EndCell()
	for depth := range 600 { // cell numbers and offsets of one byte and of two
		root = cell.BeginCell().MustStoreUInt(uint64(depth), 64).MustStoreRef(root).EndCell()
		if depth%37 != 0 && depth != 599 {
			continue
		}
		want := `"` + base64.StdEncoding.EncodeToString(root.ToBOC()) + `"`
		bag := root.ToBOCWithOptions(cell.BOCSerializeOptions{})
		given := string(bag)
		require.Equal(t, want, string(v2.AppendBag(nil, bag)), "depth %d", depth)
		require.Equal(t, given, string(bag), "the input must not be modified")
		require.Equal(t, want, string(v2.AppendBag(nil, root.ToBOC())))
		indexed := root.ToBOCWithOptions(cell.BOCSerializeOptions{WithIndex: true})
		require.Equal(t, want, string(v2.AppendBag(nil, indexed)))
	}
	require.Equal(t, `""`, string(v2.AppendBag(nil, nil)))
	require.Equal(t, `"AQI="`, string(v2.AppendBag(nil, chain.BOC{1, 2})))
}

func TestAddressInformation_DataWithoutCodeIsLeftOut(t *testing.T) {
	t.Parallel()
	bag := chain.BOC(cell.BeginCell().MustStoreUInt(7, 32).EndCell().ToBOC())
	at := &resolvers.AccountAt{WalletState: resolvers.WalletState{AccountState: chain.AccountState{Status: chain.Active, DataBOC: bag}}}
	require.Equal(t, `,"code":"","data":"","frozen_hash":"","state":"uninitialized"`, string(v2.AppendState(nil, at)))
	at.CodeBOC = bag
	require.Contains(t, string(v2.AppendState(nil, at)), `"state":"active"`)
	require.NotContains(t, string(v2.AppendState(nil, at)), `"data":""`)
}
