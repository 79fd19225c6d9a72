package boundedvm_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// codeCase is code that is executed alone.
type codeCase struct {
	ID        int    `json:"id"` // of the configuration
	Config    []byte `json:"config,omitempty"`
	Code      []byte `json:"code"`
	Stack     []byte `json:"stack"`
	Gas       int64  `json:"gas"`
	Libraries []byte `json:"libraries,omitempty"`
	Log       bool   `json:"log,omitempty"`
}

// codeResult is what the code leaves, or an error of the emulator.
type codeResult struct {
	ExitCode int64  `json:"exitCode"`
	Gas      int64  `json:"gas"`
	Stack    []byte `json:"stack"`
	Error    string `json:"error"`
	Log      string `json:"log"`
}

// codeOutcome is the comparable part of an execution, with hashes in place of cells.
type codeOutcome struct {
	exit, gas int64
	stack     string
}

// run executes code under a configuration that is sent once.
func (r *reference) run(tb testing.TB, c codeCase, config *cell.Cell) codeResult {
	tb.Helper()
	if !r.sent[c.ID] {
		r.sent[c.ID], c.Config = true, config.ToBOC()
	}
	require.NoError(tb, r.in.Encode(c))
	require.True(tb, r.out.Scan(), "the emulator ended: %v", r.out.Err())
	var res codeResult
	require.NoError(tb, json.Unmarshal(r.out.Bytes(), &res))
	return res
}

// stackText returns a serialized stack in the form of [text].
func stackText(data []byte) (out string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("stack of the reference: %v", p)
		}
	}()
	root, err := cell.FromBOC(data)
	if err != nil {
		return "", err
	}
	s := root.MustBeginParse()
	var values []string
	for range s.MustLoadUInt(24) {
		rest := s.MustLoadRef()
		values = append(values, serializedText(s, 3))
		s = rest
	}
	return strings.Join(values, "|"), nil
}

// serializedText reads a VmStackValue.
func serializedText(s *cell.Slice, depth int) string {
	switch s.MustLoadUInt(8) {
	case 0:
		return "null"
	case 1:
		return big.NewInt(s.MustLoadInt(64)).Text(16)
	case 2:
		if s.MustPreloadUInt(8) == 0xFF {
			return "NaN"
		}
		s.MustLoadUInt(7)
		v, err := s.LoadBigInt(257)
		if err != nil {
			return "?"
		}
		return v.Text(16)
	case 3:
		h := nextRef(s).HashKey()
		return "cell " + hex.EncodeToString(h[:8])
	case 4:
		c := nextRef(s)
		from, to, refFrom, refTo := uint(s.MustLoadUInt(10)), uint(s.MustLoadUInt(10)), s.MustLoadUInt(3), s.MustLoadUInt(3)
		inner, err := c.BeginParseWithoutTrace()
		if err != nil {
			return "slice of a cell that cannot be read"
		}
		b := cell.BeginCell()
		inner.MustLoadSlice(from)
		b.MustStoreSlice(inner.MustLoadSlice(to-from), to-from)
		for i := refFrom; i < refTo; i++ {
			b.MustStoreRef(c.MustPeekRef(int(i)))
		}
		h := b.EndCell().HashKey()
		return "slice " + hex.EncodeToString(h[:8])
	case 5:
		h := nextRef(s).HashKey()
		return "builder " + hex.EncodeToString(h[:8])
	case 6:
		return "continuation"
	case 7:
		n := int(s.MustLoadUInt(16))
		values := make([]*cell.Slice, n)
		tupleItems(s, values)
		out := []string{"tuple"}
		for i, v := range values {
			if depth == 0 || i > 8 {
				break
			}
			out = append(out, serializedText(v, depth-1))
		}
		return strings.Join(out, " ")
	default:
		return "?"
	}
}

func nextRef(s *cell.Slice) *cell.Cell {
	c, err := s.LoadRefCell()
	if err != nil {
		panic(err)
	}
	return c
}

// tupleItems reads VmTuple: vm_tuple_tcons is all but the last item, and the last.
func tupleItems(s *cell.Slice, out []*cell.Slice) {
	n := len(out)
	if n == 0 {
		return
	}
	if n == 1 {
		out[0] = s.MustLoadRef()
		return
	}
	var head *cell.Slice
	for n > 2 {
		head = s.MustLoadRef()
		out[n-1] = s.MustLoadRef()
		s, n = head, n-1
	}
	out[0], out[1] = s.MustLoadRef(), s.MustLoadRef()
}

