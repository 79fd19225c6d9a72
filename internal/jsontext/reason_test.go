package jsontext

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReason_NamesTheOffset(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"servers": [1,}`:    `offset 16: invalid character '}' looking for beginning of value`,
		`{"servers": "none"}`: `offset 18: Servers: expected an array, not a string`,
		`{"servers": [1`:      `offset 14: unexpected end of JSON input`,
	} {
		var into struct{ Servers []int }
		require.Equal(t, want, Reason(json.Unmarshal([]byte(document), &into), &into), document)
	}
	var into struct{}
	require.Equal(t, "the file ends too early", Reason(json.NewDecoder(strings.NewReader("")).Decode(&into), &into))
}
