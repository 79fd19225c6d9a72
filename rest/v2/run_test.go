package v2_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chaintest"
	"tonql/internal/contract"
	v2 "tonql/rest/v2"
)

// Arguments of both dialects are returned in tonlib's format.
func TestStack_ValuesRoundTripInBothDialects(t *testing.T) {
	t.Parallel()
	leaf := cell.BeginCell().MustStoreUInt(7, 32).EndCell()
	bag := base64.StdEncoding.EncodeToString(leaf.ToBOC())
	odd := cell.BeginCell().MustStoreUInt(0b101, 3).MustStoreRef(leaf).EndCell()
	for _, tc := range []struct {
		value       any
		old, tagged string
	}{
		{big.NewInt(-42), `["num","-0x2a"]`, `{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"-42"}}`},
		{leaf, `["cell",{"bytes":"` + bag + `","object":{"data":{"b64":"AAAABw==","len":32},"refs":[],"special":false}}]`,
			`{"@type":"tvm.stackEntryCell","cell":{"@type":"tvm.cell","bytes":"` + bag + `"}}`},
		{leaf.MustBeginParse(), `["cell",{"bytes":"` + bag + `","object":{"data":{"b64":"AAAABw==","len":32},"refs":[],"special":false}}]`,
			`{"@type":"tvm.stackEntrySlice","slice":{"@type":"tvm.slice","bytes":"` + bag + `"}}`},
		{nil, `["list",{"@type":"tvm.list","elements":[]}]`, `{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":[]}}`},
		{[]any{}, `["tuple",{"@type":"tvm.tuple","elements":[]}]`, `{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":[]}}`},
		{[]any{big.NewInt(1), []any{big.NewInt(2), nil}},
			`["list",{"@type":"tvm.list","elements":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"1"}},{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"2"}}]}]`,
			`{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"1"}},{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"2"}}]}}`},
		{cell.BeginCell(), `["unsupported",""]`, `{"@type":"tvm.stackEntryUnsupported"}`},
	} {
		old, tagged, err := v2.PrintValue(tc.value)
		require.NoError(t, err)
		require.JSONEq(t, tc.old, old)
		require.JSONEq(t, tc.tagged, tagged)
	}
	old, _, err := v2.PrintValue(odd)
	require.NoError(t, err)
	require.Contains(t, old, `"b64":"sA==","len":3`, "bits that do not fill a byte end with a 1")
	require.Contains(t, old, `"refs":[{"data"`)
	old, _, err = v2.PrintValue(cell.BeginCell().MustStoreRef(leaf).MustStoreRef(odd).MustStoreRef(leaf).EndCell())
	require.NoError(t, err)
	var pair [2]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(old), &pair))
	var shown struct {
		Object struct {
			Refs []struct{ Data struct{ B64 string } }
		}
	}
	require.NoError(t, json.Unmarshal(pair[1], &shown))
	require.Len(t, shown.Object.Refs, 3)
	require.Equal(t, "sA==", shown.Object.Refs[1].Data.B64)
}

// A get-method call on an account without code has exit code -13 and returns its arguments, in both dialects.
func TestRunGetMethod_AccountWithoutCodeReturnsArguments(t *testing.T) {
	t.Parallel()
	d := serve(t)
	request := map[string]any{"address": chaintest.JettonWallet.String(), "method": "seqno", "seqno": 11}
	run := func(route string, stack any) (string, int) {
		request["stack"] = stack
		body, err := json.Marshal(request)
		require.NoError(t, err)
		e := d.open(d.do(http.MethodPost, route, string(body)))
		return string(e.Result) + e.Error, e.Code
	}
	bag := base64.StdEncoding.EncodeToString(library.ToBOC())
	got, code := run("runGetMethod", []any{[]any{"num", 5}, []any{"int", "-0x10"}, []any{"tvm.Slice", bag}, []any{"cell", map[string]any{"bytes": bag}}})
	require.Zero(t, code, got)
	for _, part := range []string{`"@type":"smc.runResult","gas_used":0,"stack":[["num","0x5"],["num","-0x10"],["cell",{"bytes":"` + bag,
		`"exit_code":-13,"block_id":{"@type":"ton.blockIdExt","workchain":-1`, `"last_transaction_id":{"@type":"internal.transactionId","lt":`} {
		require.Contains(t, got, part)
	}
	number := map[string]any{"@type": "tvm.stackEntryNumber", "number": map[string]any{"number": "0x10"}}
	list := map[string]any{"@type": "tvm.stackEntryList", "list": map[string]any{"elements": []any{number, number}}}
	got, code = run("runGetMethodStd", []any{number, list})
	require.Zero(t, code, got)
	require.Contains(t, got, `"number":"16"}},{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":[{`)
	require.NotContains(t, got, "block_id")

	// What is sent in the form of results is returned unchanged.
	entries := `[{"@type":"tvm.stackEntryCell","cell":{"@type":"tvm.cell","bytes":"` + bag + `"}},` +
		`{"@type":"tvm.stackEntrySlice","slice":{"@type":"tvm.slice","bytes":"` + bag + `"}},` +
		`{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":[{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":[]}}]}}`
	got, code = run("runGetMethodStd", json.RawMessage(entries+"]"))
	require.Zero(t, code, got)
	require.Contains(t, got, `"stack":`+entries)
	pairs := `[["tuple",{"@type":"tvm.tuple","elements":` + entries + `]}],["list",{"@type":"tvm.list","elements":` + entries + `]}]`
	got, code = run("runGetMethod", json.RawMessage(pairs+"]"))
	require.Zero(t, code, got)
	require.Contains(t, got, `"stack":`+pairs)
	got, code = run("runGetMethod", json.RawMessage(strings.NewReplacer(`["tuple"`, `["tvm.Tuple"`, `["list"`, `["tvm.List"`).Replace(pairs)+"]"))
	require.Zero(t, code, got)
	require.Contains(t, got, `"stack":`+pairs)
}

