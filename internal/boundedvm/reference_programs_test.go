package boundedvm_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// newProgramCode makes programs of instructions, continuations and loops whose arguments are of the right types at most times.
func newProgramCode(tb testing.TB) codeGenerator {
	tb.Helper()
	v, configs := newValues(tb), codeConfigs()
	var opcodes, flow []vm.OPGetter
	for _, getter := range boundedvm.Opcodes()[:boundedvm.LibraryOpcodes()] {
		op := getter()
		name := textOf(op)
		if isDebugOpcode(op) || strings.Contains(name, "SH") {
			continue
		}
		opcodes = append(opcodes, getter)
		if first := op.GetPrefixes()[0]; first.BitsLeft() >= 8 {
			switch b := first.MustPreloadUInt(8); {
			case b >= 0xD8 && b <= 0xDF, b >= 0xE0 && b <= 0xEF, b >= 0xF0 && b <= 0xF3:
				flow = append(flow, getter) // continuations, exceptions, other VMs
			}
		}
	}
	return func(tb testing.TB, n int) codeRun {
		tb.Helper()
		v.Rand = rand.New(rand.NewPCG(uint64(n), 23))
		r := codeRun{name: "program", version: v.IntN(referenceVersion + 1), gas: 20_000}
		if v.one(3) {
			r.gas = 50 + v.Int64N(2000)
		}
		a := &assembler{}
		a.op(0x30, 8)
		v.context(a)
		for range 2 + v.IntN(8) { // each instruction after values that let the program continue
			getter := opcodes[v.IntN(len(opcodes))]
			if v.one(2) {
				getter = flow[v.IntN(len(flow))]
			}
			before := len(a.parts)
			for range 12 {
				a.parts = a.parts[:before]
				for range v.IntN(4) {
					kind := v.kind()
					if v.one(3) {
						kind = kindContinuation
					}
					v.push(a, kind, 1)
				}
				a.add(v.instruction(getter))
				res, err := execute(tb, boundedvm.New(), program{code: a.code(), gas: 20_000, config: configs[r.version], stack: []any{big.NewInt(0)}})
				if err == nil && (res.ExitCode == 0 || res.ExitCode == 1) {
					break
				}
			}
		}
		r.code = a.code()
		return r
	}
}

const recordedPrograms = "testdata/reference/programs.txt"

// Programs leave what they leave in the emulator of the node, in each version, with the same gas.
func TestPrograms_AgreeWithTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	agree(t, recordedPrograms, newProgramCode(t), 700)
}

func TestPrograms_HaveTheOutcomesOfTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	haveRecorded(t, recordedPrograms, newProgramCode(t))
}

// GETEXTRABALANCE pays for a dictionary that code has put into c7 as often as for any other: for each load once.
func TestExtraBalance_IsPaidForOnce(t *testing.T) {
	t.Parallel()
	v := newValues(t)
	gas := func(calls int) int64 {
		a := &assembler{}
		a.op(0x30, 8)
		for range 7 {
			a.op(0x70, 8)
		}
		a.op(0x70, 8)
		a.ref(0x88, 8, v.extra)
		a.op(0x6F02, 16)
		a.op(0x6F08, 16)
		a.op(0x6F01ED57, 32)
		for range calls {
			a.op(0x79, 8) // a currency that the label of the root excludes
			a.op(0xF88030, 24)
		}
		res, err := execute(t, boundedvm.New(), program{code: a.code(), stack: []any{big.NewInt(0)}})
		require.NoError(t, err)
		require.Zero(t, res.ExitCode)
		return res.GasUsed
	}
	const instructions = 18 + 26 + 18 // PUSHINT, GETEXTRABALANCE, DROP
	require.EqualValues(t, instructions+vm.CellLoadGasPrice, gas(1)-gas(0))
	require.EqualValues(t, instructions+vm.CellReloadGasPrice, gas(2)-gas(1))
}
