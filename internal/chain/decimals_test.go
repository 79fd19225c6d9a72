package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestMetadataDecimals_AreFrom0To255OrNil(t *testing.T) {
	t.Parallel()
	for _, value := range []any{"6", json.Number("6")} {
		m := chain.Metadata{Extra: map[string]any{"decimals": value}}
		require.NotNil(t, m.Decimals())
		require.Equal(t, 6, *m.Decimals())
	}
	for _, value := range []any{nil, "", "a lot", "-1", "256", json.Number("1.5"), true, []any{"9"}} {
		m := chain.Metadata{Extra: map[string]any{"decimals": value}}
		require.Nil(t, m.Decimals(), "%v", value)
	}
}
