package store_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

func (w *fixture) randomBlocks() chain.BlockFilter {
	var f chain.BlockFilter
	b := pick(w, w.blocks)
	if w.chance(3) {
		f.Workchain = &b.Workchain
	}
	if w.chance(3) {
		f.Shard = &b.Shard
	}
	if w.chance(6) {
		f.Seqno = &b.Seqno
	}
	if w.chance(12) {
		f.RootHash = &b.RootHash
	}
	if w.chance(12) {
		f.FileHash = &b.FileHash
	}
	if w.chance(6) {
		f.McSeqno = &b.McSeqno
	}
	if w.chance(5) {
		f.StartUtime = new(b.GenUtime - uint32(w.rng.IntN(8)))
	}
	if w.chance(5) {
		f.EndUtime = new(b.GenUtime + uint32(w.rng.IntN(8)))
	}
	if w.chance(6) {
		f.StartLT = new(max(b.StartLT, 9_000_000) - w.rng.Uint64N(9_000_000))
	}
	if w.chance(6) {
		f.EndLT = new(b.StartLT + w.rng.Uint64N(9_000_000))
	}
	return f
}

func matchBlock(f *chain.BlockFilter) func(*chain.Block) bool {
	return func(b *chain.Block) bool {
		return is(f.Workchain, b.Workchain) && is(f.Shard, b.Shard) && is(f.Seqno, b.Seqno) && is(f.RootHash, b.RootHash) &&
			is(f.FileHash, b.FileHash) && is(f.McSeqno, b.McSeqno) &&
			in(b.GenUtime, f.StartUtime, f.EndUtime) && in(b.StartLT, f.StartLT, f.EndLT)
	}
}

func compareBlocks(s chain.Sort) func(a, b *chain.Block) int {
	return func(a, b *chain.Block) int {
		return directed(s, cmp.Or(cmp.Compare(a.GenUtime, b.GenUtime), cmp.Compare(a.Workchain, b.Workchain),
			cmp.Compare(int64(a.Shard), int64(b.Shard)), cmp.Compare(a.Seqno, b.Seqno)))
	}
}

func TestBlocks_EveryFilterEqualsASearchInMemory(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	hits := 0
	for range 500 {
		f := w.randomBlocks()
		p := chain.Page{Limit: 1 + w.rng.IntN(40), Sort: chain.Sort(w.rng.IntN(2))}
		if w.chance(2) {
			p.Offset = w.rng.IntN(30)
		}
		all := selected(w.blocks, matchBlock(&f), compareBlocks(p.Sort))
		got, err := w.r.Blocks(t.Context(), f, p)
		require.NoError(t, err)
		requireSame(t, cutOffset(all, p), got)
		if len(all) > 0 {
			hits++
		}
		if len(all) > 3 && w.chance(3) {
			requirePages(t, all, 1+w.rng.IntN(len(all)), p.Sort, (*chain.Block).Cursor, func(p chain.Page) ([]chain.Block, error) {
				return w.r.Blocks(t.Context(), f, p)
			})
		}
	}
	require.Greater(t, hits, 150, "the random filters are too narrow to say anything")
}

func TestMasterchainInfo_IsTheFirstAndLastBlock(t *testing.T) {
	t.Parallel()
	empty := testdb.New(t).Reader()
	_, err := empty.MasterchainInfo(t.Context())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	w := newFixture(t)
	info, err := w.r.MasterchainInfo(t.Context())
	require.NoError(t, err)
	require.Equal(t, chain.MasterchainInfo{First: w.masters[0].Block, Last: w.masters[len(w.masters)-1].Block}, info)
}

func TestShardState_IsTheBlocksOfAMasterchainBlock(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	mb := w.masters[5]
	want := append([]chain.Block{mb.Block}, mb.ShardBlocks...)
	slices.SortFunc(want, func(a, b chain.Block) int {
		return cmp.Or(cmp.Compare(a.Workchain, b.Workchain), cmp.Compare(int64(a.Shard), int64(b.Shard)))
	})
	got, err := w.r.ShardState(t.Context(), mb.Block.Seqno)
	require.NoError(t, err)
	require.Equal(t, want, got)
	committed, err := w.r.BlocksOfMasterchain(t.Context(), []uint32{mb.Block.Seqno, 1 << 30})
	require.NoError(t, err)
	require.Equal(t, map[uint32][]chain.Block{mb.Block.Seqno: want}, committed)
	none, err := w.r.ShardState(t.Context(), 1<<30)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestBlocksByID_ReturnsEachBlockOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	ids := []chain.BlockID{{Workchain: 3}}
	for _, b := range w.blocks {
		ids = append(ids, b.BlockID, b.BlockID)
	}
	got, err := w.r.BlocksByID(t.Context(), ids)
	require.NoError(t, err)
	slices.SortFunc(got, func(a, b chain.Block) int { return a.Compare(b.BlockID) })
	want := slices.Clone(w.blocks)
	slices.SortFunc(want, func(a, b chain.Block) int { return a.Compare(b.BlockID) })
	require.Equal(t, want, got)
}
