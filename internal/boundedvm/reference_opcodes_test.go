package boundedvm_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// assembler writes code of any length into cells: a cell that is full has the next one as its last reference, to which the VM jumps.
type assembler struct{ parts []*cell.Builder }

func (a *assembler) add(instruction *cell.Builder) { a.parts = append(a.parts, instruction) }

func (a *assembler) op(bits uint64, n uint) { a.add(cell.BeginCell().MustStoreUInt(bits, n)) }

func (a *assembler) ref(bits uint64, n uint, ref *cell.Cell) {
	a.add(cell.BeginCell().MustStoreUInt(bits, n).MustStoreRef(ref))
}

func (a *assembler) number(v *big.Int) {
	b := cell.BeginCell()
	pushInt(b, v)
	a.add(b)
}

func (a *assembler) code() *cell.Cell {
	var cells []*cell.Builder
	b := cell.BeginCell()
	for _, part := range a.parts {
		if b.BitsLeft() < part.BitsUsed() || int(b.RefsLeft())-1 < part.RefsUsed() {
			cells, b = append(cells, b), cell.BeginCell()
		}
		b.MustStoreBuilder(part)
	}
	c := b.EndCell()
	for _, before := range slices.Backward(cells) {
		c = before.MustStoreRef(c).EndCell()
	}
	return c
}

// values makes values of the stack at random.
type values struct {
	*rand.Rand
	cells    []*cell.Cell
	contents []*cell.Cell // continuations

	params                 map[int]*cell.Cell
	config, address, extra *cell.Cell
}

func (v *values) one(of int) bool { return v.IntN(of) == 0 }

// integer is small, near a power of two, or any.
func (v *values) integer() *big.Int {
	n := new(big.Int)
	switch v.IntN(8) {
	case 0, 1, 2:
		return n.SetInt64(int64(v.IntN(12)))
	case 3:
		return n.SetInt64(int64(v.IntN(1100) - 20))
	case 4:
		n.Lsh(big.NewInt(1), uint(v.IntN(257)))
		n.Add(n, big.NewInt(int64(v.IntN(3)-1)))
	case 5:
		n.Lsh(big.NewInt(1), 256).Sub(n, big.NewInt(int64(1+v.IntN(2))))
	default:
		for range v.IntN(5) {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.Uint64()))
		}
		n.Rsh(n, uint(v.IntN(64)))
	}
	if n.BitLen() > 256 {
		n.Rsh(n, uint(n.BitLen()-256))
	}
	if v.one(3) {
		n.Neg(n)
		if v.one(4) && n.BitLen() == 256 {
			n.Lsh(big.NewInt(-1), 256)
		}
	}
	return n
}

// kinds of values.
const (
	kindInt = iota
	kindCell
	kindSlice
	kindBuilder
	kindContinuation
	kindTuple
	kindNull
	kindNaN
)

// kind is one that opcodes often take.
func (v *values) kind() int {
	switch n := v.IntN(100); {
	case n < 48:
		return kindInt
	case n < 60:
		return kindCell
	case n < 76:
		return kindSlice
	case n < 84:
		return kindBuilder
	case n < 90:
		return kindContinuation
	case n < 95:
		return kindTuple
	case n < 98:
		return kindNull
	default:
		return kindNaN
	}
}

// push writes the code that pushes a value.
func (v *values) push(a *assembler, kind, depth int) {
	switch kind {
	case kindInt:
		n := v.integer()
		if n.Cmp(new(big.Int).Lsh(big.NewInt(-1), 256)) == 0 { // PUSHINT has 256 bits and the sign; PUSHNEGPOW2 is shorter
			a.op(0x85FF, 16)
			return
		}
		a.number(n)
	case kindCell:
		a.ref(0x88, 8, v.cells[v.IntN(len(v.cells))])
	case kindSlice:
		a.ref(0x89, 8, v.cells[v.IntN(len(v.cells))])
	case kindBuilder:
		a.ref(0x89, 8, v.cells[v.IntN(len(v.cells))])
		a.op(0xC8CE, 16)
	case kindContinuation:
		if v.one(5) {
			a.op(0xED40|uint64(v.IntN(4)), 16)
			return
		}
		a.ref(0x8A, 8, v.contents[v.IntN(len(v.contents))])
	case kindTuple:
		n := v.IntN(5)
		for range n {
			k := v.kind()
			if depth == 0 && k == kindTuple {
				k = kindInt
			}
			v.push(a, k, depth-1)
		}
		a.op(0x6F00|uint64(n), 16)
	case kindNull:
		a.op(0x6D, 8)
	default:
		a.op(0x83FF, 16)
	}
}

