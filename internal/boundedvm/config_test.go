package boundedvm_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
)

// sizeLimitsV3 builds size_limits_config_v3#03 with the default limits, but for the cells of an account. short leaves out
// what v3 added and writes size_limits_config_v2#02.
func sizeLimitsV3(accountCells uint64, loads *uint32, short bool) *cell.Cell {
	tag := uint64(3)
	if short {
		tag = 2
	}
	b := cell.BeginCell().MustStoreUInt(tag, 8).
		MustStoreUInt(1<<21, 32).MustStoreUInt(1<<13, 32).MustStoreUInt(1000, 32).MustStoreUInt(512, 16).
		MustStoreUInt(65535, 32).MustStoreUInt(512, 16).
		MustStoreUInt(accountCells, 32).MustStoreUInt(1<<11, 32).MustStoreUInt(256, 32).
		MustStoreUInt(256, 32).MustStoreUInt(2, 32).MustStoreUInt(8, 8).MustStoreUInt(26, 32)
	if short {
		return b.EndCell()
	}
	b.MustStoreBoolBit(loads != nil)
	if loads != nil {
		b.MustStoreUInt(uint64(*loads), 32)
	}
	return b.MustStoreUInt(5<<20, 32).MustStoreUInt(5<<12, 32).EndCell()
}

func withSizeLimits(t *testing.T, param *cell.Cell) *cell.Cell {
	t.Helper()
	dict := mainnetConfig(t).Root().AsDict(32).Copy()
	key := cell.BeginCell().MustStoreInt(43, 32).EndCell()
	require.NoError(t, dict.Set(key, cell.BeginCell().MustStoreRef(param).EndCell()))
	return dict.AsCell()
}

// deploys reports whether an account of about 40 cells can be deployed.
func deploys(t *testing.T, config *tvm.PreparedBlockchainConfig) bool {
	t.Helper()
	block, err := config.NewBlockContext(tvm.BlockOptions{Now: 1_778_630_400, BlockLT: 70_000_000_000_000, RandSeed: make([]byte, 32)})
	require.NoError(t, err)
	data := cell.BeginCell().EndCell()
	for i := range uint64(40) {
		data = cell.BeginCell().MustStoreUInt(i, 64).MustStoreRef(data).EndCell()
	}
	init := &tlb.StateInit{Code: cell.BeginCell().MustStoreUInt(0xf800, 16).EndCell(), Data: data} // ACCEPT
	c, err := tlb.ToCell(init)
	require.NoError(t, err)
	to := address.NewAddress(0, 0, c.Hash())
	none := &tlb.ShardAccount{Account: cell.BeginCell().MustStoreBoolBit(false).EndCell(), LastTransHash: make([]byte, 32)}
	account, err := tvm.PrepareAccount(none, to)
	require.NoError(t, err)
	message, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: address.NewAddress(0, 0, make([]byte, 32)), DstAddr: to, Amount: tlb.FromNanoTON(big.NewInt(10_000_000_000)),
		StateInit: init, Body: cell.BeginCell().EndCell(),
	})
	require.NoError(t, err)
	prepared, err := tvm.PrepareMessage(message)
	require.NoError(t, err)
	res, err := boundedvm.New().EmulateTransaction(block, account, prepared, tvm.TransactionOptions{LogicalTime: 70_000_000_000_001})
	require.NoError(t, err)
	st := res.NextAccount.State()
	return st != nil && st.Status == tlb.AccountStatusActive
}

// Executions obey parameter 43 in the forms that the library does not read; a dictionary whose limits are the defaults, or
// which the library reads, stays as it is.
func TestPrepareConfig_SizeLimitsOfEveryFormAreExecuted(t *testing.T) {
	t.Parallel()
	const defaultCells = 1 << 16
	loads := uint32(7)
	for name, c := range map[string]struct {
		param   *cell.Cell
		same    bool
		deploys bool
	}{
		"v3 with the defaults":       {sizeLimitsV3(defaultCells, nil, false), true, true},
		"v3 with small accounts":     {sizeLimitsV3(20, nil, false), false, false},
		"v3 with library loads":      {sizeLimitsV3(defaultCells, &loads, false), false, true},
		"short v2 with the defaults": {sizeLimitsV3(defaultCells, nil, true), true, true},
		"short v2, small accounts":   {sizeLimitsV3(20, nil, true), false, false},
		"unknown":                    {cell.BeginCell().MustStoreUInt(9, 8).EndCell(), true, true},
		"cut":                        {cell.BeginCell().MustStoreUInt(3, 8).MustStoreUInt(1, 32).EndCell(), true, true},
	} {
		root := withSizeLimits(t, c.param)
		config, err := boundedvm.PrepareConfig(root)
		require.NoError(t, err, name)
		require.Equal(t, c.same, config.Root().HashKey() == root.HashKey(), name)
		require.Equal(t, c.deploys, deploys(t, config), name)
		if c.same {
			continue
		}
		limits, err := tlb.BlockchainConfig{Root: config.Root()}.GetSizeLimitsConfig()
		require.NoError(t, err, name)
		require.IsType(t, tlb.SizeLimitsConfigV2{}, limits.Config)
	}
	plain := mainnetConfig(t).Root()
	config, err := boundedvm.PrepareConfig(plain)
	require.NoError(t, err)
	require.Equal(t, plain.HashKey(), config.Root().HashKey())
}