// ourStackText is the same of a stack of ours.
func ourStackText(stack *vm.Stack) string {
	var values []string
	for i := range stack.Len() {
		v, err := stack.Get(i)
		if err != nil {
			break
		}
		values = append(values, hexHashes(v))
	}
	return strings.Join(values, "|")
}

func hexHashes(v any) string {
	t := text(v, 3)
	for _, kind := range []string{"cell ", "slice ", "builder "} {
		var out strings.Builder
		for {
			before, after, found := strings.Cut(t, kind)
			if !found || len(after) < 32 {
				break
			}
			out.WriteString(before + kind + hex.EncodeToString([]byte(after[:8])))
			t = after[32:]
		}
		t = out.String() + t
	}
	return t
}

// codes compares code in the emulator of the node with code here.
type codes struct {
	node    *reference
	configs []*tvm.PreparedBlockchainConfig
}

func newCodes(tb testing.TB) *codes {
	tb.Helper()
	return &codes{node: startReference(tb), configs: codeConfigs()}
}

// codeConfigs have the versions alone.
func codeConfigs() (configs []*tvm.PreparedBlockchainConfig) {
	for version := range uint64(referenceVersion + 1) {
		configs = append(configs, blockchainConfig(version))
	}
	return configs
}

// compare returns the difference of code, and how it ends.
func (c *codes) compare(tb testing.TB, r codeRun) (problem, kind string) {
	tb.Helper()
	emptyStack := cell.BeginCell().MustStoreUInt(0, 24).EndCell()
	given := codeCase{ID: r.version, Code: r.code.ToBOC(), Stack: emptyStack.ToBOC(), Gas: r.gas}
	theirs := c.node.run(tb, given, c.configs[r.version].Root())
	if theirs.Error != "" {
		return "", "the reference refuses: " + theirs.Error
	}
	stack, err := stackText(theirs.Stack)
	if err != nil {
		return err.Error(), ""
	}
	want, kind := codeOutcome{exit: theirs.ExitCode, gas: theirs.Gas, stack: stack}, fmt.Sprintf("exit %d", theirs.ExitCode)
	got, err := r.execute(tb, c.configs)
	switch {
	case err != nil:
		return fmt.Sprintf("failed here: %v; theirs %v", err, want), kind
	case got != want:
		given.Log = true
		return fmt.Sprintf("ours %v\n  theirs %v\n%s", got, want, c.node.run(tb, given, nil).Log), kind
	}
	return "", kind
}

// codeRun is code under a version.
type codeRun struct {
	name    string
	version int
	code    *cell.Cell
	gas     int64
}

func (r *codeRun) execute(tb testing.TB, configs []*tvm.PreparedBlockchainConfig) (codeOutcome, error) {
	tb.Helper()
	res, err := execute(tb, boundedvm.New(), program{code: r.code, gas: r.gas, config: configs[r.version], stack: []any{big.NewInt(0)}})
	if err != nil {
		return codeOutcome{}, err
	}
	return codeOutcome{exit: res.ExitCode, gas: res.GasUsed, stack: ourStackText(res.Stack)}, nil
}

// hash is short: it is recorded.
func (o codeOutcome) hash() string {
	h := sha256.Sum256(fmt.Append(nil, o))
	return hex.EncodeToString(h[:6])
}

// codeGenerator makes the code of a number.
type codeGenerator func(tb testing.TB, n int) codeRun

// agree compares code at random with the emulator of the node. -update records the outcomes.
func agree(t *testing.T, file string, generate codeGenerator, samples int) {
	t.Helper()
	c := newCodes(t)
	kinds, first := map[string]int{}, numberOf(t, "TONQL_VM_SEED", 1)
	var recorded strings.Builder
	for n := first; n < first+numberOf(t, "TONQL_VM_SAMPLES", samples); n++ {
		r := generate(t, n)
		problem, kind := c.compare(t, r)
		if kinds[kind]++; problem != "" {
			t.Errorf("%d: %s, version %d: %s", n, r.name, r.version, problem)
		} else if got, err := r.execute(t, c.configs); err == nil && !strings.HasPrefix(kind, "the reference") {
			fmt.Fprintf(&recorded, "%d %s\n", n, got.hash())
		}
	}
	t.Log(kinds)
	require.NotZero(t, kinds["exit 0"])
	if *update && !t.Failed() {
		require.NoError(t, os.WriteFile(file, []byte(recorded.String()), 0o600))
	}
}

