package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestCheckText_RefusesWhatNoDatabaseStores(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"", "a", "für 5 €", "\u2028\ufffd", "\x01"} {
		require.NoError(t, chain.CheckText("name", good))
	}
	for _, bad := range []string{"\x00", "a\x00b", "\xff", "\xc0\x80", "\xed\xa0\x80", "ab\xe2\x82"} {
		err := chain.CheckText("name", bad)
		require.ErrorIs(t, err, chain.ErrText)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
		require.Equal(t, "name is not valid UTF-8, or has a NUL character", chain.PublicMessage(err))
	}
}
