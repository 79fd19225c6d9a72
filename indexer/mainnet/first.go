package mainnet

import (
	"crypto/sha256"
	"embed"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

//go:embed testdata
var recordings embed.FS

func recorded(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := recordings.ReadFile("testdata/" + name)
	require.NoError(tb, err)
	return data
}

// FirstBlocks are the masterchain blocks 1 to 99 of the main network, of November 2019, or to a later one where [Packs] reads more,
// with the shard blocks that they commit and the states after all of them.
type FirstBlocks struct{ *Chain }

// RecordedMasters and RecordedShards are the numbers of blocks in the recording of the repository.
const (
	RecordedMasters = 99
	RecordedShards  = 200
)

// Further reports whether there are blocks after those in the recording of the repository.
func (f *FirstBlocks) Further() bool { return len(f.masters) > RecordedMasters+1 }

// firstBlocks are read once for all tests of a process: nothing changes them.
var firstBlocks struct {
	once   sync.Once
	blocks *FirstBlocks
}

// OpenFirstBlocks reads the recording and builds the states. Each block's file hash and each state's root hash is
// compared.
func OpenFirstBlocks(tb testing.TB) *FirstBlocks {
	tb.Helper()
	firstBlocks.once.Do(func() { firstBlocks.blocks = openFirstBlocks(tb) })
	require.NotNil(tb, firstBlocks.blocks, "the first test that opened the recording failed")
	return firstBlocks.blocks
}

func openFirstBlocks(tb testing.TB) *FirstBlocks {
	tb.Helper()
	zerostates := []chain.RawBlock{}
	for wc, name := range map[int32]string{chain.MasterchainID: "masterchain", 0: "basechain"} {
		file := recorded(tb, "zerostate-"+name+".boc")
		root, err := cell.FromBOC(file)
		require.NoError(tb, err)
		zerostates = append(zerostates, chain.RawBlock{Root: root, ID: chain.BlockIDExt{
			BlockID:  chain.BlockID{Workchain: wc, Shard: chain.FullShard},
			RootHash: chain.Hash(root.HashKey()), FileHash: sha256.Sum256(file),
		}})
	}
	blocks := []chain.RawBlock{}
	for _, entry := range Packs(tb) {
		if !strings.HasPrefix(entry.Name, "block_") {
			continue
		}
		b := parse(tb, entry.Data)
		require.True(tb, strings.HasSuffix(strings.ToLower(entry.Name), ":"+b.ID.FileHash.Hex()), entry.Name)
		blocks = append(blocks, b)
	}
	return &FirstBlocks{OpenChain(tb, zerostates, blocks)}
}
