package chain_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestContent_SizeIsThatOfItsJSON(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := range rune(0x2100) {
		all.WriteRune(r)
	}
	all.WriteString("\U0001F600\uFFFD\xff")
	text := all.String()
	for r := range strings.SplitSeq(text, "") {
		require.Equal(t, len(jsonOf(t, r))-2, chain.JSONSize(r), "%q", r)
	}
	for _, c := range []chain.Content{{"name": text, "uri": ""}, {"name": "N"}, {"uri": strings.Repeat("\x01", 100), "image": "&"}} {
		// The last attribute is not followed by a comma.
		require.Equal(t, len(jsonOf(t, c))+1, c.Size())
	}
}

func TestCutJSON_EndsBetweenCharacters(t *testing.T) {
	t.Parallel()
	const text = "a\x01é\n€&\U0001F600z"
	for limit := range 40 {
		cut := chain.CutJSON(text, limit)
		require.True(t, strings.HasPrefix(text, cut))
		require.True(t, utf8.ValidString(cut))
		require.LessOrEqual(t, chain.JSONSize(cut), limit)
		if cut != text {
			_, next := utf8.DecodeRuneInString(text[len(cut):])
			require.Greater(t, chain.JSONSize(text[:len(cut)+next]), limit, "another character would fit")
		}
	}
	require.Equal(t, text, chain.CutJSON(text, 40))
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return b
}
