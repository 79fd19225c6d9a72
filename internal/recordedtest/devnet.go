package recordedtest

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"io"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// devnetFile has the zerostates and blocks. Each is a header (workchain, shard, seqno, file hash, length) and a bag of cells.
//
//go:embed testdata/devnet.zst
var devnetFile []byte

var devnet struct {
	once  sync.Once
	chain *mainnet.Chain
}

// Devnet opens the recorded local chain, once for all tests of a process.
func Devnet(tb testing.TB) *mainnet.Chain {
	tb.Helper()
	devnet.once.Do(func() { devnet.chain = openDevnet(tb) })
	require.NotNil(tb, devnet.chain, "the first test that opened the recording failed")
	return devnet.chain
}

func openDevnet(tb testing.TB) *mainnet.Chain {
	tb.Helper()
	r, err := zstd.NewReader(bytes.NewReader(devnetFile), zstd.WithDecoderConcurrency(1))
	require.NoError(tb, err)
	defer r.Close()
	data, err := io.ReadAll(r)
	require.NoError(tb, err)
	const header = 4 + 8 + 4 + 32 + 4
	var zerostates, blocks []chain.RawBlock
	for len(data) > 0 {
		var b chain.RawBlock
		b.ID.Workchain = int32(binary.BigEndian.Uint32(data))
		b.ID.Shard = chain.Shard(binary.BigEndian.Uint64(data[4:]))
		b.ID.Seqno = binary.BigEndian.Uint32(data[12:])
		b.ID.FileHash = chain.Hash(data[16:48])
		end := header + int(binary.BigEndian.Uint32(data[48:]))
		b.Root, err = cell.FromBOC(data[header:end])
		require.NoError(tb, err)
		b.ID.RootHash = chain.Hash(b.Root.HashKey())
		if data = data[end:]; b.ID.Seqno == 0 {
			zerostates = append(zerostates, b)
		} else {
			blocks = append(blocks, b)
		}
	}
	return mainnet.OpenChain(tb, zerostates, blocks)
}
