package payment

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFormatAmount_IsDecimalWithoutTrailingZeros(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw      string
		decimals int
		want     string
	}{
		{"10500000000", 9, "10.5"}, {"25000000", 6, "25"}, {"1", 9, "0.000000001"}, {"100", 0, "100"}, {"0", 9, "0"},
		{"123456789012345678901234567890", 18, "123456789012.34567890123456789"},
	} {
		raw, ok := new(big.Int).SetString(c.raw, 10)
		require.True(t, ok)
		require.Equal(t, c.want, FormatAmount(raw, c.decimals))
		if raw.Sign() > 0 {
			back, err := ParseAmount(c.want, c.decimals)
			require.NoError(t, err)
			require.Equal(t, c.raw, back.String())
		}
	}
}

func TestParseAmount_ReadsExactPositiveAmountsOnly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1e9, "0.1": 1e8, "1e-9": 1, "1E-9": 1, "1.5e3": 15e11, "1e+1": 1e10, "0.500000000000": 5e8, "10.50": 105e8, "100e-2": 1e9,
	} {
		raw, err := ParseAmount(text, 9)
		require.NoError(t, err, text)
		require.Equal(t, want, raw.Int64(), text)
	}
	for _, text := range []string{
		"", "0", "-1", "+1", "1.", ".5", "1e", "1e-10", "0.0000000001", "0x1", "1_0", "1,5", "NaN", "1e999999999", "1e400", "١",
		"1.1.1", "1e5e5", "99999999999999999999999999999999999999999",
	} {
		_, err := ParseAmount(text, 9)
		require.Error(t, err, text)
	}
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 120), big.NewInt(1)) // VarUInteger 16
	raw, err := ParseAmount(largest.String(), 0)
	require.NoError(t, err)
	require.Equal(t, largest, raw)
	_, err = ParseAmount(largest.Add(largest, big.NewInt(1)).String(), 0)
	require.ErrorContains(t, err, "larger than a message can carry")
	_, err = ParseAmount("0.1"+strings.Repeat("0", longestAmount-3), 9)
	require.NoError(t, err)
	_, err = ParseAmount("0.1"+strings.Repeat("0", longestAmount-2), 9)
	require.ErrorContains(t, err, "is too long")
	_, err = ParseAmount("0.5", 0)
	require.ErrorContains(t, err, "more decimals than the asset")
}

func FuzzParseAmount_RoundTrips(f *testing.F) {
	f.Add("1.5e3", uint8(9))
	f.Fuzz(func(t *testing.T, text string, decimals uint8) {
		raw, err := ParseAmount(text, int(decimals))
		if err != nil {
			return
		}
		again, err := ParseAmount(FormatAmount(raw, int(decimals)), int(decimals))
		require.NoError(t, err)
		require.Equal(t, raw, again)
	})
}
