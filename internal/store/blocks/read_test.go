package blocks_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

func randomBlocks(w *storetest.Chain) chain.BlockFilter {
	var f chain.BlockFilter
	b := storetest.Pick(w, w.Blocks)
	if w.Chance(3) {
		f.Workchain = &b.Workchain
	}
	if w.Chance(3) {
		f.Shard = &b.Shard
	}
	if w.Chance(6) {
		f.Seqno = &b.Seqno
	}
	if w.Chance(12) {
		f.RootHash = &b.RootHash
	}
	if w.Chance(12) {
		f.FileHash = &b.FileHash
	}
	if w.Chance(6) {
		f.McSeqno = &b.McSeqno
	}
	if w.Chance(5) {
		f.StartUtime = new(b.GenUtime - uint32(w.Rand.IntN(8)))
	}
	if w.Chance(5) {
		f.EndUtime = new(b.GenUtime + uint32(w.Rand.IntN(8)))
	}
	if w.Chance(6) {
		f.StartLT = new(max(b.StartLT, 9_000_000) - w.Rand.Uint64N(9_000_000))
	}
	if w.Chance(6) {
		f.EndLT = new(b.StartLT + w.Rand.Uint64N(9_000_000))
	}
	return f
}

func matchBlock(f *chain.BlockFilter) func(*chain.Block) bool {
	return func(b *chain.Block) bool {
		return storetest.Is(f.Workchain, b.Workchain) && storetest.Is(f.Shard, b.Shard) && storetest.Is(f.Seqno, b.Seqno) && storetest.Is(f.RootHash, b.RootHash) &&
			storetest.Is(f.FileHash, b.FileHash) && storetest.Is(f.McSeqno, b.McSeqno) &&
			storetest.In(b.GenUtime, f.StartUtime, f.EndUtime) && storetest.In(b.StartLT, f.StartLT, f.EndLT)
	}
}

func compareBlocks(s chain.Sort) func(a, b *chain.Block) int {
	return func(a, b *chain.Block) int {
		return storetest.Directed(s, cmp.Or(cmp.Compare(a.GenUtime, b.GenUtime), cmp.Compare(b.Workchain, a.Workchain),
			cmp.Compare(int64(a.Shard), int64(b.Shard)), cmp.Compare(a.Seqno, b.Seqno)))
	}
}

func TestBlocks_EveryFilterEqualsASearchInMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := storetest.IndexChain(t)
	storetest.Search[chain.Block]{
		Filters: 500, Hits: 150, Cursor: (*chain.Block).Cursor,
		Filter: func(s chain.Sort) ([]chain.Block, func(chain.Page) ([]chain.Block, error)) {
			f := randomBlocks(w)
			return storetest.Select(w.Blocks, matchBlock(&f), compareBlocks(s)), func(p chain.Page) ([]chain.Block, error) {
				return w.Reader.Blocks(t.Context(), f, p)
			}
		},
	}.Run(t, w)
}

func TestMasterchainInfo_IsTheFirstAndLastBlock(t *testing.T) {
	t.Parallel()
	empty := testdb.New(t).Reader()
	_, err := empty.MasterchainInfo(t.Context())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	w := storetest.IndexChain(t)
	info, err := w.Reader.MasterchainInfo(t.Context())
	require.NoError(t, err)
	require.Equal(t, chain.MasterchainInfo{First: w.Masters[0].Block, Last: w.Masters[len(w.Masters)-1].Block}, info)
}

func TestShardState_IsTheBlocksOfAMasterchainBlock(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	mb := w.Masters[5]
	want := append([]chain.Block{mb.Block}, mb.ShardBlocks...)
	slices.SortFunc(want, func(a, b chain.Block) int {
		return cmp.Or(cmp.Compare(a.Workchain, b.Workchain), cmp.Compare(int64(a.Shard), int64(b.Shard)))
	})
	got, err := w.Reader.ShardState(t.Context(), mb.Block.Seqno)
	require.NoError(t, err)
	require.Equal(t, want, got)
	committed, err := w.Reader.BlocksOfMasterchain(t.Context(), []uint32{mb.Block.Seqno, 1 << 30})
	require.NoError(t, err)
	require.Equal(t, map[uint32][]chain.Block{mb.Block.Seqno: want}, committed)
	none, err := w.Reader.ShardState(t.Context(), 1<<30)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestBlocksByID_ReturnsEachBlockOnce(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	ids := []chain.BlockID{{Workchain: 3}}
	for _, b := range w.Blocks {
		ids = append(ids, b.BlockID, b.BlockID)
	}
	got, err := w.Reader.BlocksByID(t.Context(), ids)
	require.NoError(t, err)
	slices.SortFunc(got, func(a, b chain.Block) int { return a.Compare(b.BlockID) })
	want := slices.Clone(w.Blocks)
	slices.SortFunc(want, func(a, b chain.Block) int { return a.Compare(b.BlockID) })
	require.Equal(t, want, got)
}
