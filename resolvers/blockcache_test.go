package resolvers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// The cache contains the most recently read blocks, at most its two halves.
func TestBlockCache_RecentlyReadBlocksStay(t *testing.T) {
	t.Parallel()
	at := func(n int) chain.BlockID {
		return chain.BlockID{Workchain: chain.MasterchainID, Shard: chain.FullShard, Seqno: uint32(n)}
	}
	c := &blockCache{}
	for n := range 3 * halfOfBlocks {
		_, cached := c.get(at(n))
		require.False(t, cached)
		c.put(chain.Block{BlockIDExt: chain.BlockIDExt{BlockID: at(n)}})
		b, cached := c.get(at(0))
		require.True(t, cached, "read continuously, after %d", n)
		require.Equal(t, at(0), b.BlockID)
		require.LessOrEqual(t, len(c.young)+len(c.old), 2*halfOfBlocks)
	}
	_, cached := c.get(at(1))
	require.False(t, cached)
	_, cached = c.get(at(3*halfOfBlocks - 1))
	require.True(t, cached)
}

// Only a filter for one block by its id reads the cache.
func TestPlace_OnlyAFilterByIDReadsTheCache(t *testing.T) {
	t.Parallel()
	full := chain.BlockFilter{Workchain: new(chain.MasterchainID), Shard: new(chain.FullShard), Seqno: new(uint32(7))}
	id, ok := place(&full, &chain.Page{Limit: 10})
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
		f, p := full, chain.Page{Limit: 10}
		edit(&f, &p)
		_, ok := place(&f, &p)
		require.False(t, ok)
	}
}
