package sqlbuild

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
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
		again, ok := parseCurrencies(appendCurrencies(nil, e))
		require.True(t, ok)
		require.Equal(t, e, again)
	})
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
