package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"tonql/internal/jsontext"
)

// The control characters, the characters that differ between the formats, and invalid UTF-8.
const sample = "\x00\x1f\b\t\n\f\r\"\\/<>&\x7fé\u2028\U0001F48E\xff\xe2\x28"

func TestAppend_EscapesAsTheFormatDoes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		escapes *jsontext.Escapes
		want    string
	}{
		"Go":         {jsontext.Go, `"\u0000\u001f\u0008\t\n\u000c\r\"\\/\u003c\u003e\u0026` + "\x7fé\u2028\U0001F48E" + `\ufffd\ufffd("`},
		"HTML":       {jsontext.HTML, `"\u0000\u001f\u0008\t\n\u000c\r\"\\/\u003c\u003e\u0026\u007f` + "é\u2028\U0001F48E" + `\ufffd\ufffd("`},
		"JavaScript": {jsontext.JavaScript, `"\u0000\u001f\b\t\n\f\r\"\\/<>&` + "\x7fé\u2028\U0001F48E\ufffd\ufffd(" + `"`},
		"GraphQL":    {jsontext.GraphQL, `"\u0000\u001f\u0008\u0009\n\u000c\u000d\"\\/<>&` + "\x7fé\u2028\U0001F48E\ufffd\ufffd(" + `"`},
	} {
		require.Equal(t, tc.want, string(jsontext.Append(nil, sample, tc.escapes)), name)
		require.Equal(t, tc.want, string(jsontext.Append(nil, []byte(sample), tc.escapes)), name)
	}
}

func TestAppend_DoesNotAllocate(t *testing.T) {
	b, text := make([]byte, 0, 1024), strings.Repeat("é<\n", 50)
	require.Zero(t, testing.AllocsPerRun(10, func() { b = jsontext.Append(b[:0], text, jsontext.Go) }))
	bytes := []byte(text)
	require.Zero(t, testing.AllocsPerRun(10, func() { b = jsontext.Append(b[:0], bytes, jsontext.HTML) }))
}

// encoding/json decodes every escaping; valid UTF-8 is returned unchanged.
func FuzzAppend_DecodesToTheSameText(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range []*jsontext.Escapes{jsontext.Go, jsontext.HTML, jsontext.JavaScript, jsontext.GraphQL} {
			var got string
			require.NoError(t, json.Unmarshal(jsontext.Append(nil, s, e), &got))
			if utf8.ValidString(s) {
				require.Equal(t, s, got)
			}
		}
	})
}