// instruction is an opcode with operands at random.
func (v *values) instruction(getter vm.OPGetter) *cell.Builder {
	op := getter()
	prefixes := op.GetPrefixes()
	prefix := prefixes[v.IntN(len(prefixes))]
	b := cell.BeginCell().MustStoreBuilder(prefix.ToBuilder())
	if priced, ok := op.(vm.GasPricedOp); ok {
		for left := int(priced.InstructionBits()) - int(prefix.BitsLeft()); left > 0; left-- {
			b.MustStoreUInt(uint64(v.IntN(2)), 1)
		}
	}
	if v.one(10) {
		b.MustStoreRef(v.cells[v.IntN(len(v.cells))])
	}
	return b
}

// takes are the kinds of values that are on the stack, the top last.
func (v *values) takes() []int {
	kinds := make([]int, 1+v.IntN(6))
	for i := range kinds {
		kinds[i] = v.kind()
	}
	return kinds
}

// context writes code that replaces c7 by the parameters of a contract, with most of them as the VM of a block has them.
func (v *values) context(a *assembler) {
	wrong := -1
	if v.one(10) {
		wrong = v.IntN(18)
	}
	slice := func(param int) { a.ref(0x89, 8, v.params[param]) }
	for i := range 18 {
		if i == wrong {
			v.push(a, v.kind(), 1)
			continue
		}
		switch i {
		case 0:
			a.number(big.NewInt(0x076ef1ea))
		case 7, 11: // balance, value of the message
			v.push(a, kindInt, 0)
			v.optional(a, v.extra)
			a.op(0x6F02, 16)
		case 8: // own address
			a.ref(0x89, 8, v.address)
		case 9:
			a.ref(0x88, 8, v.config)
		case 10:
			a.ref(0x88, 8, v.cells[0])
		case 13: // previous blocks
			for range 3 {
				v.push(a, kindTuple, 1)
			}
			a.op(0x6F03, 16)
		case 14: // prices
			for _, param := range []int{18, 19, 20, 21, 24, 25, 43} {
				slice(param)
			}
			a.op(0x6F07, 16)
		case 16:
			a.op(0x6D, 8)
		case 17: // message
			for range 2 {
				v.push(a, kindInt, 0)
			}
			a.ref(0x89, 8, v.address)
			for range 5 {
				v.push(a, kindInt, 0)
			}
			v.optional(a, v.extra)
			a.op(0x6D, 8)
			a.op(0x6F0A, 16)
		default:
			v.push(a, kindInt, 0)
		}
	}
	a.number(big.NewInt(18))
	a.op(0x6F80, 16)     // TUPLEVAR
	a.op(0x6F01ED57, 32) // 1 TUPLE; c7 POPCTR
}

// optional pushes a cell or null.
func (v *values) optional(a *assembler, c *cell.Cell) {
	if v.one(2) {
		a.op(0x6D, 8)
	} else {
		a.ref(0x88, 8, c)
	}
}

// opcodeCode is code that calls an opcode, with arguments that it accepts at most times.
func (v *values) opcodeCode(tb testing.TB, config *tvm.PreparedBlockchainConfig, getter vm.OPGetter) *cell.Cell {
	tb.Helper()
	var code *cell.Cell
	name := textOf(getter())
	first := getter().GetPrefixes()[0]
	reads := first.BitsLeft() >= 8 && first.MustPreloadUInt(8) == 0xF8 || strings.Contains(name, "MSG") || strings.Contains(name, "GLOB") || strings.Contains(name, "CTR") || first.BitsLeft() >= 8 && first.MustPreloadUInt(8) == 0xED
	for range 60 {
		a := &assembler{}
		a.op(0x30, 8)
		if reads {
			v.context(a)
		}
		for _, kind := range v.takes() {
			v.push(a, kind, 1)
		}
		a.add(v.instruction(getter))
		code = a.code()
		res, err := execute(tb, boundedvm.New(), program{code: code, gas: 100_000, config: config, stack: []any{big.NewInt(0)}})
		if err == nil && res.ExitCode != 2 && res.ExitCode != 7 && (res.ExitCode != 5 || v.one(5)) {
			break
		}
	}
	return code
}

