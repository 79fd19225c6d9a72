package boundedvm_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// millionGas is the gas limit of a get-method.
const millionGas = 1_000_000

// blockchainConfig returns a configuration with the global version alone.
func blockchainConfig(version uint64) *tvm.PreparedBlockchainConfig {
	param := cell.BeginCell().MustStoreUInt(0xC4, 8).MustStoreUInt(version, 32).MustStoreUInt(0, 64).EndCell()
	dict := cell.NewDict(32)
	_, err := dict.SetBuilderWithMode(cell.BeginCell().MustStoreUInt(8, 32).EndCell(), cell.BeginCell().MustStoreRef(param), cell.DictSetModeSet)
	if err != nil {
		panic(err)
	}
	return tvm.MustPrepareBlockchainConfig(dict.AsCell())
}

// registers returns a c7 with the parameters of a contract.
func registers() tuple.Tuple {
	return tuple.NewTupleValue(tuple.NewTupleValue(
		big.NewInt(0x076ef1ea), big.NewInt(0), big.NewInt(0), big.NewInt(1_700_000_000), big.NewInt(1), big.NewInt(2),
		new(big.Int).Lsh(big.NewInt(0x5eed), 200), tuple.NewTupleValue(big.NewInt(1e9), nil),
		cell.BeginCell().MustStoreUInt(0x400, 11).MustStoreUInt(7, 256).ToSlice(), nil,
	))
}

// program is one execution.
type program struct {
	code  *cell.Cell
	stack []any
	gas   int64
	c7    tuple.Tuple
	run   *boundedvm.Run
	// config is that of the newest version if it is nil.
	config *tvm.PreparedBlockchainConfig
	// unlimited leaves out the maximum of gas, which bounds what ACCEPT allows.
	unlimited bool
}

func (p *program) limits() vm.Gas {
	if p.unlimited {
		return vm.GasWithLimit(p.gas)
	}
	return vm.GasWithLimit(p.gas, p.gas)
}

// config has the newest global version; TestMain makes it.
var config *tvm.PreparedBlockchainConfig

// execute runs p in machine, with a million gas where p sets none.
func execute(tb testing.TB, machine *tvm.TVM, p program) (*tvm.ExecutionResult, error) {
	tb.Helper()
	stack := vm.NewStack()
	for _, v := range p.stack {
		require.NoError(tb, stack.PushHostValue(v))
	}
	if p.gas == 0 {
		p.gas = millionGas
	}
	if p.c7.IsNull() {
		p.c7 = registers()
	}
	cfg := tvm.ExecutionConfig{Config: config}
	if p.config != nil {
		cfg.Config = p.config
	}
	if p.run != nil {
		cfg.Libraries = p.run.Libraries(nil)
	}
	return machine.ExecuteGetMethod(p.code, cell.BeginCell().EndCell(), p.c7, p.limits(), stack, cfg)
}

// startRun starts a run that is closed at the end of the test.
func startRun(tb testing.TB, ctx context.Context, l boundedvm.Limits) *boundedvm.Run { //nolint:revive // the test comes first
	tb.Helper()
	run := boundedvm.Start(ctx, l)
	tb.Cleanup(run.Close)
	return run
}

// newBuilder returns a builder with the first bits of data.
func newBuilder(data []byte, bits uint) *cell.Builder {
	return cell.BeginCell().MustStoreSlice(data, bits)
}
