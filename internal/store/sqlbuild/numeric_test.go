package sqlbuild

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func FuzzNumeric_RoundTrips(f *testing.F) {
	for _, s := range []string{"0", "1", "9999", "10000", "100000000", "-1", "1329227995784915872903807060280344575", "12340000000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok || n.BitLen() > 4000 {
			return
		}
		got, ok := parseNumeric(appendNumeric(nil, n))
		require.True(t, ok)
		require.Zero(t, n.Cmp(got), "%s became %s", n, got)
	})
}

func FuzzParseNumeric_DoesNotPanic(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 5})
	f.Fuzz(func(_ *testing.T, b []byte) {
		if len(b) < 1000 && (len(b) < 4 || b[2] < 4) { // the server bounds the weight
			parseNumeric(b)
		}
	})
}

func FuzzCurrencies_RoundTrip(f *testing.F) {
	f.Add(`{"1": "2", "300": "40000000000000000000000"}`)
	f.Add(`{"1":"2"`)
	f.Fuzz(func(t *testing.T, s string) {
		e, ok := parseCurrencies([]byte(s))
		if !ok {
			return
		}
		text := appendCurrencies(nil, e)
		require.True(t, json.Valid(text), "%s", text)
		again, ok := parseCurrencies(text)
		require.True(t, ok)
		require.Equal(t, e, again)
	})
}

// The text is that of the server for the same value, and what it cannot have written is an error.
func TestCurrencies_AreTextOfTheServer(t *testing.T) {
	t.Parallel()
	large, _ := new(big.Int).SetString("40000000000000000000000", 10)
	e := chain.ExtraCurrencies{300: large, 1: big.NewInt(2), 4294967295: big.NewInt(7)}
	const text = `{"1": "2", "300": "40000000000000000000000", "4294967295": "7"}`
	require.Equal(t, text, *CurrenciesText(e)) //nolint:testifylint // the text, not only the value
	require.Nil(t, CurrenciesText(chain.ExtraCurrencies{}))
	got, ok := parseCurrencies([]byte(text))
	require.True(t, ok)
	require.Equal(t, e, got)
	for _, text := range []string{`{}`, ``, `{"1"}`, `{"1": "2", "3"}`, `{"x": "2"}`, `{"4294967296": "2"}`, `{"-1": "2"}`, `{"1": "x"}`, `{"1": ""}`, `{"1": "2`} {
		_, ok := parseCurrencies([]byte(text))
		require.False(t, ok, text)
	}
}

func TestParseNumeric_DamagedNumbersAreRefused(t *testing.T) {
	t.Parallel()
	well := appendNumeric(nil, big.NewInt(123_456_789))
	for i := range well {
		_, ok := parseNumeric(well[:i])
		require.False(t, ok, "%d bytes", i)
	}
	_, ok := parseNumeric(append(slices.Clone(well), 0))
	require.False(t, ok)
	for name, change := range map[string]func([]byte){
		"a sign of no number":     func(b []byte) { b[4], b[5] = 0xC0, 0 }, // NaN
		"digits behind the point": func(b []byte) { b[2], b[3] = 0, 0 },
	} {
		b := slices.Clone(well)
		change(b)
		_, ok := parseNumeric(b)
		require.False(t, ok, name)
	}
}

func TestRow_WrongColumnsAreAnError(t *testing.T) {
	t.Parallel()
	for name, columns := range map[string][][]byte{
		"none":      nil,
		"too short": {{1, 2}},
		"too many":  {make([]byte, 8), make([]byte, 8), {}},
	} {
		r := Row{Columns: columns}
		r.Uint32()
		r.Uint32()
		require.ErrorIs(t, r.end(), ErrRow, name)
	}
}
