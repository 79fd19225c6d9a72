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
	st := deploy(t, config).NextAccount.State()
	return st != nil && st.Status == tlb.AccountStatusActive
}

// deploy executes a message that deploys an account of about 40 cells.
func deploy(t *testing.T, config *tvm.PreparedBlockchainConfig) *tvm.TransactionExecutionResult {
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
	return res
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

func TestTotalMessageLimits_AreThoseOfV3OrTheDefaults(t *testing.T) {
	t.Parallel()
	loads := uint32(7)
	other := sizeLimitsV3(20, &loads, false).ToBuilder().EndCell()
	s := other.MustBeginParse()
	other = cell.BeginCell().MustStoreSlice(s.MustLoadSlice(other.BitsSize()-64), other.BitsSize()-64).MustStoreUInt(11, 32).MustStoreUInt(12, 32).EndCell()
	defaults := boundedvm.MessageLimits{Bits: 5242880, Cells: 20480}
	for name, c := range map[string]struct {
		param *cell.Cell
		want  boundedvm.MessageLimits
	}{
		"v2":                    {sizeLimitsV3(20, nil, true), defaults},
		"v3":                    {sizeLimitsV3(20, nil, false), defaults},
		"v3 with library loads": {sizeLimitsV3(20, &loads, false), defaults},
		"v3 with other limits":  {other, boundedvm.MessageLimits{Bits: 11, Cells: 12}},
		"cut":                   {cell.BeginCell().MustStoreUInt(3, 8).MustStoreUInt(1, 32).EndCell(), defaults},
	} {
		require.Equal(t, c.want, boundedvm.TotalMessageLimits(withSizeLimits(t, c.param)), name)
	}
	require.Equal(t, defaults, boundedvm.TotalMessageLimits(mainnetConfig(t).Root()))
}

// Parameters that have had several forms, or were absent at first, are executed in each: gas prices, the version, workchains.
func TestPrepareConfig_EveryFormOfOldParametersIsExecuted(t *testing.T) {
	t.Parallel()
	const price, flatLimit, flatPrice = 1000 << 16, 4, 77
	prices := func(tag uint64, flat bool) *cell.Cell {
		b := cell.BeginCell()
		if flat { // gas_flat_pfx#d1
			b.MustStoreUInt(0xd1, 8).MustStoreUInt(flatLimit, 64).MustStoreUInt(flatPrice, 64)
		}
		b.MustStoreUInt(tag, 8).MustStoreUInt(price, 64).MustStoreUInt(1_000_000, 64)
		if tag == 0xde { // gas_prices_ext#de has special_gas_limit
			b.MustStoreUInt(2_000_000, 64)
		}
		return b.MustStoreUInt(10_000, 64).MustStoreUInt(10_000_000, 64).MustStoreUInt(100_000_000, 64).MustStoreUInt(1_000_000_000, 64).EndCell()
	}
	workchain := func(tag uint64) *cell.Cell {
		b := cell.BeginCell().MustStoreUInt(tag, 8).MustStoreUInt(1, 32).MustStoreUInt(0, 8).MustStoreUInt(0, 8).MustStoreUInt(32, 8).
			MustStoreUInt(0b111, 3).MustStoreUInt(0, 13).MustStoreSlice(make([]byte, 64), 512).MustStoreUInt(0, 32).
			MustStoreUInt(1, 4).MustStoreInt(-1, 32).MustStoreUInt(0, 64) // wfmt_basic#1
		if tag == 0xa7 {
			b.MustStoreUInt(0, 4).MustStoreUInt(1, 32).MustStoreUInt(2, 32).MustStoreUInt(3, 32).MustStoreUInt(4, 32) // wc_split_merge_timings#0
			b.MustStoreUInt(0, 8)                                                                                     // persistent_state_split_depth
		}
		d := cell.NewDict(32)
		require.NoError(t, d.SetIntKey(big.NewInt(0), b.EndCell()))
		return cell.BeginCell().MustStoreMaybeRef(d.AsCell()).EndCell()
	}
	fees := map[string]uint64{}
	for name, change := range map[string]map[int64]*cell.Cell{
		"gas_prices":                    {21: prices(0xdd, false)},
		"gas_prices_ext":                {21: prices(0xde, false)},
		"gas_flat_pfx, gas_prices":      {21: prices(0xdd, true)},
		"gas_flat_pfx, gas_prices_ext":  {21: prices(0xde, true)},
		"workchain":                     {21: prices(0xde, false), 12: workchain(0xa6)},
		"workchain_v2":                  {21: prices(0xde, false), 12: workchain(0xa7)},
		"no version, no optional param": {21: prices(0xde, false), 8: nil, 13: nil, 43: nil, 44: nil, 45: nil},
	} {
		dict := mainnetConfig(t).Root().AsDict(32).Copy()
		for number, value := range change {
			key := cell.BeginCell().MustStoreInt(number, 32).EndCell()
			if value == nil {
				_ = dict.Delete(key) // it may be absent
				continue
			}
			require.NoError(t, dict.Set(key, cell.BeginCell().MustStoreRef(value).EndCell()), name)
		}
		config, err := boundedvm.PrepareConfig(dict.AsCell())
		require.NoError(t, err, name)
		fees[name] = gasFees(t, config)
	}
	require.Positive(t, fees["gas_prices"])
	require.Zero(t, fees["gas_prices"]%1000)
	require.Equal(t, fees["gas_prices"], fees["gas_prices_ext"])
	flat := fees["gas_prices"] - flatLimit*1000 + flatPrice
	require.Equal(t, flat, fees["gas_flat_pfx, gas_prices"])
	require.Equal(t, flat, fees["gas_flat_pfx, gas_prices_ext"])
	require.Equal(t, fees["gas_prices"], fees["workchain"])
	require.Equal(t, fees["gas_prices"], fees["workchain_v2"])
	require.Positive(t, fees["no version, no optional param"])
}

// gasFees deploys a contract and returns the fees of its compute phase.
func gasFees(t *testing.T, config *tvm.PreparedBlockchainConfig) uint64 {
	t.Helper()
	tx, err := deploy(t, config).ParseTransaction()
	require.NoError(t, err)
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	require.True(t, ok)
	phase, ok := d.ComputePhase.Phase.(tlb.ComputePhaseVM)
	require.True(t, ok, "%+v", d.ComputePhase.Phase)
	return phase.GasFees.Nano().Uint64()
}