// haveRecorded compares code with the recorded outcomes.
func haveRecorded(t *testing.T, file string, generate codeGenerator) {
	t.Helper()
	configs := codeConfigs()
	lines, err := os.ReadFile(file)
	require.NoError(t, err)
	count := 0
	for line := range strings.Lines(string(lines)) {
		var n int
		var hash string
		_, err := fmt.Sscan(line, &n, &hash)
		require.NoError(t, err)
		r := generate(t, n)
		got, err := r.execute(t, configs)
		require.NoError(t, err)
		require.Equal(t, hash, got.hash(), "%d: %s, version %d", n, r.name, r.version)
		count++
	}
	require.Greater(t, count, 500)
}

// dictionaries makes dictionaries at random, as the node writes them and in other forms.
type dictionaries struct {
	*rand.Rand
	damage  bool // nodes are damaged at times
	prefix  bool // nodes of PfxHashmap
	special []*cell.Cell
	keys    [][]bool
}

// bits are n bits at random, at most 64.
func (d *dictionaries) bits(n int) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(d.Uint64()>>(64-n), uint(n))
}

func (d *dictionaries) one(of int) bool { return d.IntN(of) == 0 }

// label stores a label in one of its forms.
func (d *dictionaries) label(b *cell.Builder, bits []bool, n int) {
	same := true
	for _, bit := range bits {
		same = same && bit == bits[0]
	}
	length := uint(new(big.Int).SetInt64(int64(n)).BitLen())
	l := len(bits)
	short, long, repeated := 2+2*l, 2+int(length)+l, 3+int(length)
	form := 0
	switch {
	case same && l > 1 && repeated < short && repeated < long:
		form = 2
	case long < short:
		form = 1
	}
	if d.damage && d.one(6) {
		form = d.IntN(3)
	}
	if form == 0 && short > 900 {
		form = 1
	}
	if form == 2 && !same {
		form = 1
	}
	claimed := uint64(l)
	if d.damage && d.one(40) {
		claimed = uint64(d.IntN(1 << length))
	}
	switch form {
	case 0:
		b.MustStoreUInt(0, 1)
		for range l {
			b.MustStoreUInt(1, 1)
		}
		b.MustStoreUInt(0, 1)
	case 1:
		b.MustStoreUInt(2, 2).MustStoreUInt(claimed, length)
	default:
		bit := uint64(0)
		if l > 0 && bits[0] || l == 0 && d.one(2) {
			bit = 1
		}
		b.MustStoreUInt(6|bit, 3).MustStoreUInt(claimed, length)
		return
	}
	for _, bit := range bits {
		b.MustStoreBoolBit(bit)
	}
}

// node makes the tree of keys that begin with the given bits, of which n are to follow.
func (d *dictionaries) node(before []bool, n, depth int) *cell.Cell {
	if d.damage && len(d.special) > 0 && d.one(25) {
		return d.special[d.IntN(len(d.special))]
	}
	l := n
	leaf := depth == 0 || n == 0 || d.one(6)
	if !leaf {
		l = d.IntN(min(n, 1+d.IntN(8)))
	} else if d.prefix && d.one(2) {
		l = d.IntN(n + 1)
	}
	bits := make([]bool, l)
	same, bit := d.one(3), d.one(2)
	for i := range bits {
		bits[i] = bit
		if !same {
			bits[i] = d.one(2)
		}
	}
	b := cell.BeginCell()
	d.label(b, bits, n)
	all := append(append([]bool{}, before...), bits...)
	if leaf {
		if d.prefix {
			b.MustStoreBoolBit(d.damage && d.one(30))
		}
		d.keys = append(d.keys, all)
		if d.one(2) && !d.prefix {
			b.MustStoreRef(cell.BeginCell().MustStoreUInt(d.Uint64(), 64).EndCell())
			return b.EndCell()
		}
		for range d.IntN(3) {
			b.MustStoreRef(cell.BeginCell().MustStoreUInt(uint64(d.IntN(3)), 8).EndCell())
		}
		for range min(d.IntN(4), int(b.BitsLeft())/8) {
			b.MustStoreUInt(uint64(0x70+d.IntN(16)), 8)
		}
		return b.EndCell()
	}
	if d.prefix {
		b.MustStoreBoolBit(!d.damage || !d.one(30))
	}
	refs := 2
	if d.damage && d.one(12) {
		refs = d.IntN(5)
	}
	if d.damage && d.one(12) {
		b.MustStoreBuilder(d.bits(1 + d.IntN(4)))
	}
	for i := range refs {
		b.MustStoreRef(d.node(append(append([]bool{}, all...), i == 1), n-l-1, depth-1))
	}
	return b.EndCell()
}