// listOf returns a list in the form of the TVM, with end in place of null.
func listOf(n int, end any) any {
	list := end
	for i := range n {
		list = []any{big.NewInt(int64(i)), list}
	}
	return list
}

// A list is printed flat, however long it is; pairs that do not end with null are tuples inside tuples.
func TestStack_LongListsArePrintedFlat(t *testing.T) {
	t.Parallel()
	old, tagged, err := v2.PrintValue(listOf(8000, nil))
	require.NoError(t, err)
	require.Equal(t, 8000, strings.Count(old, "tvm.stackEntryNumber"))
	require.Equal(t, 8000, strings.Count(tagged, "tvm.stackEntryNumber"))
	require.NotContains(t, old+tagged, "tuple")
}

// Results that are nested deeper than the published limits, 100 levels of runGetMethod, have status 533.
func TestStack_DeepResultsAreRefused(t *testing.T) {
	t.Parallel()
	old, _, err := v2.PrintValue(listOf(100, big.NewInt(1)))
	require.NoError(t, err)
	require.Equal(t, 99, strings.Count(old, "tvm.stackEntryTuple"), "the first level is a pair")
	_, _, err = v2.PrintValue(listOf(101, big.NewInt(1)))
	require.ErrorIs(t, err, v2.ErrTooDeep)
	tagged, err := v2.PrintEntry(listOf(1024, big.NewInt(1)))
	require.NoError(t, err)
	require.Equal(t, 1024, strings.Count(tagged, "tvm.stackEntryTuple"))
	_, err = v2.PrintEntry(listOf(1025, big.NewInt(1)))
	require.ErrorIs(t, err, v2.ErrTooDeep)
}

// Cells of a result that runGetMethod would print too often are refused by their number, not by their depth.
func TestStack_ManyCellsAreRefusedAsSuch(t *testing.T) {
	t.Parallel()
	_, _, err := v2.PrintValue(cellgraphtest.Chain(1000, nil))
	require.NoError(t, err, "depth has no limit below that of cells")
	_, _, err = v2.PrintValue(cellgraphtest.Shared(14, nil))
	require.ErrorIs(t, err, v2.ErrTooManyCells)
	require.NotErrorIs(t, err, v2.ErrTooDeep)
	_, err = v2.PrintEntry(cellgraphtest.Shared(14, nil))
	require.NoError(t, err)
}

// The id that a text stands for is that of its number in decimal or hex. Any other text is a name.
func TestRunGetMethod_NumbersAreIDs(t *testing.T) {
	t.Parallel()
	d := serve(t)
	id := func(method string) string {
		body := `{"address":"` + chaintest.JettonWallet.String() + `","method":` + method + `,"stack":[]}`
		var result struct{ Stack [][]string }
		require.NoError(t, json.Unmarshal([]byte(d.open(d.do(http.MethodPost, "runGetMethod", body)).Result), &result))
		return result.Stack[0][1] // the arguments are returned, of which the id is the last
	}
	for method, want := range map[string]string{
		`85143`: "0x14c97", `"85143"`: "0x14c97", `"0x14c97"`: "0x14c97", `"0X14C97"`: "0x14c97", `"seqno"`: "0x14c97", `-1`: "-0x1", `"-0x10"`: "-0x10", `"010"`: "0xa", `"08"`: "0x8",
	} {
		require.Equal(t, want, id(method), method)
	}
	for _, name := range []string{"0b1", "0o17", "1_0", "0x_8", "0x", "0x-5", "--5", "2147483648", "0x80000000"} {
		require.Equal(t, fmt.Sprintf("0x%x", contract.MethodID(name)), id(`"`+name+`"`), name)
	}
}
