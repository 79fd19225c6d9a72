package node_test

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/pacetest"
)

// recordedShardBlocks returns the shard blocks of the main network that the repository has, of 2019 and later.
func recordedShardBlocks(tb testing.TB) []*cell.Cell {
	tb.Helper()
	roots := []*cell.Cell{mainnet.OpenFatBlock(tb).Raw.Shards[0].Root}
	for _, r := range mainnet.Blocks(tb) {
		for _, b := range r.Master(tb).Shards {
			roots = append(roots, b.Root)
		}
	}
	first := mainnet.OpenFirstBlocks(tb)
	for seqno := uint32(1); seqno <= mainnet.RecordedMasters; seqno++ {
		m, err := first.MasterBlock(tb.Context(), seqno)
		require.NoError(tb, err)
		for _, b := range m.Shards {
			roots = append(roots, b.Root)
		}
	}
	return roots
}

func TestParseBlockParts_BlockIsThatOfTheLibrary(t *testing.T) {
	t.Parallel()
	roots := recordedShardBlocks(t)
	require.Greater(t, len(roots), 100)
	for _, root := range roots {
		for _, options := range []cell.BOCSerializeOptions{{}, {WithCRC32C: true}} {
			data := root.ToBOCWithOptions(options)
			got, ok := node.ParseBlockParts(data)
			require.True(t, ok, "a recorded block has another form")
			require.Equal(t, root.HashKey(), got.HashKey())
			want, err := cell.FromBOC(data)
			require.NoError(t, err)
			for i := range 4 {
				require.Equal(t, want.MustPeekRef(i).HashKey(), got.MustPeekRef(i).HashKey())
				require.Equal(t, want.MustPeekRef(i).Depth(), got.MustPeekRef(i).Depth())
			}
			for i := range 2 {
				side, other := want.MustPeekRef(2).MustPeekRef(i), got.MustPeekRef(2).MustPeekRef(i)
				for level := range 2 {
					require.Equal(t, side.HashKey(level), other.HashKey(level))
					require.Equal(t, side.Depth(level), other.Depth(level))
				}
			}
			require.Equal(t, data, got.ToBOCWithOptions(options), "the cells that are loaded later")
		}
	}
}

// TestParseBlockParts_FormsItLeavesToTheLibrary has a bag with an index and the cells of accounts, which are no blocks.
func TestParseBlockParts_FormsItLeavesToTheLibrary(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	root := fat.Raw.Shards[0].Root
	_, ok := node.ParseBlockParts(root.ToBOCWithOptions(cell.BOCSerializeOptions{WithIndex: true}))
	require.False(t, ok)
	for i := range 4 {
		_, ok = node.ParseBlockParts(root.MustPeekRef(i).ToBOC())
		require.False(t, ok)
	}
	for _, a := range fat.Accounts() {
		raw, err := fat.Account(t.Context(), chain.BlockIDExt{BlockID: fat.Parent}, a)
		require.NoError(t, err)
		if raw.Root != nil {
			_, ok = node.ParseBlockParts(raw.Root.ToBOC())
			require.False(t, ok)
		}
	}
	for n := range 40 {
		_, ok = node.ParseBlockParts(make([]byte, n))
		require.False(t, ok)
	}
}

// TestParseBlockParts_ChangedBlocksHaveTheHashOfTheLibrary changes descriptors, data and references: what is accepted has the hash that
// the library computes, which then differs from that of the requested block.
func TestParseBlockParts_ChangedBlocksHaveTheHashOfTheLibrary(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for _, root := range recordedShardBlocks(t)[:8] {
		data := root.ToBOCWithOptions(cell.BOCSerializeOptions{})
		for range 60 {
			changed := slices.Clone(data)
			at := random.IntN(len(changed))
			changed[at] ^= 1 << random.IntN(8)
			if requireSameBlock(t, changed) {
				accepted++
			}
		}
	}
	require.Positive(t, accepted)
}

// requireSameBlock requires that bytes which are accepted are a block with the same hash for the library.
func requireSameBlock(t *testing.T, data []byte) bool {
	t.Helper()
	got, ok := node.ParseBlockParts(data)
	if !ok {
		return false
	}
	want, err := cell.FromBOC(data)
	require.NoError(t, err, "refused by the library")
	require.Equal(t, want.HashKey(), got.HashKey())
	return true
}

// FuzzParseBlockParts_AcceptsWhatTheLibraryDoes changes small recorded blocks. The checksum follows the change.
func FuzzParseBlockParts_AcceptsWhatTheLibraryDoes(f *testing.F) {
	for _, root := range recordedShardBlocks(f) {
		if data := root.ToBOCWithOptions(cell.BOCSerializeOptions{WithCRC32C: true}); len(data) < 4096 {
			f.Add(data)
		}
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4 {
			end := len(data) - 4
			binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[:end], table))
		}
		requireSameBlock(t, data)
	})
}

// BenchmarkParseBlock compares the parsers with a full block of the main network.
func BenchmarkParseBlock(b *testing.B) {
	data := mainnet.OpenFatBlock(b).Raw.Shards[0].Root.ToBOC()
	b.Run("parts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, ok := node.ParseBlockParts(data)
			require.True(b, ok)
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := cell.FromBOC(data)
			require.NoError(b, err)
		}
	})
}
