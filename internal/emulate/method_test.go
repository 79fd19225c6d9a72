package emulate

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

// Get-methods that clients call have the gas of the published APIs, the ones of detection their own.
func TestMethodMachines_GasIsThatOfThePublishedAPIs(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	var spent []time.Duration
	m := newMethodMachines(Options{Spent: func(_ context.Context, took time.Duration) { spent = append(spent, took) }})
	t.Cleanup(m.close)
	detection := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	r := m.at(detection)
	st := contracttest.Account("x", map[string]*cell.Cell{
		"short": contracttest.Asm("77"),
		// 30,000 times: 0 PUSHINT; DROP
		"long":    contracttest.Asm("81753092" + "7030" + "e478"),
		"endless": contracttest.Asm("9100ea"),
		"list":    contracttest.Asm("6d811d4c" + "9471016f02e4"), // of 7500 values
	})
	for _, tc := range []struct {
		method string
		exit   int32
		least  int64
		top    any
	}{
		{"short", 0, 0, big.NewInt(7)},
		{"long", 0, 300_001, big.NewInt(8)},
		{"endless", -14, 4_000_000, nil},
		{"list", 0, 300_001, nil},
	} {
		result, err := r.execute(t.Context(), &st, contract.MethodID(tc.method), nil)
		require.NoError(t, err, tc.method)
		require.Equal(t, tc.exit, result.Exit, tc.method)
		require.GreaterOrEqual(t, result.Gas, tc.least, tc.method)
		if tc.top != nil {
			require.Equal(t, []any{tc.top}, result.Stack, tc.method)
		}
	}
	require.Len(t, spent, 3, "those that needed more gas")
	result, err := detection.Execute(t.Context(), &st, contract.MethodID("long"))
	require.NoError(t, err)
	require.EqualValues(t, -14, result.Exit)
}