// key is one of the dictionary, near one, or any.
func (d *dictionaries) key(n int) []bool {
	key := make([]bool, n)
	if len(d.keys) > 0 {
		copy(key, d.keys[d.IntN(len(d.keys))])
	}
	switch d.IntN(4) {
	case 0:
		if n > 0 {
			key[d.IntN(n)] = d.one(2)
		}
	case 1:
		for range d.IntN(3) {
			if n > 0 {
				key[d.IntN(min(n, 8))] = d.one(2)
			}
		}
	case 2:
		if d.one(3) {
			for i := range key {
				key[i] = d.one(2)
			}
		}
	}
	return key
}

func bitsCell(bits []bool) *cell.Builder {
	b := cell.BeginCell()
	for _, bit := range bits {
		b.MustStoreBoolBit(bit)
	}
	return b
}

// signedBits are the bits of a signed number.
func signedBits(v *big.Int, n int) *cell.Builder {
	b := cell.BeginCell()
	for i := n - 1; i >= 0; i-- {
		b.MustStoreUInt(uint64(v.Bit(i)), 1)
	}
	return b
}

// pushInt stores PUSHINT.
func pushInt(b *cell.Builder, v *big.Int) {
	if v.IsInt64() && v.Int64() >= -5 && v.Int64() <= 10 {
		b.MustStoreUInt(0x70|uint64(v.Int64()&15), 8)
		return
	}
	n := max(0, (v.BitLen()+1-19+7)/8)
	if v.BitLen() > 256 {
		panic("too large")
	}
	b.MustStoreUInt(0x82, 8).MustStoreUInt(uint64(n), 5).MustStoreBuilder(signedBits(v, n*8+19))
}

func intOf(bits []bool, signed bool) *big.Int {
	v := new(big.Int)
	for _, bit := range bits {
		v.Lsh(v, 1)
		if bit {
			v.SetBit(v, 0, 1)
		}
	}
	if signed && len(bits) > 0 && bits[0] {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(bits))))
	}
	return v
}

