package merchant

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The symbol of a Jetton, which is anybody's text, does not pretend to be another asset or change what is around it.
func TestTicker_OfHostileSymbolsIsHarmless(t *testing.T) {
	t.Parallel()
	for symbol, want := range map[string]string{
		"USD₮":                       "USD₮",
		"jUSDT 💎":                    "jUSDT 💎",
		" A  B ":                     "A  B",
		"":                           "",
		"TON":                        "",
		" t\u200boN\u0000\u202e":     "",
		"\u202eNOT\u2066":            "NOT",
		"A\r\nB\tC\u2028D\u00adE":    "ABCDE",
		strings.Repeat("x", 100_000): strings.Repeat("x", maxTicker),
	} {
		require.Equal(t, want, tickerOf(symbol), "%q", symbol)
	}
	long := tickerOf(strings.Repeat("💎", 100_000))
	require.True(t, utf8.ValidString(long))
	require.Equal(t, maxTicker, utf8.RuneCountInString(long))
}
