package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/archive"
)

func entryAt(t testing.TB, c *Chain, b *Block) archive.Entry {
	t.Helper()
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.index.bySeqno(keyOf(b.ID))
	require.True(t, ok)
	return e
}
