package mainnet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/modtest"
)

// Recording is one recorded block and how many transactions it is known to hold.
type Recording struct {
	Name     string
	Raw      chain.RawBlock
	TxCount  int
	Expected string // path of the result of another parser; empty without one
}

// Master is the recording as a masterchain block the network could have served.
func (r Recording) Master(tb testing.TB) *chain.RawMasterBlock {
	tb.Helper()
	if r.Raw.ID.IsMaster() {
		return &chain.RawMasterBlock{Master: r.Raw}
	}
	return Frame(tb, 1, r.Raw)
}

// Blocks loads every recorded block.
func Blocks(tb testing.TB) []Recording {
	tb.Helper()
	counts := []int{329, 479, 510, 0, 6, 11, 8}
	folder, err := modtest.Folder(modtest.Tongo)
	require.NoError(tb, err)
	var all []Recording
	for i, n := range counts {
		name := "block-" + string(rune('1'+i))
		path := "tlb/testdata/" + name
		r := Recording{Name: name, Raw: parse(tb, read(tb, modtest.Tongo, path+"/block.bin")), TxCount: n}
		if i < 5 {
			r.Expected = filepath.Join(folder, path, "block.expected.json")
		}
		all = append(all, r)
	}
	all = append(all,
		Recording{Name: "raw-13516764", TxCount: 449, Raw: parse(tb, read(tb, modtest.Tongo, "ton/testdata/raw-13516764.bin"))},
		Recording{Name: "71398501", TxCount: 269,
			Raw: parse(tb, read(tb, modtest.Tonutils, "tlb/testdata/block_0_8000000000000000_71398501.boc"))},
	)
	for i, n := range []int{17, 3} {
		name := "deserialize-block-" + string(rune('1'+i))
		var file struct{ BOC string }
		require.NoError(tb, json.Unmarshal(read(tb, modtest.Tongo, "boc/testdata/"+name+".json"), &file))
		boc, err := hex.DecodeString(file.BOC)
		require.NoError(tb, err)
		all = append(all, Recording{Name: name, TxCount: n, Raw: parse(tb, boc)})
	}
	return all
}

func read(tb testing.TB, module, path string) []byte {
	tb.Helper()
	data, err := modtest.Read(module, path)
	require.NoError(tb, err)
	return data
}

// parse reads a block and names it by what its header says, read by the library and not by us.
func parse(tb testing.TB, data []byte) chain.RawBlock {
	tb.Helper()
	root, err := cell.FromBOC(data)
	require.NoError(tb, err)
	var b tlb.Block
	require.NoError(tb, tlb.Parse(&b, root))
	workchain, shard := tlb.ConvertShardIdentToShard(b.BlockInfo.Shard)
	return chain.RawBlock{Root: root, ID: chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: workchain, Shard: chain.Shard(shard), Seqno: b.BlockInfo.SeqNo},
		RootHash: chain.Hash(root.HashKey()),
		FileHash: sha256.Sum256(data),
	}}
}
