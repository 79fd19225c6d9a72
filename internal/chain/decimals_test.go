package chain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestDecimals(t *testing.T) {
	t.Parallel()
	for _, said := range []any{"6", json.Number("6")} {
		m := chain.Metadata{Extra: map[string]any{"decimals": said}}
		require.NotNil(t, m.Decimals())
		require.Equal(t, 6, *m.Decimals())
	}
	for _, said := range []any{nil, "", "a lot", "-1", "256", json.Number("1.5"), true, []any{"9"}} {
		m := chain.Metadata{Extra: map[string]any{"decimals": said}}
		require.Nil(t, m.Decimals(), "%v", said)
	}
}
