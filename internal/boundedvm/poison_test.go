package boundedvm_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"golang.org/x/sync/errgroup"

	"tonql/internal/boundedvm"
)

// library is the VM without our opcodes.
var library *tvm.TVM

func TestMain(m *testing.M) {
	library = boundedvm.LibraryTVM()
	boundedvm.NewLaunch() // builds its tables from vm.List, which tests read
	config = blockchainConfig(vm.MaxSupportedGlobalVersion)
	os.Exit(m.Run())
}

// maxDuration is generous: a bounded execution takes milliseconds, an unbounded one hours.
const maxDuration = 5 * time.Second

// codeOf returns a cell with the code in hexadecimal digits and the references.
func codeOf(tb testing.TB, text string, refs ...*cell.Cell) *cell.Cell {
	tb.Helper()
	data, err := hex.DecodeString(text)
	require.NoError(tb, err)
	b := cell.BeginCell().MustStoreSlice(data, uint(len(data))*8)
	for _, ref := range refs {
		b.MustStoreRef(ref)
	}
	return b.EndCell()
}

// executeBounded executes p and limits its duration and memory.
func executeBounded(tb testing.TB, p program) (*tvm.ExecutionResult, error) {
	tb.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	res, err := execute(tb, boundedvm.New(), p)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	require.Less(tb, took, maxDuration)
	require.Less(tb, after.TotalAlloc-before.TotalAlloc, uint64(2<<30))
	return res, err
}

func TestDebugOpcodes_DoNotPrintSharedCells(t *testing.T) {
	for _, opcode := range []string{"FE00", "FE20", "FE14", "FEF041", "FE37"} {
		for _, depth := range []int{11, 14, 30, 60} {
			res, err := executeBounded(t, program{code: codeOf(t, fmt.Sprintf("C8C980%02X99202020C8CCCCCCCCC9E4%s", depth, opcode))})
			require.NoError(t, err)
			require.Zero(t, res.ExitCode)
		}
	}
}

func TestDebugOpcodes_CostWhatValidatorsCharge(t *testing.T) {
	t.Parallel()
	for code, gas := range map[string]int64{"FE00": 26 + 5, "FE01": 26 + 5, "FE14": 26 + 5, "FE2F": 26 + 5, "FEEF": 26 + 5, "FEF14142": 26 + 5} {
		res, err := execute(t, boundedvm.New(), program{code: codeOf(t, code)})
		require.NoError(t, err)
		require.Zero(t, res.ExitCode, code)
		require.Equal(t, gas, res.GasUsed, code)
	}
	res, err := execute(t, boundedvm.New(), program{code: codeOf(t, "FEF24142")})
	require.NoError(t, err)
	require.EqualValues(t, 6, res.ExitCode, "DEBUGSTR without its text is an invalid opcode")
}

// The error of the library for an unknown opcode contains the rest of the code, printed as a tree.
func TestUnknownOpcode_DoesNotPrintItsCode(t *testing.T) {
	for _, depth := range []int{11, 30, 400} {
		shared := sharedOf(depth)
		res, err := executeBounded(t, program{code: codeOf(t, "F7FFFF", shared, shared, shared, shared)})
		require.NoError(t, err)
		require.EqualValues(t, 6, res.ExitCode)
	}
}

func TestUnknownOpcode_AgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"F7FFFF", "C730", "DB60", "FD01", "F9FF", "D740", "01F7"} {
		ours, err := execute(t, boundedvm.New(), program{code: codeOf(t, text)})
		require.NoError(t, err)
		theirs, err := execute(t, library, program{code: codeOf(t, text)})
		require.NoError(t, err)
		require.Equal(t, theirs.ExitCode, ours.ExitCode, text)
		require.Equal(t, theirs.GasUsed, ours.GasUsed, text)
	}
}

// A closure that holds a closure twice, 60 levels deep: each level is DUP, an empty slice and BLESSARGS, or
// SETCONTARGS.
func TestContinuations_AreSharedNotCopied(t *testing.T) {
	for name, text := range map[string]string{
		// PUSHCONT{}; REPEAT 60 { DUP; PUSHCONT{}; SETCONTARGS 2,-1 }
		"SETCONTARGS": "90" + "803C" + "9520" + "90" + "EC2F" + "00" + "E4",
		// the continuation saved twice: DUP; BOOLAND composes, COMPOSBOTH saves it in two registers
		"COMPOSBOTH": "90" + "803C" + "9420" + "EDF2" + "00" + "E4",
		// c0 saved into itself
		"SAVECTR": "803C" + "96" + "EDFB" + "EDFA" + "EDA1" + "E4",
	} {
		res, err := executeBounded(t, program{code: codeOf(t, text)})
		require.NoError(t, err, name)
		require.Contains(t, []int64{0, 1}, res.ExitCode, name)
	}
}

