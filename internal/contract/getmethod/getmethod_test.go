package getmethod_test

import (
	"encoding/json"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/contract"
	"tonql/internal/contract/getmethod"
)

func method(t *testing.T, name string) *getmethod.Method {
	t.Helper()
	m := getmethod.ByID(contract.MethodID(name))
	require.NotNil(t, m, name)
	require.Equal(t, name, m.Name)
	return m
}

// printed prints a stack as JSON, as clients receive it.
func printed(t *testing.T, m *getmethod.Method, stack ...any) []map[string]any {
	t.Helper()
	data, err := json.Marshal(getmethod.Print(m, stack))
	require.NoError(t, err)
	var list []map[string]any
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

func n(i int64) *big.Int { return big.NewInt(i) }

var owner = address.NewAddress(0, 0, slices.Repeat([]byte{0xAB}, 32))

func addressSlice(a *address.Address) *cell.Slice {
	return cell.BeginCell().MustStoreAddr(a).ToSlice()
}

func text(s string) *cell.Cell { return cell.BeginCell().MustStoreStringSnake(s).EndCell() }

func TestMethods_AreInOrderAndTheirIdsDiffer(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("methods.tsv")
	require.NoError(t, err)
	var names []string
	ids := map[int32]string{}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
		id := contract.MethodID(name)
		require.Contains(t, []string{"", name}, ids[id])
		ids[id] = name
	}
	require.True(t, slices.IsSorted(names))
	require.Greater(t, len(ids), 200)
}

func TestPrint_ResultsOfStandardsHaveNamesAndTypes(t *testing.T) {
	t.Parallel()
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreStringSnake("https://example.com/j.json").EndCell()
	code := cell.BeginCell().MustStoreUInt(0xFF00, 16).EndCell()
	got := printed(t, method(t, "get_jetton_data"), n(1_000), n(-1), addressSlice(owner), content, code)
	require.Equal(t, map[string]any{"name": "total_supply", "type": "int", "value": "1000"}, got[0])
	require.Equal(t, map[string]any{"name": "mintable", "type": "bool", "value": true}, got[1])
	require.Equal(t, map[string]any{"name": "admin_address", "type": "address", "value": "0:" + strings.Repeat("AB", 32)}, got[2])
	require.Equal(t, "content", got[3]["type"])
	require.Equal(t, map[string]any{"uri": "https://example.com/j.json"}, got[3]["value"])
	require.Equal(t, "cell", got[4]["type"])
	require.InDelta(t, 16, got[4]["bits"], 0)
}

func TestPrint_CoinsTimesAndHashesHaveTheirType(t *testing.T) {
	t.Parallel()
	sale := printed(t, method(t, "get_sale_data"), addressSlice(owner), addressSlice(owner), addressSlice(address.NewAddressNone()), n(5e9), n(1), addressSlice(owner), n(0))
	require.Equal(t, "coins", sale[3]["type"])
	require.Equal(t, "5000000000", sale[3]["value"])
	require.Equal(t, map[string]any{"name": "owner", "type": "address"}, sale[2], "nobody's address has no value")
	key := printed(t, method(t, "get_public_key"), new(big.Int).Lsh(n(1), 248))
	require.Equal(t, "01"+strings.Repeat("0", 62), key[0]["value"])
	require.Equal(t, "time", printed(t, method(t, "get_revoked_time"), n(1_700_000_000))[0]["type"])
	require.Equal(t, "int", printed(t, method(t, "get_revoked_time"), n(-5))[0]["type"], "what is no time stays a number")
}

func TestPrint_BytesThatAreNoTextStayASlice(t *testing.T) {
	t.Parallel()
	name := func(b string) map[string]any {
		return printed(t, method(t, "get_telemint_token_name"), cell.BeginCell().MustStoreSlice([]byte(b), uint(8*len(b))).ToSlice())[0]
	}
	require.Equal(t, "text", name("alice")["type"])
	require.Equal(t, "alice", name("alice")["value"])
	got := name("\xffalice")
	require.Equal(t, "slice", got["type"])
	require.NotContains(t, got, "value")
	require.NotEmpty(t, got["boc"])
}

