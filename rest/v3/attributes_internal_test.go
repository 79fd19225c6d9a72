package v3

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// A domain that both the content and the index have is printed once, because names in a JSON object must be unique.
func TestAppendAttributes_NamesAreUnique(t *testing.T) {
	t.Parallel()
	for want, content := range map[string]chain.Content{
		`{"domain":"a.ton"}`:            {"domain": "b.ton"},
		`{"name":"n","domain":"a.ton"}`: {"domain": "b.ton", "name": "n"},
	} {
		require.Equal(t, want, string(appendAttributes(nil, content, "a.ton")))
	}
	require.JSONEq(t, `{"domain":"a.ton"}`, string(appendAttributes(nil, nil, "a.ton")))
	require.JSONEq(t, `{"domain":"b.ton"}`, string(appendAttributes(nil, chain.Content{"domain": "b.ton"}, "")))
	require.Equal(t, `{}`, string(appendAttributes(nil, nil, "")))
}

// What metadata has besides the published members is valid JSON with members in alphabetical order, whatever a token's author wrote.
func TestAppendJSON_IsValidAndSorted(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{
		`{"a":[1,"x",[]],"b":{"c":null,"d":true}}`: map[string]any{"b": map[string]any{"d": true, "c": nil}, "a": []any{json.Number("1"), "x", []any{}}},
		`["1e","01",1.5e3,-0]`:                     []any{json.Number("1e"), json.Number("01"), json.Number("1.5e3"), json.Number("-0")},
		`{}`:                                       map[string]any{},
		`false`:                                    false,
	} {
		require.Equal(t, want, string(appendJSON(nil, v)))
	}
}
