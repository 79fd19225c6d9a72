package boundedvm_test

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"

	"tonql/internal/boundedvm"
	"tonql/internal/pacetest"
)

// group is a loop of opcodes with arguments that make them expensive for their gas.
type group struct {
	name  string
	stack []any
	start string // code before the loop
	body  string // code of the loop, at most 15 bytes
	refs  []*cell.Cell
	extra *cell.Cell // extra currencies of the account
	full  []any      // globals
}

func bigHex(text string) *big.Int {
	return new(big.Int).SetBytes(unhex(text))
}

// groups returns the loops of the table in docs/vm.md.
func groups(tb testing.TB) []group {
	tb.Helper()
	a := newArguments(tb)
	full := make([]byte, 128)
	for i := range full {
		full[i] = byte(i*37 + 11)
	}
	bits1023 := cell.BeginCell().MustStoreSlice(full, 1023).EndCell().MustBeginParse()
	secpX := bigHex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	n := bigHex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140")
	seed := make([]byte, 32)
	key := ed25519.NewKeyFromSeed(seed)
	hash := make([]byte, 32)
	hash[0] = 7
	signature := bytesSlice(ed25519.Sign(key, hash))
	public := new(big.Int).SetBytes(key.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // of ed25519
	p256, err := ecdh.P256().NewPrivateKey(bigHex("01" + strings.Repeat("23", 31)).Bytes())
	require.NoError(tb, err)
	point := p256.PublicKey().Bytes()
	compressed := append([]byte{2 + point[64]&1}, point[1:33]...)
	hashInt := new(big.Int).SetBytes(hash)
	g1, g2 := bytesSlice(blsG1), bytesSlice(blsG2)
	scalar := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	var deep []any
	for i := range 30_100 {
		deep = append(deep, big.NewInt(int64(i)<<20))
	}
	builders := []any{}
	for range 254 {
		builders = append(builders, cell.BeginCell().MustStoreSlice(full, 1023))
	}
	values := make([]any, 255)
	for i := range values {
		values[i] = new(big.Int).Add(scalar, big.NewInt(int64(i)))
	}
	dict32 := a.cells[8]
	return []group{
		{name: "cheapest: DUP DROP", stack: []any{1}, body: "2030"},
		{name: "ADD of 256 bits", stack: []any{scalar}, body: "2020A030"},
		{name: "MULDIVMOD of 256 bits", stack: []any{scalar}, body: "202020A98C5F02"},
		{name: "NEWC STSLICE of 1023 bits", stack: []any{bits1023}, body: "20C8CE30"},
		{name: "NEWC STSLICE ENDC", stack: []any{bits1023}, body: "20C8CEC930"},
		{name: "HASHCU", stack: []any{a.cells[2]}, body: "20F90030"},
		{name: "HASHSU", stack: []any{bits1023}, body: "20F90130"},
		{name: "CTOS of a known cell", stack: []any{a.cells[2]}, body: "20D030"},
		{name: "CDATASIZE of 500 cells", stack: []any{a.cells[3]}, body: "20817FFFF9415F03"},
		{name: "DICTUGET of 1000 keys", stack: []any{0, dict32}, body: "21218020F40E5F02"},
		{name: "DICTUSET of 1000 keys", stack: []any{bytesSlice(full[:25]), 5, dict32}, body: "2222228020F41630"},
		{name: "SHA256U", stack: []any{bytesSlice(full[:127])}, body: "20F90230"},
		{name: "HASHEXT sha256, 16 slices", stack: []any{bits1023}, body: "205FF08010F9040030"},
		{name: "HASHEXT blake2b, 16 slices", stack: []any{bits1023}, body: "205FF08010F9040230"},
		{name: "HASHEXT keccak512, 16 slices", stack: []any{bits1023}, body: "205FF08010F9040430"},
		{name: "CHKSIGNU", stack: []any{hashInt, signature, public}, body: "222222F91030"},
		{name: "ECRECOVER", stack: []any{scalar, 0, secpX, new(big.Int).Rsh(n, 3)}, body: "23232323F9125F04"},
		{name: "SECP256K1_XONLY_PUBKEY_TWEAK_ADD", stack: []any{secpX, new(big.Int).Rsh(n, 3)}, body: "2121F9135F04"},
		{name: "P256_CHKSIGNU", stack: []any{hashInt, bytesSlice(append(slices.Clone(hash), compressed[1:]...)), bytesSlice(compressed)}, body: "222222F91430"},
		{name: "RIST255_FROMHASH", stack: []any{scalar, hashInt}, body: "2121F92030"},
		{name: "RIST255_VALIDATE", start: "75F925", body: "20F921"},
		{name: "RIST255_ADD", start: "75F925", body: "2020F92230"},
		{name: "RIST255_MUL", stack: []any{scalar}, start: "75F925", body: "2021F92430"},
		{name: "RIST255_MULBASE", stack: []any{scalar}, body: "20F92530"},
		{name: "BLS_VERIFY", stack: []any{g1, signature, g2}, body: "222222F9300030"},
		{name: "BLS_AGGREGATE", stack: []any{g2}, body: "2020202074F9300130"},
		{name: "BLS_FASTAGGREGATEVERIFY", stack: []any{g1, signature, g2}, body: "22712323F9300230"},
		{name: "BLS_G1_ADD", stack: []any{g1}, body: "2020F9301030"},
		{name: "BLS_G1_NEG", stack: []any{g1}, body: "20F9301230"},
		{name: "BLS_G1_MUL", stack: []any{g1, scalar}, body: "2121F9301330"},
		{name: "BLS_G1_MULTIEXP of 4", stack: []any{g1, scalar}, body: "212121212121212174F9301430"},
		{name: "BLS_MAP_TO_G1", stack: []any{bytesSlice(full[:48])}, body: "20F9301630"},
		{name: "BLS_G1_INGROUP", stack: []any{g1}, body: "20F9301730"},
		{name: "BLS_G2_ADD", stack: []any{g2}, body: "2020F9302030"},
		{name: "BLS_G2_NEG", stack: []any{g2}, body: "20F9302230"},
		{name: "BLS_G2_MUL", stack: []any{g2, scalar}, body: "2121F9302330"},
		{name: "BLS_G2_MULTIEXP of 2", stack: []any{g2, scalar}, body: "2121212172F9302430"},
		{name: "BLS_MAP_TO_G2", stack: []any{bytesSlice(full[:96])}, body: "20F9302630"},
		{name: "BLS_G2_INGROUP", stack: []any{g2}, body: "20F9302730"},
		{name: "BLS_PAIRING of 2", stack: []any{g1, g2}, body: "2121212172F9303030"},
		{name: "RANDU256", body: "F81030"},
		{name: "RANDU256 with the smallest c7", start: "707070707070716F076F01ED57", body: "F81030"},
		{name: "ADDRAND", stack: []any{scalar}, body: "20F815"},
		{name: "RAND", stack: []any{scalar}, body: "20F81130"},
		{name: "SETGLOB 254", stack: []any{scalar}, body: "208100FEF860"},
		{name: "GETPARAM", body: "F82830"},
		{name: "BALANCE with extra currencies and 254 globals, c7 restored", extra: dict32, full: builders, body: "95EDA7F82730D8"},
		{name: "RUNVM without values", body: "708B08DB400030"},
		{name: "RUNVM with c7 of 255 values", stack: []any{tuple.NewTupleValue(values...)}, body: "708B0822DB401030"},
		{name: "TRY and THROW", body: "92F205925F02F2FF"},
		{name: "TRY and an unknown opcode", body: "92F7FF925F02F2FF", refs: []*cell.Cell{a.cells[4]}},
		{name: "CALLCC", body: "91D8DB34"},
		{name: "EXECUTE of a closure of 254 builders", stack: builders, start: "926865" + "8100FE" + "70" + "ED11", body: "20D8"},
		{name: "DUP of a closure of 254 builders", stack: builders, start: "90" + "8100FE" + "7F" + "ED11", body: "2030"},
		{name: "PUSHCTR c0", body: "ED4030"},
		{name: "DUP of a full builder", stack: []any{builders[0]}, body: "2030"},
		{name: "UNTUPLE and TUPLE of 255", stack: []any{tuple.NewTupleValue(values...)}, body: "8100FF6F828100FF6F80"},
		{name: "SETINDEX in 255", stack: []any{tuple.NewTupleValue(values...)}, body: "716F50"},
		{name: "ROLLX of 30,000", stack: deep, body: "81753061"},
		{name: "BLKSWX of 30,000", stack: deep, body: "81100081600063"},
		{name: "REVX of 30,000", stack: deep, body: "8175307064"},
		{name: "XCHGX of 30,000", stack: deep, body: "81753067"},
		{name: "SENDRAWMSG", stack: []any{a.cells[6]}, body: "2070FB00"},
		{name: "SENDMSG that only computes the fee", stack: []any{a.cells[6]}, body: "20810400FB0830"},
		{name: "GETFORWARDFEE", body: "717272F83830"},
		{name: "LDMSGADDR", stack: []any{a.cells[5].MustBeginParse()}, body: "20FA405F02"},
		{name: "REWRITESTDADDR", stack: []any{a.cells[5].MustBeginParse()}, body: "20FA445F02"},
	}
}

// fullRegisters returns a c7 with all parameters, like that of a transaction.
func fullRegisters() tuple.Tuple {
	block := tuple.NewTupleValue(big.NewInt(-1), big.NewInt(1<<62), big.NewInt(1000), new(big.Int).Lsh(big.NewInt(5), 250), new(big.Int).Lsh(big.NewInt(7), 250))
	blocks := make([]any, 16)
	for i := range blocks {
		blocks[i] = block
	}
	prices := cell.BeginCell().MustStoreUInt(0xEA, 8).MustStoreUInt(400_000, 64).MustStoreUInt(26_214_400, 64).MustStoreUInt(2_621_440_000, 64).
		MustStoreUInt(98_304, 32).MustStoreUInt(21_845, 16).MustStoreUInt(21_845, 16).EndCell().MustBeginParse()
	config := tuple.NewTupleValue(nil, nil, nil, nil, prices, prices, nil)
	return tuple.NewTupleValue(tuple.NewTupleValue(
		big.NewInt(0x076ef1ea), big.NewInt(0), big.NewInt(0), big.NewInt(1_700_000_000), big.NewInt(1), big.NewInt(2),
		new(big.Int).Lsh(big.NewInt(0x5eed), 200), tuple.NewTupleValue(big.NewInt(1e9), nil),
		cell.BeginCell().MustStoreUInt(0x400, 11).MustStoreUInt(7, 256).ToSlice(), nil, nil, tuple.NewTupleValue(big.NewInt(1), nil), big.NewInt(0),
		tuple.NewTupleValue(tuple.NewTupleValue(blocks...), block, tuple.NewTupleValue(blocks...)), config, big.NewInt(0), nil, tuple.NewTupleValue(),
	))
}

// measured is the cost of a loop for each unit of its gas.
type measured struct {
	name         string
	nanos, bytes float64
	exit         int64
}

func measure(tb testing.TB, machine *tvm.TVM, g group, gas int64) measured {
	tb.Helper()
	code := codeOf(tb, g.start+pushcont(tb, g.body)+"EA", g.refs...)
	if len(g.refs) > 0 {
		code = codeOf(tb, g.start+"8AEA", codeOf(tb, g.body, g.refs...))
	}
	p := program{code: code, stack: hostValues(g.stack), gas: gas, c7: fullRegisters(), run: startRun(tb, tb.Context(), boundedvm.Limits{Time: 20 * time.Second})}
	p.run.ShowExtra(g.extra)
	if first, err := p.c7.Index(0); len(g.full) > 0 {
		require.NoError(tb, err)
		p.c7 = tuple.NewTupleValue(append([]any{first}, g.full...)...)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpuTime()
	res, err := execute(tb, machine, p)
	took := cpuTime() - start
	runtime.ReadMemStats(&after)
	require.NoError(tb, err, g.name)
	used := float64(res.GasUsed)
	return measured{name: g.name, nanos: float64(took) / used, bytes: float64(after.TotalAlloc-before.TotalAlloc) / used, exit: res.ExitCode}
}

// hostValues turns Go integers into those of the VM.
func hostValues(values []any) []any {
	out := slices.Clone(values)
	for i, v := range out {
		if n, ok := v.(int); ok {
			out[i] = big.NewInt(int64(n))
		}
	}
	return out
}

func pushcont(tb testing.TB, body string) string {
	tb.Helper()
	require.LessOrEqual(tb, len(body), 30)
	return "9" + string("0123456789ABCDEF"[len(body)/2]) + body
}

// No group costs more than 200 times the median: noise stays below, an unbounded opcode is far above. The table in
// docs/vm.md is the log of this test on an idle machine.
func TestGroups_CostsAreBounded(t *testing.T) {
	if pacetest.Short() {
		t.Skip("measures for seconds")
	}
	all := make([]measured, 0, 64)
	for _, g := range groups(t) {
		all = append(all, measure(t, boundedvm.New(), g, millionGas/4))
	}
	slices.SortFunc(all, func(x, y measured) int { return int(1e6 * (y.nanos - x.nanos)) })
	median := all[len(all)/2].nanos
	t.Logf("median %.1f ns for each unit of gas", median)
	for _, m := range all {
		t.Logf("%9.1f ns/gas %8.1f B/gas allocated, exit %d: %s", m.nanos, m.bytes, m.exit, m.name)
		require.Less(t, m.nanos, 200*median, m.name)
		require.Less(t, m.bytes, 600.0, m.name)
	}
}
