package resolvers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The cache holds what was asked last, and never more than its two halves.
func TestBlockCache(t *testing.T) {
	t.Parallel()
	at := func(n int) chain.BlockID {
		return chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: uint32(n)}
	}
	c := &blockCache{}
	for n := range 3 * halfOfBlocks {
		_, known := c.get(at(n))
		require.False(t, known)
		c.put(chain.Block{BlockIDExt: chain.BlockIDExt{BlockID: at(n)}})
		b, known := c.get(at(0))
		require.True(t, known, "asked for all the time, after %d", n)
		require.Equal(t, at(0), b.BlockID)
		require.LessOrEqual(t, len(c.young)+len(c.old), 2*halfOfBlocks)
	}
	_, known := c.get(at(1))
	require.False(t, known)
	_, known = c.get(at(3*halfOfBlocks - 1))
	require.True(t, known)
}

// Only a question for one block by its place, and for nothing else, is answered from memory.
func TestPlace(t *testing.T) {
	t.Parallel()
	whole := chain.BlockFilter{Workchain: new(chain.MasterchainID), Shard: new(chain.FullShard), Seqno: new(uint32(7))}
	id, ok := place(&whole, &chain.Page{Limit: 10})
	require.True(t, ok)
	require.Equal(t, chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: 7}, id)
	for _, edit := range []func(*chain.BlockFilter, *chain.Page){
		func(f *chain.BlockFilter, _ *chain.Page) { f.Workchain = nil },
		func(f *chain.BlockFilter, _ *chain.Page) { f.Shard = nil },
		func(f *chain.BlockFilter, _ *chain.Page) { f.Seqno = nil },
		func(f *chain.BlockFilter, _ *chain.Page) { f.McSeqno = new(uint32(7)) },
		func(f *chain.BlockFilter, _ *chain.Page) { f.EndUtime = new(uint32(7)) },
		func(f *chain.BlockFilter, _ *chain.Page) { f.RootHash = &chain.Hash{} },
		func(_ *chain.BlockFilter, p *chain.Page) { p.Offset = 1 },
		func(_ *chain.BlockFilter, p *chain.Page) { p.After = &chain.Cursor{} },
	} {
		f, p := whole, chain.Page{Limit: 10}
		edit(&f, &p)
		_, ok := place(&f, &p)
		require.False(t, ok)
	}
}
