package boundedvm_test

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
	"tonql/internal/pacetest"
)

// cost is the cost of one opcode at the most expensive arguments that were tried.
type cost struct {
	name         string
	gas          int64
	nanos, bytes float64 // per unit of gas
	stack        string
}

// arguments is a pool of values that are large, shared, deep or at the edge of a range.
type arguments struct {
	ints   []*big.Int
	cells  []*cell.Cell
	slices []*cell.Slice
	build  []*cell.Builder
	conts  []vm.Continuation
	tuples []tuple.Tuple
}

func unhex(text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// Generators of the groups of BLS12-381, compressed.
var (
	blsG1 = unhex("97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb")
	blsG2 = unhex("93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8")
)

func bytesSlice(data []byte) *cell.Slice {
	return cell.BeginCell().MustStoreSlice(data, uint(len(data))*8).EndCell().MustBeginParse()
}

// chainOf makes a chain of distinct cells, sharedOf a DAG in which each cell refers to the next one four times.
func chainOf(depth int) *cell.Cell {
	c := cell.BeginCell().EndCell()
	for i := range depth {
		c = cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreRef(c).EndCell()
	}
	return c
}

func sharedOf(depth int) *cell.Cell {
	c := cell.BeginCell().EndCell()
	for range depth {
		c = cell.BeginCell().MustStoreRef(c).MustStoreRef(c).MustStoreRef(c).MustStoreRef(c).EndCell()
	}
	return c
}

func newArguments(tb testing.TB) *arguments {
	tb.Helper()
	a := &arguments{}
	for _, v := range []int64{0, 0, 1, 1, 2, 3, 4, 8, 16, 32, 48, 64, 255, 256, 257, 1023, -1, -2, 1 << 40} {
		a.ints = append(a.ints, big.NewInt(v))
	}
	one := big.NewInt(1)
	for _, bits := range []uint{128, 255, 256} {
		v := new(big.Int).Lsh(one, bits)
		v.Sub(v, one)
		a.ints = append(a.ints, v, new(big.Int).Neg(v), new(big.Int).Rsh(v, 1), new(big.Int).Sub(v, big.NewInt(0xDEADBEEF)))
	}
	full := make([]byte, 128)
	for i := range full {
		full[i] = byte(i*37 + 11)
	}
	leaf := cell.BeginCell().MustStoreSlice(full, 1023).EndCell()
	wide := cell.BeginCell().MustStoreSlice(full, 1023).MustStoreRef(leaf).MustStoreRef(leaf).MustStoreRef(leaf).MustStoreRef(leaf).EndCell()
	address := cell.BeginCell().MustStoreUInt(0x400, 11).MustStoreSlice(full, 256).EndCell()
	coins := cell.BeginCell().MustStoreBigCoins(new(big.Int).Sub(new(big.Int).Lsh(one, 119), one)).MustStoreSlice(full, 400).EndCell()
	message := cell.BeginCell().MustStoreUInt(0x18, 6).MustStoreBuilder(address.ToBuilder()).MustStoreBigCoins(big.NewInt(1e9)).
		MustStoreUInt(0, 1+4+4+64+32).MustStoreUInt(1, 2).MustStoreRef(wide).EndCell()
	a.cells = []*cell.Cell{cell.BeginCell().EndCell(), leaf, wide, chainOf(500), sharedOf(500), address, message, coins}
	for _, size := range []uint{32, 256, 700} {
		dict := cell.NewDict(size)
		for i := range 1000 {
			key := cell.BeginCell()
			left := size
			if left > 64 {
				key.MustStoreSlice(full, left-64)
				left = 64
			}
			key.MustStoreUInt(uint64(i)*0x9E3779B97F4A7C15>>(64-left), left)
			require.NoError(tb, dict.Set(key.EndCell(), cell.BeginCell().MustStoreUInt(uint64(i), 64).MustStoreRef(leaf).EndCell()))
		}
		a.cells = append(a.cells, dict.AsCell(), dict.AsCell())
	}
	for _, c := range a.cells {
		a.slices = append(a.slices, c.MustBeginParse())
	}
	a.slices = append(a.slices, bytesSlice(full[:32]), bytesSlice(full[:64]), bytesSlice(full[:127]), bytesSlice(blsG1), bytesSlice(blsG2))
	long := cell.BeginCell().MustStoreUInt(0, 1).EndCell()
	for range 200 {
		long = cell.BeginCell().MustStoreSlice(full, 1016).MustStoreRef(long).EndCell()
	}
	a.slices = append(a.slices, long.MustBeginParse(), cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(a.cells[9]).ToSlice())
	a.build = []*cell.Builder{cell.BeginCell(), cell.BeginCell().MustStoreSlice(full, 1000), wide.ToBuilder(), cell.BeginCell().MustStoreUInt(3, 8).MustStoreRef(sharedOf(400))}
	code := codeOf(tb, "70").MustBeginParse()
	simple := &vm.OrdinaryContinuation{Data: vm.ControlData{NumArgs: vm.ControlDataAllArgs, CP: vm.CP}, Code: code}
	a.conts = []vm.Continuation{simple, &vm.QuitContinuation{}, &vm.AgainContinuation{Body: simple}}
	captured := vm.NewStack()
	for i := range 255 {
		require.NoError(tb, captured.PushInt(new(big.Int).Lsh(one, uint(i))))
	}
	a.conts = append(a.conts, boundedvm.Shared(&vm.OrdinaryContinuation{Data: vm.ControlData{NumArgs: vm.ControlDataAllArgs, CP: vm.CP, Stack: captured}, Code: code}))
	values := make([]any, 255)
	for i := range values {
		values[i] = a.ints[i%len(a.ints)]
	}
	t255 := tuple.NewTupleValue(values...)
	nested := tuple.NewTupleValue()
	for range 100 {
		nested = tuple.NewTupleValue(nested, big.NewInt(5))
	}
	a.tuples = []tuple.Tuple{t255, nested, tuple.NewTupleValue(), tuple.NewTupleValue(big.NewInt(1)), tuple.NewTupleValue(big.NewInt(1), t255)}
	return a
}

func (a *arguments) pick(r *rand.Rand) any {
	switch n := r.IntN(100); {
	case n < 42:
		return a.ints[r.IntN(len(a.ints))]
	case n < 56:
		return a.cells[r.IntN(len(a.cells))]
	case n < 74:
		return a.slices[r.IntN(len(a.slices))]
	case n < 82:
		return a.build[r.IntN(len(a.build))]
	case n < 88:
		return a.conts[r.IntN(len(a.conts))]
	case n < 96:
		return a.tuples[r.IntN(len(a.tuples))]
	default:
		return nil
	}
}

// prepared is a call of an opcode that can be repeated.
type prepared struct {
	getter  vm.OPGetter
	operand *cell.Slice
	stack   []any
	loaded  *vm.State // has loaded all cells: loading one again costs less gas
	c7      tuple.Tuple

	libraries []*cell.Cell
}

// call executes the opcode once on a new state and returns its duration and gas.
func (p *prepared) call(tb testing.TB) (took time.Duration, gas int64, err error) {
	tb.Helper()
	stack := vm.NewStack()
	for _, v := range p.stack {
		require.NoError(tb, stack.PushHostValue(v))
	}
	s := vm.NewExecutionState(vm.MaxSupportedGlobalVersion, vm.GasWithLimit(10_000_000), cell.BeginCell().EndCell(), p.c7, stack, p.libraries...)
	s.Steps = 1
	s.Cells = p.loaded.Cells
	s.SetChildRunner(func(*vm.State) (int64, error) { return 0, nil })
	s.PrepareExecution(p.operand.Copy())
	s.SignatureCheckCounter = vm.SignatureCheckFreeCount
	s.GetExtraBalanceCounter = vm.GetExtraBalanceCheapCount
	op := p.getter()
	if err := op.Deserialize(s.CurrentCode); err != nil {
		return 0, 0, err
	}
	_ = s.ConsumeGas(vm.InstructionBaseGasPrice + op.(vm.GasPricedOp).InstructionBits())
	start := time.Now()
	err = op.Interpret(s)
	took = time.Since(start)
	return took, s.Gas.Used(), err
}

// cheapest returns the shortest duration of several calls, which is the least affected by other processes.
func (p *prepared) cheapest(tb testing.TB, calls int) (time.Duration, int64, error) {
	tb.Helper()
	best, gas, err := p.call(tb)
	for range calls - 1 {
		took, _, _ := p.call(tb)
		best = min(best, took)
	}
	return best, gas, err
}

// allocated returns the bytes that one call allocates, without those of its state.
func (p *prepared) allocated(tb testing.TB) float64 {
	tb.Helper()
	const calls = 20
	measure := func(q *prepared) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range calls {
			_, _, _ = q.call(tb)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	nop := *p
	nop.getter = func() vm.OP { return idle{p.getter()} }
	with, without := measure(p), measure(&nop)
	return max(0, float64(with)-float64(without)) / calls
}

// idle is an opcode that does nothing.
type idle struct{ vm.OP }

func (idle) Interpret(*vm.State) error { return nil }

func (o idle) InstructionBits() int64 { return o.OP.(vm.GasPricedOp).InstructionBits() }

// Every opcode is called with random arguments of the pool; the highest cost counts. TONQL_VM_SAMPLES sets the number
// of calls, TONQL_VM_OPCODE the only opcode that is shown.
func TestOpcodes_CostsAreBounded(t *testing.T) {
	if pacetest.Short() {
		t.Skip("measures for seconds")
	}
	samples := 20
	if v, err := strconv.Atoi(os.Getenv("TONQL_VM_SAMPLES")); err == nil {
		samples = v
	}
	only := os.Getenv("TONQL_VM_OPCODE")
	args := newArguments(t)
	r := rand.New(rand.NewPCG(1, 2))
	loaded := map[cell.Hash]struct{}{}
	var walk func(c *cell.Cell)
	walk = func(c *cell.Cell) {
		if _, ok := loaded[c.HashKey()]; ok {
			return
		}
		loaded[c.HashKey()] = struct{}{}
		for i := range int(c.RefsNum()) {
			walk(c.MustPeekRef(i))
		}
	}
	for _, c := range args.cells {
		walk(c)
	}
	for _, s := range args.slices {
		walk(s.MustToCell())
	}
	libraries := startRun(t, t.Context(), boundedvm.Limits{}).Libraries(nil)
	template := &vm.State{}
	for h := range loaded {
		template.RegisterCellLoadFreeKey(h)
	}
	// The last opcode of a prefix is the one that runs.
	seen := map[string]bool{}
	var costs []cost
	for _, getter := range slices.Backward(boundedvm.Opcodes()) {
		if _, priced := getter().(vm.GasPricedOp); !priced {
			continue
		}
		prefixes := getter().GetPrefixes()
		var key strings.Builder
		for _, p := range prefixes {
			key.WriteString(p.Copy().MustToCell().Dump())
		}
		if seen[key.String()] {
			continue
		}
		seen[key.String()] = true
		var worst *prepared
		var worstCost cost
		for range samples {
			prefix := prefixes[r.IntN(len(prefixes))]
			operand := prefix.Copy().ToBuilder()
			for operand.BitsLeft() > 700 {
				operand.MustStoreUInt(r.Uint64(), 64)
			}
			for range 4 {
				operand.MustStoreRef(args.cells[r.IntN(3)])
			}
			p := &prepared{getter: getter, operand: operand.EndCell().MustBeginParse(), c7: registers(), loaded: template, libraries: libraries}
			for range 12 {
				p.stack = append(p.stack, args.pick(r))
			}
			took, gas, _ := p.cheapest(t, 2)
			if gas == 0 {
				continue
			}
			if per := float64(took) / float64(gas); per > worstCost.nanos {
				took, _, _ = p.cheapest(t, 8)
				if per := float64(took) / float64(gas); per > worstCost.nanos {
					worst = p
					worstCost = cost{name: name(getter), gas: gas, nanos: per, stack: describe(p.stack)}
				}
			}
		}
		if worst == nil || (only != "" && worstCost.name != only) {
			continue
		}
		worstCost.bytes = worst.allocated(t) / float64(worstCost.gas)
		costs = append(costs, worstCost)
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(1e6 * (b.nanos - a.nanos)) })
	median := costs[len(costs)/2].nanos
	t.Logf("median %.2f ns per gas of %d opcodes", median, len(costs))
	for i, c := range costs {
		if i < 60 {
			t.Logf("%8.2f ns/gas %8.1f B/gas allocated %6d gas: %s %s", c.nanos, c.bytes, c.gas, c.name, c.stack)
		}
		require.Less(t, c.nanos, 1000*max(median, 10), "%s %s", c.name, c.stack)
		require.Less(t, c.bytes, 600.0, "%s %s", c.name, c.stack)
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(1e3 * (b.bytes - a.bytes)) })
	for _, c := range costs[:min(30, len(costs))] {
		t.Logf("memory %8.1f B/gas allocated %6d gas: %s %s", c.bytes, c.gas, c.name, c.stack)
	}
}

func name(getter vm.OPGetter) (text string) {
	defer func() {
		if recover() != nil {
			text = "?"
		}
	}()
	return getter().SerializeText()
}

func describe(stack []any) string {
	var out strings.Builder
	for i := len(stack) - 1; i >= max(0, len(stack)-4); i-- {
		switch v := stack[i].(type) {
		case *big.Int:
			if v.BitLen() > 32 {
				fmt.Fprintf(&out, " int%d", v.BitLen())
			} else {
				out.WriteString(" " + v.String())
			}
		default:
			fmt.Fprintf(&out, " %T", v)
		}
	}
	return out.String()
}
