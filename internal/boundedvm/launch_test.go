package boundedvm_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// executeVersion runs code under a global version with a limit of gas, in a run of its own.
func executeVersion(tb testing.TB, machine *tvm.TVM, version uint64, code *cell.Cell, gas int64) (*tvm.ExecutionResult, *boundedvm.Run) {
	tb.Helper()
	run := startRun(tb, tb.Context(), boundedvm.Limits{})
	res, err := machine.ExecuteGetMethod(code, cell.BeginCell().EndCell(), registers(), vm.GasWithLimit(gas, gas),
		vm.NewStack(), tvm.ExecutionConfig{Config: blockchainConfig(version), Libraries: run.Libraries(nil)})
	require.NoError(tb, err)
	return res, run
}

func TestLaunch_PricesOfCellsAndOfImplicitStepsDiffer(t *testing.T) {
	t.Parallel()
	leaf, empty := codeOf(t, "80"), codeOf(t, "")
	for _, tc := range []struct {
		name, code              string
		refs                    []*cell.Cell
		returns, jumps, reloads int64
	}{
		{name: "a return that is written", code: "70DB30"},
		{name: "the end of code", code: "70", returns: 1},
		{name: "empty code that is called at the end of code, twice", code: "9290D8D8", returns: 3},
		{name: "a reference behind code", code: "70", refs: []*cell.Cell{codeOf(t, "70DB30")}, jumps: 1},
		{name: "a chain of references", code: "70", refs: []*cell.Cell{codeOf(t, "", codeOf(t, "", codeOf(t, "70DB30")))}, jumps: 3},
		{name: "code that begins with a chain of references", code: "", refs: []*cell.Cell{codeOf(t, "", codeOf(t, "70DB30"))}, jumps: 2},
		{name: "a reference to nothing", code: "70", refs: []*cell.Cell{empty}, jumps: 1, returns: 1},
		{name: "a cell that is read three times", code: "88" + "20D030" + "20D030" + "D030" + "DB30", refs: []*cell.Cell{leaf}, reloads: 2},
		{name: "code that is jumped to twice", code: "88" + "20D0ED1ED8" + "01" + "D0ED1ED8" + "DB30", refs: []*cell.Cell{codeOf(t, "70")}, returns: 2, reloads: 1},
	} {
		code := codeOf(t, tc.code, tc.refs...)
		for version := range uint64(4) {
			now, _ := executeVersion(t, boundedvm.New(), version, code, millionGas)
			old, run := executeVersion(t, boundedvm.NewLaunch(), version, code, millionGas)
			require.Equal(t, now.GasUsed-5*tc.returns-10*tc.jumps+75*tc.reloads, old.GasUsed, tc.name)
			require.Equal(t, now.ExitCode, old.ExitCode, tc.name)
			require.Equal(t, now.Steps, old.Steps, tc.name)
			require.Empty(t, run.Inexact(), tc.name)
		}
		now, _ := executeVersion(t, boundedvm.New(), 4, code, millionGas)
		same, _ := executeVersion(t, boundedvm.NewLaunch(), 4, code, millionGas)
		require.Equal(t, now.GasUsed, same.GasUsed, tc.name)
	}
}

// PUSHREFSLICE and PUSHREFCONT load a cell of the code, which a loop repeats.
func TestLaunch_RepeatedLoadsOfCodeCostTheSame(t *testing.T) {
	t.Parallel()
	for _, opcode := range []string{"89", "8A"} {
		loop := codeOf(t, opcode+"30", codeOf(t, "70DB30"))
		code := codeOf(t, "73"+"88D0ED1E"+"E4"+"DB30", loop) // three times
		now, _ := executeVersion(t, boundedvm.New(), 0, code, millionGas)
		old, run := executeVersion(t, boundedvm.NewLaunch(), 0, code, millionGas)
		require.Zero(t, old.ExitCode)
		require.Equal(t, now.GasUsed-3*5+2*75, old.GasUsed, opcode)
		require.Empty(t, run.Inexact())
	}
}

func TestLaunch_LoopAroundNothingEndsWithItsRun(t *testing.T) {
	t.Parallel()
	run := startRun(t, t.Context(), boundedvm.Limits{Time: 50 * time.Millisecond})
	began := time.Now()
	_, err := boundedvm.NewLaunch().ExecuteGetMethod(codeOf(t, "90EA"), cell.BeginCell().EndCell(), registers(),
		vm.GasWithLimit(millionGas, millionGas), vm.NewStack(), tvm.ExecutionConfig{Config: blockchainConfig(0), Libraries: run.Libraries(nil)})
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "time", exceeded.Resource)
	require.Less(t, time.Since(began), maxDuration)
}

func TestLaunch_CodeCannotHoldTheOpcodeOfAnImplicitStep(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"FD", "FD00", "FD" + strings.Repeat("00", 40)} {
		now, _ := executeVersion(t, boundedvm.New(), 0, codeOf(t, code), millionGas)
		old, _ := executeVersion(t, boundedvm.NewLaunch(), 0, codeOf(t, code), millionGas)
		require.EqualValues(t, 6, old.ExitCode, code)
		require.Equal(t, now.ExitCode, old.ExitCode, code)
		require.Equal(t, now.GasUsed, old.GasUsed, code)
		require.Equal(t, now.Steps, old.Steps, code)
	}
}

func TestLaunch_RulesThatAreNotExecutedAreReported(t *testing.T) {
	t.Parallel()
	deep := codeOf(t, "")
	for range 513 {
		deep = codeOf(t, "", deep)
	}
	library, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256).EndCellSpecial(true)
	require.NoError(t, err)
	for _, tc := range []struct {
		why, code string
		refs      []*cell.Cell
		gas       int64
	}{
		{why: "", code: strings.Repeat("70", 32)},
		{why: "a library or another special cell", code: "88D0", refs: []*cell.Cell{library}},
		{why: "a library or another special cell", code: "70", refs: []*cell.Cell{library}},
		{why: "a stack of more than 32 values", code: strings.Repeat("70", 33)},
		{why: "data or actions deeper than 512 cells", code: "88ED54", refs: []*cell.Cell{deep}},
		{why: "", code: "9270D0" + "9130" + "F2FF"},
		{why: "an exception handler without an opcode", code: "9270D0" + "90" + "F2FF"},
		{why: "", code: "92F23F" + "90" + "F2FF"},
		{why: "an exception at the limit of gas", code: "F23F", gas: 50},
		{why: "an opcode of 2020", code: "F810"},
	} {
		if tc.gas == 0 {
			tc.gas = millionGas
		}
		_, run := executeVersion(t, boundedvm.NewLaunch(), 0, codeOf(t, tc.code, tc.refs...), tc.gas)
		require.Equal(t, tc.why, run.Inexact())
		_, run = executeVersion(t, boundedvm.NewLaunch(), 4, codeOf(t, tc.code, tc.refs...), tc.gas)
		require.Empty(t, run.Inexact())
		_, run = executeVersion(t, boundedvm.New(), 0, codeOf(t, tc.code, tc.refs...), tc.gas)
		require.Empty(t, run.Inexact())
	}
}
