package boundedvm_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
	"tonql/internal/pacetest"
)

// choices are the decisions of a [generator], one byte each; after the last byte all are 0.
type choices struct{ data []byte }

func (c *choices) next() byte {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return b
}

func (c *choices) of(n int) int { return (int(c.next())<<8 | int(c.next())) % n }

// generator makes programs of valid opcodes, mostly with operands of the right types.
type generator struct {
	choices
	opcodes []vm.OPGetter
	values  []*cell.Cell
	// combines is set by an opcode that puts continuations into continuations, or tuples into tuples.
	combines bool
	// ends puts a NOP at the end of all code: of an opcode of which code has fewer than 8 bits the library takes another price than the node ([pushInt]).
	ends         bool
	instructions int
}

// combining reports whether an opcode can make the library's copies of continuations or tuples grow exponentially.
func combining(name string) bool {
	for _, part := range []string{"CONT", "BLESS", "BOOL", "COMPOS", "EXIT", "THENRET", "CALLCC", "CTR", "SAVE", "ALT", "TRY", "RETURNARGS", "RETURNVARARGS", "RUNVM", "TUPLE", "POP", "c0", "c1", "c2", "c3"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// block makes code in one cell and the cells that it refers to.
func (a *generator) block(depth int) *cell.Cell {
	b := cell.BeginCell()
	for range 1 + a.of(24) {
		if a.instructions++; a.instructions > 300 || len(a.data) == 0 {
			break
		}
		if b.BitsLeft() < 320 || b.RefsLeft() < 2 {
			if depth > 0 {
				b.MustStoreRef(a.block(depth - 1))
			}
			break
		}
		a.instruction(b, depth)
	}
	if a.ends {
		b.MustStoreUInt(0, 8)
	}
	return b.EndCell()
}

func (a *generator) instruction(b *cell.Builder, depth int) {
	switch n := a.of(100); {
	case n < 22: // a small integer
		b.MustStoreUInt(0x70|uint64(a.of(16)), 8)
	case n < 26: // a byte
		b.MustStoreUInt(0x80, 8).MustStoreUInt(uint64(a.next()), 8)
	case n < 30: // a power of two, less one or negative
		b.MustStoreUInt(0x83+uint64(a.of(3)), 8).MustStoreUInt(uint64(a.next()), 8)
	case n < 38: // a cell
		b.MustStoreUInt(0x88, 8).MustStoreRef(a.values[a.of(len(a.values))])
	case n < 44: // a slice
		b.MustStoreUInt(0x89, 8).MustStoreRef(a.values[a.of(len(a.values))])
	case n < 46: // a builder
		b.MustStoreUInt(0xC8, 8)
	case n < 52 && depth > 0: // a continuation
		b.MustStoreUInt(0x8A, 8).MustStoreRef(a.block(depth - 1))
	case n < 54 && depth > 0: // a loop
		b.MustStoreUInt(0x70|uint64(a.of(11)), 8).MustStoreUInt(0x8A, 8).MustStoreRef(a.block(depth-1)).MustStoreUInt(0xE4, 8)
	case n < 58: // a copy of a value on the stack
		b.MustStoreUInt(0x20|uint64(a.of(16)), 8)
	default:
		a.opcode(b)
	}
}

func (a *generator) opcode(b *cell.Builder) {
	op := a.opcodes[a.of(len(a.opcodes))]()
	prefixes := op.GetPrefixes()
	prefix := prefixes[a.of(len(prefixes))]
	bits := prefix.BitsLeft()
	b.MustStoreBuilder(prefix.ToBuilder())
	if name := textOf(op); combining(name) {
		a.combines = true
	}
	priced, ok := op.(vm.GasPricedOp)
	if !ok {
		return
	}
	for left := int(priced.InstructionBits()) - int(bits); left > 0 && b.BitsLeft() > 16; left-- {
		b.MustStoreUInt(uint64(a.next()&1), 1)
	}
	if b.RefsLeft() > 1 && a.next()&7 == 0 {
		b.MustStoreRef(a.values[a.of(len(a.values))])
	}
}

func textOf(op vm.OP) (text string) {
	defer func() {
		if recover() != nil {
			text = "CONT" // an unknown opcode counts as combining
		}
	}()
	return op.SerializeText()
}

// outcome is the comparable part of a result, with hashes in place of cells.
type outcome struct {
	exit, gas int64
	steps     uint32
	stack     []string
	data      cell.Hash
}

func outcomeOf(res *tvm.ExecutionResult) outcome {
	out := outcome{exit: res.ExitCode, gas: res.GasUsed, steps: res.Steps}
	for i := range res.Stack.Len() {
		v, err := res.Stack.Get(i)
		if err != nil {
			break
		}
		out.stack = append(out.stack, text(v, 3))
	}
	if res.Data != nil {
		out.data = res.Data.HashKey()
	}
	return out
}

func text(v any, depth int) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case *big.Int:
		return x.Text(16)
	case vm.NaN:
		return "NaN"
	case *cell.Cell:
		h := x.HashKey()
		return "cell " + string(h[:])
	case *cell.Slice:
		h := x.WithoutTrace().ToBuilder().EndCell().HashKey()
		return "slice " + string(h[:])
	case *cell.Builder:
		c, err := x.WithoutTrace().EndCellSpecial(false)
		if err != nil {
			return "builder that is no cell"
		}
		h := c.HashKey()
		return "builder " + string(h[:])
	case vm.Continuation:
		return "continuation"
	case tuple.Tuple:
		var out strings.Builder
		out.WriteString("tuple")
		for i := range x.Len() {
			inner, err := x.RawIndex(i)
			if err != nil || depth == 0 || i > 8 {
				break
			}
			out.WriteString(" " + text(inner, depth-1))
		}
		return out.String()
	default:
		return "?"
	}
}

