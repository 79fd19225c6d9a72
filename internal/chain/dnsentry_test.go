package chain

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The bytes come back out of the text, with the tag before and the checksum behind.
func TestADNLText(t *testing.T) {
	t.Parallel()
	text := ADNLText(Hash{1, 2, 3})
	require.Len(t, text, 55)
	require.Equal(t, "f", ("f" + text)[:1])
	require.NotEqual(t, text, ADNLText(Hash{1, 2, 4}))
}
