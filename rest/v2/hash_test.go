package v2_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	v2 "tonql/rest/v2"
)

// A hash in base64 may begin with the characters "0x": only hex digits behind them make a prefix.
func TestParseHash_BaseSixtyFourMayBeginLikeAPrefix(t *testing.T) {
	t.Parallel()
	raw, err := base64.StdEncoding.DecodeString("0xL4saEeDoTR/fqQ+mzChwFpRqwsDUCtx5rx2mMALdE=")
	require.NoError(t, err)
	want := chain.HashFrom(raw)
	for _, text := range []string{
		base64.StdEncoding.EncodeToString(raw), base64.URLEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw), want.Hex(),
	} {
		got, err := v2.ParseHash(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	_, err = v2.ParseHash("0x" + want.Hex())
	require.ErrorContains(t, err, "no prefix")
	_, err = v2.ParseHash("0x" + strings.Repeat("A", 40))
	require.Error(t, err)
}