// TRY inside TRY: the handler of each level saves the one before it twice.
func TestContinuations_NestedTryIsCheap(t *testing.T) {
	code := codeOf(t, "70")
	for range 100 {
		code = codeOf(t, "8A"+"90"+"F2FF", code)
	}
	res, err := executeBounded(t, program{code: code})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
}

// DUP of a closure with many captured values.
func TestContinuations_DuplicatesOfALargeClosureAreCheap(t *testing.T) {
	values := make([]any, 0, 256)
	for i := range 255 {
		values = append(values, new(big.Int).Lsh(big.NewInt(1), uint(i)))
	}
	// PUSHCONT{}; PUSHINT 255; PUSHINT -1; SETCONTVARARGS; then 20,000 times DUP
	code := codeOf(t, "90"+"8100FF"+"7F"+"ED11"+"814E20"+"9120"+"E4")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := executeBounded(t, program{code: code, stack: values})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
	require.Equal(t, 20_001, res.Stack.Len())
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), "20,000 closures of 255 values")
}

// The values of a closure are copied with every call.
func TestRun_MemoryEndsCallsOfLargeClosures(t *testing.T) {
	values := make([]any, 0, 255)
	for range 254 {
		values = append(values, cell.BeginCell().MustStoreSlice(make([]byte, 127), 1016))
	}
	// PUSHCONT { DEPTH; DROPX }; PUSHINT 254; PUSHINT 0; SETCONTVARARGS; AGAIN { DUP; EXECUTE }
	p := program{code: codeOf(t, "926865"+"8100FE"+"70"+"ED11"+"9220D8"+"EA"), stack: values}
	p.run = startRun(t, t.Context(), boundedvm.Limits{Memory: 16 << 20})
	_, err := executeBounded(t, p)
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "memory", exceeded.Resource)
	require.ErrorContains(t, err, "16777216 bytes")

	p.run = startRun(t, t.Context(), boundedvm.Limits{Memory: 1 << 30})
	res, err := executeBounded(t, p)
	require.NoError(t, err)
	require.EqualValues(t, -14, res.ExitCode, "the gas of a method ends before the memory")
}

// A get-method without a maximum of gas cannot raise its limit.
func TestAccept_KeepsTheLimitOfAMethod(t *testing.T) {
	for _, text := range []string{"F800" + "90EA", "837E" + "F801" + "90EA", "F800" + "7193203000EA"} {
		res, err := executeBounded(t, program{code: codeOf(t, text), unlimited: true})
		require.NoError(t, err)
		require.EqualValues(t, -14, res.ExitCode)
		require.Less(t, res.GasUsed, int64(millionGas+1000))
	}
}

func TestRunVM_TuplesAreCountedBeforeTheyAreCopied(t *testing.T) {
	// PUSHINT 7; TUPLE 1; REPEAT 40 { DUP; TUPLE 2 }: made by code, because a value of the host would be converted as a
	// tree.
	pair := "77" + "6F01" + "8028" + "9320" + "6F02" + "E4"
	empty := "8B08" // PUSHSLICE of an empty slice: child code
	for name, text := range map[string]string{
		"argument": pair + "71" + empty + "DB4000",
		"c7":       pair + "70" + "01" + empty + "01" + "DB4010",
	} {
		run := startRun(t, t.Context(), boundedvm.Limits{})
		_, err := executeBounded(t, program{code: codeOf(t, text), run: run})
		var exceeded *boundedvm.Exceeded
		require.ErrorAs(t, err, &exceeded, name)
		require.Equal(t, "memory", exceeded.Resource)
		require.ErrorIs(t, run.Err(), err)
	}
	// The child makes the tuple and returns it.
	run := startRun(t, t.Context(), boundedvm.Limits{})
	child := codeOf(t, pair)
	_, err := executeBounded(t, program{code: codeOf(t, "70"+"88"+"D0"+"DB4000", child), run: run})
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "memory", exceeded.Resource)
}

