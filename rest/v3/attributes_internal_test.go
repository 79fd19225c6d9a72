package v3

import (
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