// allocatedBytes returns the bytes that the process has allocated so far.
func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Limits of one execution, far above those of bounded opcodes and far below those of unbounded ones.
const (
	bytesPerGas       = 2048
	baseBytes         = 64 << 20
	fuzzedGas         = 100_000
	fuzzedGasBoth     = 20_000
	fuzzedGasCombined = 800
)

// fuzzer holds the opcodes and values that all programs share.
type fuzzer struct {
	opcodes []vm.OPGetter
	equal   []vm.OPGetter // those that do what the library's do
	values  []*cell.Cell
	shared  []*cell.Cell
}

func newFuzzer(tb testing.TB) *fuzzer {
	tb.Helper()
	a := newArguments(tb)
	f := &fuzzer{
		values: []*cell.Cell{a.cells[0], a.cells[1], a.cells[2], a.cells[5], a.cells[6], a.cells[7], a.cells[8], a.cells[10], bytesSlice(blsG1).MustToCell(), bytesSlice(blsG2).MustToCell()},
	}
	f.shared = append(append(f.shared, f.values...), a.cells[4], sharedOf(20))
	for _, getter := range boundedvm.Opcodes()[:boundedvm.LibraryOpcodes()] {
		if op := getter(); !isDebugOpcode(op) {
			f.opcodes = append(f.opcodes, getter)
			if !differs(textOf(op)) {
				f.equal = append(f.equal, getter)
			}
		}
	}
	return f
}

// differs reports whether an opcode leaves other results than that of the library, as the node does.
func differs(name string) bool {
	return strings.Contains(name, "DICT") || strings.Contains(name, "EXTRABALANCE") || strings.Contains(name, "PAIRING")
}

func isDebugOpcode(op vm.OP) bool {
	prefix := op.GetPrefixes()[0]
	return prefix.BitsLeft() >= 8 && prefix.MustPreloadUInt(8) == 0xFE
}

// bounded executes a program of any opcodes and requires that it ends and allocates no more than its gas allows.
func (f *fuzzer) bounded(tb testing.TB, data []byte) {
	tb.Helper()
	a := &generator{choices: choices{data}, values: f.shared}
	a.opcodes = append(a.opcodes, boundedvm.Opcodes()[:boundedvm.LibraryOpcodes()]...)
	run := boundedvm.Start(tb.Context(), boundedvm.Limits{Time: time.Minute})
	defer run.Close()
	p := program{code: a.block(4), gas: fuzzedGas, run: run, c7: fullRegisters()}
	before := allocatedBytes()
	res, err := execute(tb, boundedvm.New(), p)
	took := allocatedBytes() - before
	var exceeded *boundedvm.Exceeded
	if errors.As(err, &exceeded) {
		require.NotEqual(tb, "time", exceeded.Resource)
	} else if err != nil {
		require.NotContains(tb, err.Error(), "vm panic")
		return
	}
	gas := int64(fuzzedGas)
	if res != nil {
		gas = res.GasUsed
	}
	require.Less(tb, took, uint64(baseBytes+gas*bytesPerGas))
}

// same executes a program in both VMs, requires equal outcomes and reports whether there were two to compare. The
// library's copies of continuations double with every opcode that combines them, so a program with such opcodes has gas
// for about twenty of them.
func (f *fuzzer) same(tb testing.TB, data []byte) (compared bool) {
	tb.Helper()
	return f.sameBy(tb, data, nil)
}

