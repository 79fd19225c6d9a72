package resolvers

import (
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/chain"
	"tonql/internal/contract/getmethod"
	"tonql/internal/emulate"
)

func TestParseCell_BoundsTheCellsOfAParameter(t *testing.T) {
	t.Parallel()
	// A tree with n leaves, each another cell.
	tree := func(n int) string {
		row := make([]*cell.Cell, n)
		for i := range row {
			row[i] = cell.BeginCell().MustStoreUInt(uint64(i), 32).EndCell()
		}
		for len(row) > 1 {
			var up []*cell.Cell
			for i := 0; i < len(row); i += 4 {
				b := cell.BeginCell()
				for _, c := range row[i:min(i+4, len(row))] {
					b.MustStoreRef(c)
				}
				up = append(up, b.EndCell())
			}
			row = up
		}
		return base64.StdEncoding.EncodeToString(row[0].ToBOC())
	}
	_, err := ParseCell("body", tree(1000))
	require.NoError(t, err)
	_, err = ParseCell("body", tree(66_000))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	complete := cell.BeginCell().MustStoreRef(cell.BeginCell().MustStoreUInt(1, 8).EndCell()).EndCell()
	_, err = ParseCell("body", base64.StdEncoding.EncodeToString(cellgraphtest.Hidden(complete)))
	require.Equal(t, chain.Invalid, chain.KindOf(err), "pruned cells")
}

// A list is printed flat, however long it is.
func TestAppendStack_LongListsArePrintedFlat(t *testing.T) {
	t.Parallel()
	var list any
	for range 8000 {
		list = []any{big.NewInt(7), list}
	}
	printed, err := AppendStack(nil, []any{list})
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(printed), `"list"`))
	require.Equal(t, 8000, strings.Count(string(printed), `"num"`))
	values := getmethod.Print(nil, []any{list})
	require.Equal(t, "list", values[0].Type)
	require.Len(t, values[0].Items, 8000)
}

// A slice on the stack is a cell for clients of /api/v3, as on the stack of /api/v2, and a slice within tuples and lists and
// for clients of GraphQL.
func TestAppendStack_SlicesOnTheStackAreCells(t *testing.T) {
	t.Parallel()
	c := cell.BeginCell().MustStoreUInt(0xabc, 12).EndCell()
	s := c.MustBeginParse()
	bag := `"value":"` + base64.StdEncoding.EncodeToString(c.ToBOC()) + `"}`
	values := []any{s, []any{s, c}, []any{s, nil}}
	nested := `{"type":"tuple","value":[{"type":"slice",` + bag + `,{"type":"cell",` + bag + `]},{"type":"list","value":[{"type":"slice",` + bag + `]}]`
	printed, err := AppendStack(nil, values)
	require.NoError(t, err)
	require.Equal(t, `[{"type":"cell",`+bag+`,`+nested, string(printed))
	require.Same(t, s, values[0])
	printed, err = appendStack(nil, values, true)
	require.NoError(t, err)
	require.Equal(t, `[{"type":"slice",`+bag+`,`+nested, string(printed))
}

// A number has 257 bits and a sign; its digits are decimal, or hex behind 0x.
func TestParseStackValue_NumbersHave257Bits(t *testing.T) {
	t.Parallel()
	pow := func(n uint, add int64) *big.Int {
		return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), n), big.NewInt(add))
	}
	for text, want := range map[string]*big.Int{
		"5": big.NewInt(5), "-5": big.NewInt(-5), "0x1F": big.NewInt(31), "-0X1f": big.NewInt(-31), "007": big.NewInt(7),
		pow(256, -1).String(): pow(256, -1), "-" + pow(256, 0).String(): new(big.Int).Neg(pow(256, 0)), "-0x" + pow(256, 0).Text(16): new(big.Int).Neg(pow(256, 0)),
	} {
		v, err := ParseStackValue("num", text)
		require.NoError(t, err, text)
		require.Equal(t, want.String(), v.(*big.Int).String(), text)
	}
	for _, text := range []string{
		"", "-", "--5", "+5", "0x", "0x-5", "1f", "1e3", "1_000", " 5", "0b1", "0x0x1",
		pow(256, 0).String(), "-" + pow(256, 1).String(), "-" + pow(257, 0).String(), strings.Repeat("0", 91),
	} {
		_, err := ParseStackValue("num", text)
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%q: %v", text, err)
	}
}

// Values without a form are errors that clients may read, or have the type alone, at every depth.
func TestAppendStack_ValuesWithoutAFormAreNamed(t *testing.T) {
	t.Parallel()
	for kind, v := range map[string]any{"builder": cell.BeginCell(), "NaN": emulate.NaN{}, "continuation": struct{}{}} {
		for _, values := range [][]any{{v}, {big.NewInt(1), []any{big.NewInt(2), []any{v}, v}}} {
			_, err := AppendStack(nil, values)
			var unprintable *UnprintableError
			require.ErrorAs(t, err, &unprintable, kind)
			require.Equal(t, "the stack holds a "+kind+", which this interface has no form for", err.Error())
			require.Equal(t, chain.Invalid, chain.KindOf(err))
		}
		printed, err := appendStack(nil, []any{[]any{v, big.NewInt(-1)}, v}, true)
		require.NoError(t, err)
		require.Equal(t, `[{"type":"tuple","value":[{"type":"`+kind+`"},{"type":"num","value":"-0x1"}]},{"type":"`+kind+`"}]`, string(printed))
	}
}

// Arguments have a limited number of values on all levels together, of levels, and of entries of each tuple.
func TestParseInputs_LimitsAreInclusive(t *testing.T) {
	t.Parallel()
	null := func(n int) []*chain.StackInput { return slices.Repeat([]*chain.StackInput{{Type: "null"}}, n) }
	nested := func(kind string, depth int) []*chain.StackInput {
		in := null(1)
		for range depth {
			in = []*chain.StackInput{{Type: kind, Items: in}}
		}
		return in
	}
	for text, inputs := range map[string][2][]*chain.StackInput{
		"stack: at most 1000 values are allowed":                  {null(maxArgumentItems), null(maxArgumentItems + 1)},
		"stack: at most 8 levels of tuples and lists are allowed": {nested("list", maxArgumentDepth), nested("list", maxArgumentDepth+1)},
		"stack: a tuple has at most 255 entries":                  {{{Type: "tuple", Items: null(maxTuple)}}, {{Type: "tuple", Items: null(maxTuple + 1)}}},
		"stack: only a tuple or list has items":                   {{{Type: "list", Items: null(maxTuple + 1)}}, {{Type: "num", Items: null(1)}}},
		"stack: a tuple has items, not a value":                   {{{Type: "tuple"}}, {{Type: "tuple", Value: new("")}}},
		"stack: null has no value":                                {{{Type: "num", Value: new("1")}}, {{Type: "null", Value: new("1")}}},
		`stack: "num" needs a value`:                              {{{Type: "address", Value: new("")}}, {{Type: "num"}}},
	} {
		left := maxArgumentItems
		values, err := parseInputs(inputs[0], &left, 0)
		require.NoError(t, err, text)
		require.Len(t, values, len(inputs[0]))
		left = maxArgumentItems
		_, err = parseInputs(inputs[1], &left, 0)
		require.EqualError(t, err, text)
	}
	left := 3
	_, err := parseInputs([]*chain.StackInput{{Type: "list", Items: null(2)}, {Type: "null"}}, &left, 0)
	require.ErrorContains(t, err, "values are allowed", "on all levels together")
}
