package docs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpenAPI30_MarksWhatMayBeNull(t *testing.T) {
	t.Parallel()
	got, err := OpenAPI30([]byte(`{"openapi":"3.1.0","webhooks":{"a":{}},"components":{"schemas":{
		"A":{"type":["string","null"],"contentEncoding":"base64"},
		"B":{"oneOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}],"description":"<b>"},
		"C":{"oneOf":[{"type":"integer","minimum":9007199254740993},{"type":"string"},{"type":"null"}]},
		"D":{"properties":{"type":{"type":"string","const":"x"},"const":{"type":["array","null"],"items":{"type":["integer","null"]}}}}
	}}}`))
	require.NoError(t, err)
	require.JSONEq(t, `{"openapi":"3.0.3","components":{"schemas":{
		"A":{"type":"string","nullable":true},
		"B":{"allOf":[{"$ref":"#/components/schemas/A"}],"nullable":true,"description":"<b>"},
		"C":{"oneOf":[{"type":"integer","minimum":9007199254740993},{"type":"string"}],"nullable":true},
		"D":{"properties":{"type":{"type":"string","enum":["x"]},"const":{"type":"array","nullable":true,"items":{"type":"integer","nullable":true}}}}
	}}}`, string(got))
	require.Contains(t, string(got), "9007199254740993", "numbers are exact")
	require.Contains(t, string(got), "<b>")
}

func TestOpenAPI30_RefusesOtherText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "{"} {
		_, err := OpenAPI30([]byte(text))
		require.Error(t, err, text)
	}
}
