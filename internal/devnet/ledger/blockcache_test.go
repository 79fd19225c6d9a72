package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"
)

func TestBlockCache_IsBoundedByBytes(t *testing.T) {
	t.Parallel()
	c, err := newBlockCache(100)
	require.NoError(t, err)
	block := func(seqno uint32, size int) *Block {
		return &Block{ID: ton.BlockIDExt{SeqNo: seqno}, Data: make([]byte, size)}
	}
	has := func(seqno uint32) bool { _, ok := c.get(keyOf(block(seqno, 0).ID)); return ok }
	c.add(block(1, 40))
	c.add(block(1, 40))
	require.Equal(t, 40, c.size)
	c.add(block(2, 40))
	require.True(t, has(1)) // now newer than 2
	c.add(block(3, 40))
	require.True(t, has(1) && has(3) && !has(2))
	c.add(block(4, 500))
	require.False(t, has(1) || has(3) || has(4))
	require.Zero(t, c.size)
}
