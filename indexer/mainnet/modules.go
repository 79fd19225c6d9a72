package mainnet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

const (
	tonutils = "github.com/xssnick/tonutils-go"
	tongo    = "github.com/tonkeeper/tongo"
)

var moduleDirs sync.Map // module path to folder

// moduleDir finds a module's folder in the module cache.
func moduleDir(tb testing.TB, module string) string {
	tb.Helper()
	if dir, ok := moduleDirs.Load(module); ok {
		return dir.(string)
	}
	out, err := exec.CommandContext(tb.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	require.NoError(tb, err, "folder of module %s", module)
	dir := strings.TrimSpace(string(out))
	require.NotEmpty(tb, dir, "module %s is not downloaded", module)
	moduleDirs.Store(module, dir)
	return dir
}

// Recording is one recorded block and how many transactions it is known to hold.
type Recording struct {
	Name     string
	Raw      chain.RawBlock
	TxCount  int
	Expected string // path of what another parser found in it; empty when nobody wrote it down
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
	var all []Recording
	for i, n := range counts {
		dir := filepath.Join(moduleDir(tb, tongo), "tlb/testdata", "block-"+string(rune('1'+i)))
		r := Recording{Name: filepath.Base(dir), Raw: load(tb, filepath.Join(dir, "block.bin")), TxCount: n}
		if expected := filepath.Join(dir, "block.expected.json"); i < 5 {
			r.Expected = expected
		}
		all = append(all, r)
	}
	all = append(all,
		Recording{Name: "raw-13516764", TxCount: 449,
			Raw: load(tb, filepath.Join(moduleDir(tb, tongo), "ton/testdata/raw-13516764.bin"))},
		Recording{Name: "71398501", TxCount: 269,
			Raw: load(tb, filepath.Join(moduleDir(tb, tonutils), "tlb/testdata/block_0_8000000000000000_71398501.boc"))},
	)
	for i, n := range []int{17, 3} {
		name := "deserialize-block-" + string(rune('1'+i))
		all = append(all, Recording{Name: name, TxCount: n,
			Raw: loadJSON(tb, filepath.Join(moduleDir(tb, tongo), "boc/testdata", name+".json"))})
	}
	return all
}

func load(tb testing.TB, path string) chain.RawBlock {
	tb.Helper()
	data, err := os.ReadFile(path)
	require.NoError(tb, err)
	return parse(tb, data)
}

func loadJSON(tb testing.TB, path string) chain.RawBlock {
	tb.Helper()
	data, err := os.ReadFile(path)
	require.NoError(tb, err)
	var file struct{ BOC string }
	require.NoError(tb, json.Unmarshal(data, &file))
	boc, err := hex.DecodeString(file.BOC)
	require.NoError(tb, err)
	return parse(tb, boc)
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