// get_sale_data has three forms; a stack of none of them is printed without names.
func TestResults_TheFormFollowsFromTheStack(t *testing.T) {
	t.Parallel()
	m := method(t, "get_sale_data")
	require.Equal(t, "marketplace", m.Results(make([]any, 7))[0].Name)
	require.Equal(t, "magic", m.Results(make([]any, 11))[0].Name)
	require.Nil(t, m.Results(make([]any, 3)))
	require.Nil(t, m.Results([]any{n(1), nil, nil, nil, nil, nil, nil}), "a number is no address")
	require.Equal(t, map[string]any{"type": "int", "value": "7"}, printed(t, m, n(7))[0])
	require.Equal(t, map[string]any{"type": "int", "value": "7"}, printed(t, nil, n(7))[0])
}

func TestPrint_DictionariesHaveTheirEntries(t *testing.T) {
	t.Parallel()
	signers := cell.NewDict(8)
	require.NoError(t, signers.SetIntKey(n(3), cell.BeginCell().MustStoreAddr(owner).EndCell()))
	got := printed(t, method(t, "get_multisig_data"), n(1), n(2), signers.AsCell(), nil)
	require.Equal(t, "dictionary", got[2]["type"])
	require.Equal(t, []any{map[string]any{"key": "3", "value": map[string]any{"type": "address", "value": "0:" + strings.Repeat("AB", 32)}}}, got[2]["entries"])
	require.Equal(t, map[string]any{"name": "proposers", "type": "null"}, got[3])
	extensions := cell.NewDict(256)
	require.NoError(t, extensions.SetIntKey(n(5), cell.BeginCell().MustStoreUInt(1, 1).EndCell()))
	got = printed(t, method(t, "get_extensions"), extensions.AsCell())
	require.Equal(t, strings.Repeat("0", 63)+"5", got[0]["entries"].([]any)[0].(map[string]any)["key"])
}

func TestPrint_ValuesOfNoStandardAreReadWhereTheyAreUnambiguous(t *testing.T) {
	t.Parallel()
	external := cell.BeginCell().MustStoreUInt(0b01, 2).MustStoreUInt(256, 9).MustStoreSlice(make([]byte, 32), 256).ToSlice()
	list := []any{n(1), []any{n(2), nil}}
	got := printed(t, nil, addressSlice(owner), external, text("hello"), cell.BeginCell().MustStoreUInt(0x80, 8).EndCell(),
		[]any{n(1), n(2), n(3)}, list, contract.NaN{}, cell.BeginCell(), contract.Opaque{})
	types := make([]any, len(got))
	for i := range got {
		types[i] = got[i]["type"]
	}
	require.Equal(t, []any{"address", "slice", "cell", "cell", "tuple", "list", "nan", "builder", "continuation"}, types)
	require.Equal(t, "hello", got[2]["text"])
	require.NotContains(t, got[3], "text")
	require.Len(t, got[5]["items"], 2)
}

func TestPrint_HostileValuesAreBounded(t *testing.T) {
	t.Parallel()
	start := time.Now()
	endless := cellgraphtest.Dict(8, cell.BeginCell().MustStoreRef(cellgraphtest.Shared(500, nil)))
	many := cellgraphtest.Dict(256, cell.BeginCell().MustStoreUInt(1, 1))
	got := getmethod.Print(method(t, "get_multisig_data"), []any{n(1), n(2), endless, cellgraphtest.Shared(500, nil)})
	require.Len(t, got[2].Entries, 256)
	for _, e := range got[2].Entries {
		require.Empty(t, e.Value.BoC, "a large value has only its hash")
	}
	got = getmethod.Print(method(t, "get_extensions"), []any{many})
	require.Len(t, got[0].Entries, 256)
	require.True(t, got[0].More)
	got = getmethod.Print(nil, []any{cellgraphtest.Snake(500, nil)})
	require.Less(t, len(got[0].Text), 5000)
	data, err := json.Marshal(got)
	require.NoError(t, err)
	require.Less(t, len(data), 2<<20)
	require.Less(t, time.Since(start), 5*time.Second)
}