// call is code that calls an opcode of dictionaries.
func (d *dictionaries) call(name string, op uint64) *cell.Cell {
	sizes := []int{0, 1, 2, 3, 4, 5, 8, 16, 17, 32, 64, 100, 255, 256, 257, 267, 990}
	n := sizes[d.IntN(len(sizes))]
	d.prefix = strings.HasPrefix(name, "PFX") != d.one(30)
	d.damage = !d.one(3)
	d.keys = nil
	var dict *cell.Cell
	if !d.one(12) {
		dict = d.node(nil, n, d.IntN(5))
	}
	name = strings.TrimPrefix(name, "PFX")
	kind := byte(0)
	if len(name) > 4 && strings.HasPrefix(name, "DICT") && (name[4] == 'I' || name[4] == 'U') {
		kind = name[4]
		name = "DICT" + name[5:]
	}
	key := d.key(n)
	if d.prefix {
		key = key[:d.IntN(n+1)]
	}
	b := cell.BeginCell().MustStoreUInt(0x30, 8)
	number := func(v int) { pushInt(b, big.NewInt(int64(v))) }
	pushKey := func(bits []bool) {
		switch {
		case kind != 0:
			v := intOf(bits, kind == 'I')
			if d.one(20) {
				v.Add(v, big.NewInt(d.Int64N(1<<uint(1+d.IntN(40)))))
			}
			if v.BitLen() > 256 {
				v.SetInt64(-1)
			}
			pushInt(b, v)
		default:
			c := bitsCell(bits)
			if len(bits) < 1000 && d.one(3) {
				c.MustStoreBuilder(d.bits(d.IntN(9)))
			}
			b.MustStoreUInt(0x89, 8).MustStoreRef(c.EndCell())
		}
	}
	value := cell.BeginCell().MustStoreBuilder(d.bits(d.IntN(20))).EndCell()
	switch {
	case strings.Contains(name, "GETJMP"), strings.Contains(name, "GETEXEC"), strings.Contains(name, "SUBDICT"):
	case strings.Contains(name, "OPTREF") && strings.Contains(name, "SET"):
		if d.one(3) {
			b.MustStoreUInt(0x6D, 8)
		} else {
			b.MustStoreUInt(0x88, 8).MustStoreRef(value)
		}
	case strings.HasPrefix(name, "DICTSET"), strings.HasPrefix(name, "DICTREPLACE"), strings.HasPrefix(name, "DICTADD"):
		switch {
		case strings.HasSuffix(name, "B"):
			b.MustStoreUInt(0x88, 8).MustStoreRef(value).MustStoreUInt(0xD0, 8).MustStoreUInt(0xC8CE, 16)
		case strings.HasSuffix(name, "REF"):
			b.MustStoreUInt(0x88, 8).MustStoreRef(value)
		default:
			b.MustStoreUInt(0x89, 8).MustStoreRef(value)
		}
	}
	switch {
	case strings.Contains(name, "SUBDICT"):
		k := d.IntN(len(key) + 1)
		pushKey(key[:k])
		number(k)
	case strings.HasPrefix(name, "DICTMIN"), strings.HasPrefix(name, "DICTMAX"), strings.HasPrefix(name, "DICTREM"):
	default:
		pushKey(key)
	}
	if dict != nil {
		b.MustStoreUInt(0x88, 8).MustStoreRef(dict)
	} else {
		b.MustStoreUInt(0x6D, 8)
	}
	if d.one(30) {
		n = sizes[d.IntN(len(sizes))]
	}
	number(n)
	return b.MustStoreUInt(op, 16).EndCell()
}

// specialCells are a library that nobody has, and a proof.
func specialCells(tb testing.TB) []*cell.Cell {
	tb.Helper()
	library, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreUInt(7, 256).EndCellSpecial(true)
	require.NoError(tb, err)
	proven := cell.BeginCell().MustStoreUInt(5, 8).EndCell()
	proof, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(proven.Hash(), 256).MustStoreUInt(0, 16).MustStoreRef(proven).EndCellSpecial(true)
	require.NoError(tb, err)
	return []*cell.Cell{library, proof}
}

func dictOpcodes() (names []string, codes []uint64) {
	for _, getter := range boundedvm.Opcodes()[:boundedvm.LibraryOpcodes()] {
		op := getter()
		name := textOf(op)
		if prefix := op.GetPrefixes()[0]; strings.Contains(name, "DICT") && prefix.BitsLeft() == 16 && prefix.MustPreloadUInt(8) == 0xF4 && !strings.Contains(name, "STDICT") && !strings.Contains(name, "LDDICT") && !strings.Contains(name, "SKIPDICT") {
			names, codes = append(names, name), append(codes, prefix.MustPreloadUInt(16))
		}
	}
	return names, codes
}

// newDictionaryCode makes code that calls an opcode of dictionaries.
func newDictionaryCode(tb testing.TB) codeGenerator {
	tb.Helper()
	names, ops := dictOpcodes()
	specials := specialCells(tb)
	return func(_ testing.TB, n int) codeRun {
		d := &dictionaries{Rand: rand.New(rand.NewPCG(uint64(n), 21)), special: specials}
		k := d.IntN(len(ops))
		gas := int64(100_000)
		if d.one(4) {
			gas = 50 + d.Int64N(1500)
		}
		return codeRun{name: names[k], version: d.IntN(referenceVersion + 1), gas: gas, code: d.call(names[k], ops[k])}
	}
}

const recordedDictionaries = "testdata/reference/dictionaries.txt"

// Opcodes of dictionaries leave what they leave in the emulator of the node, in each version, with the same gas, whatever form the
// dictionaries have.
func TestDictionaries_AgreeWithTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	agree(t, recordedDictionaries, newDictionaryCode(t), 1000)
}

func TestDictionaries_HaveTheOutcomesOfTheReferenceEmulator(t *testing.T) {
	t.Parallel()
	haveRecorded(t, recordedDictionaries, newDictionaryCode(t))
}
