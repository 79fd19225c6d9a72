package metadata

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestParse_ReadsObjectsWithinLimits(t *testing.T) {
	t.Parallel()
	d, f := parse([]byte("\ufeff \n{\"a\":1,\"b\":[true,null,{\"c\":\"d\"}],\"a\":2} "))
	require.Nil(t, f)
	require.Equal(t, map[string]any{"a": json.Number("2"), "b": []any{true, nil, map[string]any{"c": "d"}}}, d)

	for body, wantText := range map[string]string{
		"": "empty", " \n": "empty", "{": "not valid", `{"a":1}}`: "not valid", `{"a":1}{"b":2}`: "not valid", `{'a':1}`: "not valid",
		"[1,2]": "no object", `"text"`: "no object", "null": "no object", "12": "no object",
		"<!DOCTYPE HTML><p>": "an HTML page", "<html>": "an HTML page", `<?xml version="1.0"?><svg/>`: "an SVG image", "<a/>": "markup",
		"\xfe\xff\x00{\x00}":         "not valid",
		strings.Repeat("[", 500_000): "not valid",
	} {
		_, f := parse([]byte(body))
		require.NotNil(t, f, body)
		require.Equal(t, reasonDocument, f.reason)
		require.Contains(t, f.detail, wantText)
	}
	giant := `[` + strings.Repeat("1,", maxValues) + `{"x":[1]}]`
	d, f = parse([]byte(`{"before":1,"a":` + giant + `,"name":"X","b":{"c":` + giant + `},"after":[2]}`))
	require.Equal(t, reasonComplex, f.reason)
	require.Contains(t, f.detail, "left out")
	require.Equal(t, map[string]any{"before": json.Number("1"), "name": "X", "after": []any{json.Number("2")}}, d, "the other members stay")
}

func TestParse_CutsAtTheMaxDepth(t *testing.T) {
	t.Parallel()
	d, f := parse([]byte(strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)))
	require.Nil(t, f)
	depth := 0
	for v := any(d); v != nil; depth++ {
		v = v.(map[string]any)["a"]
	}
	require.Equal(t, maxDepth, depth)
}

func TestMerge_ContentOnTheChainWins(t *testing.T) {
	t.Parallel()
	d, f := parse([]byte(`{"name":" My\u0000  \n Coin ","symbol":"MC","description":"one\n two\u202e","image":"https://example.com/a.png",
		"decimals":9,"social":["https://t.me/x"],"attributes":[{"trait_type":"Eyes","value":1.50}],"uri":"https://liar.example","level":1e3,
		"_image_small":"https://liar.example/x","is_scam":false,"link":"javascript:alert(1)","note":"Data: 1, 2","page":"data:text/html,<p>"}`))
	require.Nil(t, f)
	m, f := merge(chain.Content{"uri": "https://example.com/a.json", "symbol": "CHAIN", "name": ""}, d)
	require.Nil(t, f)
	require.Equal(t, &chain.Metadata{
		Indexed: true, Name: "My Coin", Symbol: "CHAIN", Description: "one\n two", Image: "https://example.com/a.png",
		Extra: map[string]any{
			"uri": "https://example.com/a.json", "decimals": "9", "social": []any{"https://t.me/x"}, "level": json.Number("1000"),
			"attributes": []any{map[string]any{"trait_type": "Eyes", "value": json.Number("1.50")}}, "note": "Data: 1, 2",
		},
	}, m)
	require.Equal(t, json.Number("9"), d["decimals"], "the document is not changed")

	m, f = merge(chain.Content{"name": "On chain", "decimals": "x", "image_data": "iVBORw0KGgoAAAA="}, nil)
	require.Nil(t, f)
	require.Equal(t, "On chain", m.Name)
	require.Equal(t, "data:image/png;base64,iVBORw0KGgoAAAA=", m.Image)
	require.Empty(t, m.Extra)
}

