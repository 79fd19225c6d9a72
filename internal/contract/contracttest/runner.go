package contracttest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Runner runs get-methods under a configuration until the test ends. What env leaves out gets a value.
func Runner(tb testing.TB, config *cell.Cell, env contract.Env, o contract.Options) *contract.Runner {
	tb.Helper()
	prepared, err := tvm.PrepareBlockchainConfig(config)
	require.NoError(tb, err)
	env.Config = prepared
	if env.Now == 0 {
		env.Now, env.LT, env.Seed = 1_790_000_000, 1_000_000, chain.Hash{1}
	}
	m := contract.NewMachine(o)
	tb.Cleanup(m.Close)
	r, err := m.At(env)
	require.NoError(tb, err)
	return r
}

// Detect reads one account against a snapshot that also holds it.
func Detect(tb testing.TB, r *contract.Runner, others Snapshot, st contract.State) contract.Facts {
	tb.Helper()
	facts, err := contract.Detect(tb.Context(), others, r, st)
	require.NoError(tb, err)
	return facts
}
