package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestTraits_AreTheEntriesOfAttributesWithText(t *testing.T) {
	t.Parallel()
	many := make([]any, 300)
	for i := range many {
		many[i] = map[string]any{"trait_type": "n", "value": "v"}
	}
	for name, c := range map[string]struct {
		attributes any
		want       []chain.Trait
	}{
		"of a document": {
			[]any{
				map[string]any{"trait_type": "Hat", "value": "red"}, map[string]any{"trait_type": "Level", "value": json.Number("7")},
				map[string]any{"value": true},
			},
			[]chain.Trait{{Name: "Hat", Value: "red"}, {Name: "Level", Value: "7"}, {Value: "true"}},
		},
		"as text on the chain":   {`[{"trait_type": "Hat", "value": 12345678901234567890}]`, []chain.Trait{{Name: "Hat", Value: "12345678901234567890"}}},
		"text that is no list":   {`{"trait_type": "Hat"}`, []chain.Trait{}},
		"text that is no JSON":   {`[{`, []chain.Trait{}},
		"without values":         {[]any{map[string]any{"trait_type": "Hat"}, "red", nil, map[string]any{"value": []any{}}, map[string]any{"value": ""}}, []chain.Trait{}},
		"a name that is no text": {[]any{map[string]any{"trait_type": 3, "value": "x"}}, []chain.Trait{{Value: "x"}}},
		"none":                   {nil, []chain.Trait{}},
	} {
		m := chain.Metadata{Extra: map[string]any{"attributes": c.attributes}}
		require.Equal(t, c.want, m.Traits(), name)
	}
	require.Len(t, (&chain.Metadata{Extra: map[string]any{"attributes": many}}).Traits(), 100, "the bound")
	require.Empty(t, (&chain.Metadata{}).Traits())
}