func TestMerge_OtherTypesAreConvertedOrDropped(t *testing.T) {
	t.Parallel()
	d, f := parse([]byte(`{"name":7,"symbol":["x"],"description":null,"image":{"a":1},"decimals":"09","image_data":5}`))
	require.Nil(t, f)
	m, fault := merge(nil, d)
	require.Equal(t, "7", m.Name)
	require.Empty(t, m.Symbol+m.Description+m.Image)
	require.Equal(t, map[string]any{"decimals": "9"}, m.Extra)
	require.NotNil(t, fault, "5 is no picture")
	for _, bad := range []any{json.Number("1.5"), json.Number("-1"), "256", "", nil, true} {
		_, ok := decimals(bad)
		require.False(t, ok, bad)
	}
}

func TestExtraOf_BoundsMembersAndKeepsDecimals(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ж", maxString)
	members := map[string]any{
		"decimals": "6", "long": long, strings.Repeat("k", maxKey+1): "x", "digits": json.Number(strings.Repeat("1", maxNumber+1)),
		"huge": json.Number("1e99999"), "tiny": json.Number("1e-99999999"), "": "x", "list": make([]any, 2*maxItems),
	}
	e, f := extraOf(members)
	require.Nil(t, f)
	require.Equal(t, "6", e["decimals"])
	require.Len(t, e["long"], maxString)
	require.Len(t, e["list"], maxItems)
	require.Equal(t, json.Number("0"), e["tiny"])
	for _, name := range []string{strings.Repeat("k", maxKey+1), "digits", "huge", ""} {
		require.NotContains(t, e, name)
	}
	for i := range 1000 {
		members["m"+strings.Repeat("x", i%100)+string(rune('a'+i%26))] = long
	}
	e, _ = extraOf(members)
	text, err := json.Marshal(e)
	require.NoError(t, err)
	require.Less(t, len(text), maxExtra+1024)
	require.Equal(t, "6", e["decimals"], "decimals take their space first")
}

func TestLine_CleansAndCutsText(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a b c", line("\x00 a\r\n\tb \u202ec", 99))
	require.Equal(t, "a\ufffdb", line("a\xffb", 99))
	require.Equal(t, "жж", cut("жжж", 5))
	require.Equal(t, "a", line("a b", 2))
	require.Equal(t, "👨‍👩‍👧", line("👨‍👩‍👧", 99), "joiners hold emojis together")
}

// The metadata of any document is bounded and valid, and processing it again changes nothing.
func FuzzMerge_ResultIsBoundedAndValid(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","image":"https://example.com/a.png","decimals":9}`, `{"a":[[[[[[[[[[1]]]]]]]]]]}`, `{"a":1e400,"b":-0,"c":1E+2}`,
		`{"image":"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"}`, `{"\u0000":"\ud800"}`, "<html>", `{"image":"ipfs://x"}`,
	} {
		f.Add([]byte(seed), "name", "value")
	}
	f.Fuzz(func(t *testing.T, body []byte, name, value string) {
		d, fault := parse(body)
		if fault != nil {
			require.Equal(t, fault.reason == reasonComplex, d != nil)
			require.True(t, utf8.ValidString(fault.detail))
		}
		m, fault := merge(chain.Content{name: value}, d)
		require.False(t, fault != nil && fault.reason == reasonInternal, "a reader panicked: %v", fault)
		require.LessOrEqual(t, len(m.Name), maxName)
		require.LessOrEqual(t, len(m.Symbol), maxSymbol)
		require.LessOrEqual(t, len(m.Description), maxDescription)
		require.LessOrEqual(t, len(m.Image), 2*maxPicture)
		text, err := json.Marshal(m.Extra)
		require.NoError(t, err)
		require.LessOrEqual(t, len(text), 6*maxExtra+2) // an escaped character takes up to six bytes
		require.NotContains(t, string(text), `\u0000`)
		require.True(t, utf8.ValidString(m.Name+m.Symbol+m.Description+m.Image))
		require.NotContains(t, m.Name+m.Symbol+m.Description+m.Image, "\x00")
		if m.Image != "" {
			require.Regexp(t, `^(https?|ipfs|data:image/)`, strings.ToLower(m.Image))
			again, fault := imageAddress(m.Image)
			if len(m.Image) <= 2048 {
				require.Nil(t, fault, m.Image)
				require.Equal(t, m.Image, again)
			}
		}
		again, _ := extraOf(m.Extra)
		require.Equal(t, m.Extra, again)
	})
}