// sameBy is same under a configuration; nil is that of the newest version.
func (f *fuzzer) sameBy(tb testing.TB, data []byte, configured *tvm.PreparedBlockchainConfig) (compared bool) {
	tb.Helper()
	a := &generator{choices: choices{data}, values: f.values, opcodes: f.equal, ends: true}
	p := program{code: a.block(3), gas: fuzzedGasBoth, c7: fullRegisters(), config: configured}
	if a.combines {
		p.gas = fuzzedGasCombined
	}
	ours, err := execute(tb, boundedvm.New(), p)
	theirs, wrong := execute(tb, library, p)
	if wrong != nil {
		return false // an error of the library, such as a panic, need not be one of ours
	}
	require.NoError(tb, err)
	require.Equal(tb, outcomeOf(theirs), outcomeOf(ours))
	return true
}

// All programs are bounded, and those that the library executes without an error have the same outcome in both VMs.
func FuzzPrograms_AreBoundedAndAgreeWithTheLibrary(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range []int{8, 40, 120, 400} {
		for range 8 {
			f.Add(randomBytes(r, size))
		}
	}
	shared := newFuzzer(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		shared.bounded(t, data)
		shared.same(t, data)
	})
}

// Programs of the fuzzer, in every run of the tests.
func TestPrograms_AreBoundedAndAgreeWithTheLibrary(t *testing.T) {
	t.Parallel()
	count := 20_000
	if pacetest.Short() {
		count = 2_000
	}
	shared := newFuzzer(t)
	r := rand.New(rand.NewPCG(9, 10))
	compared := 0
	for range count {
		data := randomBytes(r, 40+r.IntN(400))
		shared.bounded(t, data)
		if shared.same(t, data) {
			compared++
		}
	}
	require.Greater(t, compared, count*9/10)
}

// Single opcodes are executed with random arguments and little gas in both VMs.
func TestOpcodes_AgreeWithTheLibrary(t *testing.T) {
	t.Parallel()
	count := 30_000
	if pacetest.Short() {
		count = 3_000
	}
	if v, err := strconv.Atoi(os.Getenv("TONQL_VM_SAMPLES")); err == nil {
		count = v
	}
	opcodesAgree(t, count, nil)
}

// The opcodes of this package stand in for those of the library in each global version, whose rules differ.
func TestOpcodes_AgreeWithTheLibraryInEveryVersion(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	count := 2_000
	if pacetest.Short() {
		count = 400
	}
	shared := newFuzzer(t)
	for version := range uint64(vm.MaxSupportedGlobalVersion) { // the newest is tested above
		configured := blockchainConfig(version)
		opcodesAgree(t, count, configured)
		r := rand.New(rand.NewPCG(13, version))
		for range count / 10 {
			shared.sameBy(t, randomBytes(r, 40+r.IntN(400)), configured)
		}
	}
}

// opcodesAgree executes count opcodes with random arguments in both VMs, under a configuration or the newest one.
func opcodesAgree(t *testing.T, count int, configured *tvm.PreparedBlockchainConfig) {
	t.Helper()
	f, args := newFuzzer(t), newArguments(t)
	// No shared cells: the library would print them when they are executed.
	args.cells[4], args.slices[4], args.build[3] = args.cells[2], args.slices[2], args.build[2]
	r := rand.New(rand.NewPCG(11, 12))
	compared := 0
	for range count {
		op := f.equal[r.IntN(len(f.equal))]()
		prefixes := op.GetPrefixes()
		b := prefixes[r.IntN(len(prefixes))].ToBuilder()
		for b.BitsLeft() > 700 {
			b.MustStoreUInt(r.Uint64(), 64)
		}
		for range 4 {
			b.MustStoreRef(args.cells[r.IntN(3)])
		}
		p := program{code: b.EndCell(), gas: int64(10 + r.IntN(1200)), c7: fullRegisters(), config: configured}
		for range 10 {
			p.stack = append(p.stack, args.pick(r))
		}
		ours, err := execute(t, boundedvm.New(), p)
		var exceeded *boundedvm.Exceeded
		if errors.As(err, &exceeded) {
			require.Equal(t, "cells", exceeded.Resource, textOf(op))
			continue
		}
		require.NoError(t, err, textOf(op))
		theirs, wrong := execute(t, library, p)
		if wrong == nil {
			require.Equal(t, outcomeOf(theirs), outcomeOf(ours), textOf(op))
			compared++
		}
	}
	require.Greater(t, compared, count*9/10)
}