func TestMessages_SharedCellsEndTheExecution(t *testing.T) {
	for name, text := range map[string]string{
		"SENDRAWMSG":    "8870FB00",
		"POPCTR":        "88ED55",
		"POPCTRX":       "8875EDE1",
		"SETCONTCTR":    "8890ED65D8",
		"SETCONTCTRX":   "889075EDE2D8",
		"SETRETCTR":     "88ED75",
		"caught by TRY": "9588" + "70FB00" + "00" + "90F2FF",
	} {
		for _, depth := range []int{30, 100, 400} {
			message := cell.BeginCell().MustStoreUInt(0x18, 6).MustStoreRef(sharedOf(depth)).EndCell()
			target := message
			if name != "SENDRAWMSG" && name != "caught by TRY" {
				target = cell.BeginCell().MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(0, 8).MustStoreRef(cell.BeginCell().EndCell()).MustStoreRef(message).EndCell()
			}
			run := startRun(t, t.Context(), boundedvm.Limits{})
			code := codeOf(t, text, target)
			if name == "caught by TRY" {
				body := codeOf(t, "8870FB00", target)
				code = codeOf(t, "8A"+"90"+"F2FF", body)
			}
			res, err := executeBounded(t, program{code: code, run: run})
			var exceeded *boundedvm.Exceeded
			if err == nil {
				require.Failf(t, "it was executed", "%s, %d levels: exit code %d", name, depth, res.ExitCode)
			}
			require.ErrorAs(t, err, &exceeded)
			require.Equal(t, "cells", exceeded.Resource)
		}
	}
}

func TestMessages_DistinctCellsAreSent(t *testing.T) {
	t.Parallel()
	leaf := func(i uint64) *cell.Cell { return cell.BeginCell().MustStoreUInt(i, 64).EndCell() }
	level := make([]*cell.Cell, 0, 4096)
	for i := range uint64(4096) {
		level = append(level, leaf(i))
	}
	for len(level) > 1 {
		next := level[:0:0]
		for i := 0; i < len(level); i += 4 {
			next = append(next, cell.BeginCell().MustStoreRef(level[i]).MustStoreRef(level[i+1]).MustStoreRef(level[i+2]).MustStoreRef(level[i+3]).EndCell())
		}
		level = next
	}
	// The same message of 5461 cells 250 times: PUSHREF; REPEAT 250 { DUP; PUSHINT 0; SENDRAWMSG }
	run := startRun(t, t.Context(), boundedvm.Limits{})
	res, err := execute(t, boundedvm.New(), program{code: codeOf(t, "88"+"8100FA"+"942070FB00"+"E4", level[0]), run: run})
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
	require.NoError(t, run.Err())
}

// loop returns a program that ends only with its gas.
func loop(tb testing.TB) program {
	tb.Helper()
	return program{code: codeOf(tb, "71"+"93"+"203000"+"EA"), gas: 1 << 60}
}

func TestRun_TimeEndsALoop(t *testing.T) {
	t.Parallel()
	p := loop(t)
	p.run = startRun(t, t.Context(), boundedvm.Limits{Time: 20 * time.Millisecond})
	_, err := execute(t, boundedvm.New(), p)
	var exceeded *boundedvm.Exceeded
	require.ErrorAs(t, err, &exceeded)
	require.Equal(t, "time", exceeded.Resource)
	require.ErrorContains(t, err, "20ms")
	require.Equal(t, err, p.run.Err())
}

func TestRun_CancelledContextEndsALoop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := loop(t)
	p.run = startRun(t, ctx, boundedvm.Limits{})
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := execute(t, boundedvm.New(), p)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, p.run.Err(), context.Canceled)
}

func TestRun_EndedContextExecutesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the client is gone")
	cancel(cause)
	p := loop(t)
	p.run = startRun(t, ctx, boundedvm.Limits{})
	_, err := execute(t, boundedvm.New(), p)
	require.ErrorIs(t, err, cause)
	p.run.Close()
	p.run.Close()
}

func TestRun_IsSharedByExecutions(t *testing.T) {
	t.Parallel()
	run := startRun(t, t.Context(), boundedvm.Limits{Time: time.Minute, Memory: 1 << 30})
	var group errgroup.Group
	for range 8 {
		group.Go(func() error {
			// Children, messages and closures: everything that a run counts.
			code := codeOf(t, "700170"+"6F026F01"+"70"+"8B08"+"DB4000"+"30"+"C8C970FB00"+"7193203000EA")
			_, err := boundedvm.New().ExecuteGetMethod(code, cell.BeginCell().EndCell(), registers(), vm.GasWithLimit(20_000, 20_000), vm.NewStack(),
				tvm.ExecutionConfig{Config: config, Libraries: run.Libraries(nil)})
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.NoError(t, run.Err())
}

func TestRun_MarkerIsNoLibrary(t *testing.T) {
	t.Parallel()
	hash := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256)
	missing, err := hash.EndCellSpecial(true)
	require.NoError(t, err)
	run := startRun(t, t.Context(), boundedvm.Limits{})
	res, err := execute(t, boundedvm.New(), program{code: codeOf(t, "88D0", missing), run: run})
	require.NoError(t, err)
	require.EqualValues(t, 9, res.ExitCode)
}
