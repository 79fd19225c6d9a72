package chain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Every mistake of one character, or of two swapped ones, is found again.
func TestCorrectAddress_FindsTheMistake(t *testing.T) {
	t.Parallel()
	address := chain.Address{Workchain: chain.BasechainID, ID: chain.Hash{1, 2, 3, 250, 31: 77}}
	text := address.Friendly(true, false)
	require.Empty(t, chain.CorrectAddress(text), "it is valid")
	for i := range text {
		for _, other := range []string{"A", "z", "7", "-"} {
			wrong := text[:i] + other + text[i+1:]
			if wrong == text {
				continue
			}
			require.Contains(t, chain.CorrectAddress(wrong), chain.AddressCorrection{Position: i + 1, Length: 1, Text: text, Address: address}, wrong)
		}
		if i+1 < len(text) && text[i] != text[i+1] {
			wrong := text[:i] + text[i+1:i+2] + text[i:i+1] + text[i+2:]
			require.Contains(t, chain.CorrectAddress(wrong), chain.AddressCorrection{Position: i + 1, Length: 2, Text: text, Address: address}, wrong)
		}
	}
}

func TestCorrectAddress_IgnoresOtherTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "EQ", strings.Repeat(" ", 48), strings.Repeat("é", 24), strings.Repeat("A", 47), strings.Repeat("A", 49)} {
		require.Empty(t, chain.CorrectAddress(text), text)
		require.False(t, chain.HasWrongChecksum(text), text)
	}
	require.LessOrEqual(t, len(chain.CorrectAddress(strings.Repeat("A", 48))), 10)
}

func BenchmarkCorrectAddress(b *testing.B) {
	text := []byte(chain.Address{ID: chain.Hash{9}}.Friendly(true, false))
	text[20] = 'x'
	for b.Loop() {
		chain.CorrectAddress(string(text))
	}
}