func newValues(tb testing.TB) *values {
	tb.Helper()
	a := newArguments(tb)
	v := &values{}
	v.cells = append(v.cells, a.cells[0], a.cells[1], a.cells[2], a.cells[5], a.cells[6], a.cells[7], a.cells[8])
	v.cells = append(v.cells, specialCells(tb)...)
	v.cells = append(v.cells, bytesSlice(blsG1).MustToCell(), bytesSlice(blsG2).MustToCell(), cell.BeginCell().MustStoreUInt(0x2A, 7).EndCell(), chainOf(500),
		cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(a.cells[8]).EndCell())
	root := mainnetConfig(tb).Root()
	config := cell.NewDict(32)
	v.params = map[int]*cell.Cell{}
	for _, param := range []int{18, 19, 20, 21, 24, 25, 43} {
		c := cell.BeginCell().MustStoreInt(-239, 32).EndCell() // global_id
		if found, err := root.AsDict(32).LoadValueByIntKey(big.NewInt(int64(param))); err == nil {
			c, err = found.LoadRefCell()
			require.NoError(tb, err)
		}
		v.params[param] = c
		require.NoError(tb, config.SetIntKey(big.NewInt(int64(param)), cell.BeginCell().MustStoreRef(c).EndCell()))
	}
	v.config, v.address = config.AsCell(), cell.BeginCell().MustStoreUInt(4, 3).MustStoreUInt(0, 8).MustStoreUInt(1<<63+5, 64).MustStoreUInt(7, 192).EndCell()
	currencies := cell.NewDict(32)
	for i := range int64(5) {
		require.NoError(tb, currencies.SetIntKey(big.NewInt(i), cell.BeginCell().MustStoreUInt(2, 5).MustStoreUInt(uint64(300+i), 16).EndCell()))
	}
	v.extra = currencies.AsCell()
	for _, text := range []string{"", "70", "72DB31", "F22A", "7AF22B", "ED44", "C8C9D0", "00", "30", "DB32", "F80F", "ED1E", "FF"} {
		v.contents = append(v.contents, codeOf(tb, text))
	}
	return v
}

// newOpcodeCode makes code that calls any opcode with arguments that it accepts. The numbers of shifts are left out, which the emulator reads as
// longs of 32 bits.
func newOpcodeCode(tb testing.TB) codeGenerator {
	tb.Helper()
	v, configs := newValues(tb), codeConfigs()
	var opcodes []vm.OPGetter
	for _, getter := range boundedvm.Opcodes()[:boundedvm.LibraryOpcodes()] {
		if op := getter(); !isDebugOpcode(op) && !strings.Contains(textOf(op), "SH") {
			opcodes = append(opcodes, getter)
		}
	}
	return func(tb testing.TB, n int) codeRun {
		tb.Helper()
		v.Rand = rand.New(rand.NewPCG(uint64(n), 22))
		version, getter := v.IntN(referenceVersion+1), opcodes[v.IntN(len(opcodes))]
		r := codeRun{name: textOf(getter()), version: version, gas: 100_000, code: v.opcodeCode(tb, configs[version], getter)}
		if v.one(4) {
			r.gas = 50 + v.Int64N(1500)
		}
		return r
	}
}

const recordedOpcodes = "testdata/reference/opcodes.txt"

// Opcodes leave what they leave in the emulator of the node, in each version, with the same gas.
func TestOpcodes_AgreeWithTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	agree(t, recordedOpcodes, newOpcodeCode(t), 700)
}

func TestOpcodes_HaveTheOutcomesOfTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	haveRecorded(t, recordedOpcodes, newOpcodeCode(t))
}

// pairs is code with the product of pairings of points that letters name: g and h, y and z at infinity, n the negative of g.
func pairs(text string) *cell.Cell {
	a := &assembler{}
	a.op(0x30, 8)
	for point := range strings.SplitSeq(text, "") {
		switch point {
		case "y":
			a.op(0xF93015, 24)
		case "z":
			a.op(0xF93025, 24)
		case "h":
			a.ref(0x89, 8, bytesSlice(blsG2).MustToCell())
		case "g":
			a.ref(0x89, 8, bytesSlice(blsG1).MustToCell())
		case "n":
			a.ref(0x89, 8, bytesSlice(blsG1).MustToCell())
			a.op(0xF93012, 24)
		}
	}
	a.number(big.NewInt(int64(len(text) / 2)))
	a.op(0xF93030, 24)
	return a.code()
}

// The product of pairings is the node's at points at infinity, too.
func TestPairing_IsTheNodesAtPointsAtInfinity(t *testing.T) {
	t.Parallel()
	for text, one := range pairingResults {
		res, err := execute(t, boundedvm.New(), program{code: pairs(text), stack: []any{big.NewInt(0)}})
		require.NoError(t, err)
		require.Zero(t, res.ExitCode, text)
		got, err := res.Stack.PopBool()
		require.NoError(t, err)
		require.Equal(t, one, got, text)
	}
}

func TestPairing_AgreesWithTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	c := newCodes(t)
	for text := range pairingResults {
		problem, _ := c.compare(t, codeRun{version: referenceVersion, code: pairs(text), gas: millionGas})
		require.Empty(t, problem, text)
	}
}

// pairingResults says whether the emulator of the node finds the product one.
var pairingResults = map[string]bool{
	"": false, "yz": false, "yzyz": false,
	"gh": false, "ghnh": true, "ghyznh": true, "ghnhyz": true,
	"yh": true, "yhyh": true, "gz": true, "gzyz": true,
	"gzgz": false, "gzyh": false, "ghgznh": false, "ghyhnh": true,
	strings.Repeat("yh", 7) + "gz": false, strings.Repeat("yh", 8) + "gz": true, strings.Repeat("yh", 9) + "gz": false,
	strings.Repeat("yz", 3) + strings.Repeat("yh", 8) + "yzgz": true, "gz" + strings.Repeat("yh", 8): false,
}
