package node_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/modtest"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
)

// mainnetBlocks returns recorded blocks of mainnet by their ids. The file hashes are those of the recorded bytes: one
// block was serialized again, so its file hash differs from the chain's.
func mainnetBlocks(t *testing.T) map[chain.BlockIDExt][]byte {
	t.Helper()
	tongo, err := modtest.Folder(modtest.Tongo)
	require.NoError(t, err)
	tonutils, err := modtest.Folder(modtest.Tonutils)
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(tongo, "tlb/testdata/block-*/block.bin"))
	require.NoError(t, err)
	files = append(files, filepath.Join(tongo, "ton/testdata/raw-13516764.bin"),
		filepath.Join(tonutils, "tlb/testdata/block_0_8000000000000000_71398501.boc"))
	blocks := map[chain.BlockIDExt][]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		blocks[readID(t, data)] = data
	}
	for _, f := range []string{"boc/testdata/deserialize-block-1.json", "boc/testdata/deserialize-block-2.json"} {
		data, err := os.ReadFile(filepath.Join(tongo, f))
		require.NoError(t, err)
		var fixture struct {
			BOC string `json:"boc"`
		}
		require.NoError(t, json.Unmarshal(data, &fixture))
		data, err = hex.DecodeString(fixture.BOC)
		require.NoError(t, err)
		blocks[readID(t, data)] = data
	}
	return blocks
}

func readID(t *testing.T, data []byte) chain.BlockIDExt {
	t.Helper()
	root, err := cell.FromBOC(data)
	require.NoError(t, err)
	var block tlb.Block
	require.NoError(t, tlb.Parse(&block, root))
	wc, shard := tlb.ConvertShardIdentToShard(block.BlockInfo.Shard)
	return chain.BlockIDExt{
		BlockID:  chain.BlockID{Workchain: wc, Shard: chain.Shard(shard), Seqno: block.BlockInfo.SeqNo},
		RootHash: chain.Hash(root.HashKey()),
		FileHash: sha256.Sum256(data),
	}
}

// static returns a liteserver that has only blocks and a head.
func static(t *testing.T, head chain.BlockIDExt, blocks map[chain.BlockIDExt][]byte) *nodetest.Server {
	t.Helper()
	return nodetest.Serve(t, func(ctx context.Context, query tl.Serializable) tl.Serializable {
		switch q := query.(type) {
		case ton.GetMasterchainInf:
			return ton.MasterchainInfo{Last: tlID(head), StateRootHash: make([]byte, 32), Init: &ton.ZeroStateIDExt{
				Workchain: -1, RootHash: make([]byte, 32), FileHash: make([]byte, 32),
			}}
		case ton.GetBlockData:
			if data, ok := blocks[idOf(*q.ID)]; ok {
				return ton.BlockData{ID: q.ID, Payload: data}
			}
			return ton.LSError{Code: 651, Text: "block is not in db"}
		case []tl.Serializable: // there will be no next block
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
			return ton.LSError{Code: 652, Text: "timeout"}
		default:
			return ton.LSError{Code: -400, Text: "unknown query"}
		}
	})
}

func tlID(id chain.BlockIDExt) *ton.BlockIDExt {
	return &ton.BlockIDExt{
		Workchain: id.Workchain, Shard: int64(id.Shard), SeqNo: id.Seqno, RootHash: id.RootHash[:], FileHash: id.FileHash[:],
	}
}

// onlyServers returns a configuration without an init block and a zerostate.
func onlyServers(servers ...*nodetest.Server) *liteclient.GlobalConfig {
	list := make([]liteclient.LiteserverConfig, len(servers))
	for i, s := range servers {
		list[i] = s.Liteserver()
	}
	return nodetest.Config(&liteclient.GlobalConfig{}, list...)
}

func TestBlock_WrongBytesOfMainnetAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := mainnetBlocks(t)
	require.GreaterOrEqual(t, len(blocks), 11)
	var head chain.BlockIDExt
	for id := range blocks {
		if id.IsMaster() && id.Seqno > head.Seqno {
			head = id
		}
	}
	require.EqualValues(t, 34974098, head.Seqno)
	trust := func(o *node.Options) { o.Anchor = node.Anchor{Block: head} }
	honest := static(t, head, blocks)
	c := open(t, onlyServers(honest), trust)
	ctx := within(t, time.Minute)
	got, err := c.Head(ctx)
	require.NoError(t, err)
	require.Equal(t, head, got)
	for id, data := range blocks {
		b, err := c.Block(ctx, id)
		require.NoError(t, err, id)
		require.Equal(t, id, b.ID)
		require.Equal(t, id.RootHash[:], b.Root.Hash())
		require.NotEmpty(t, data)
	}
	// Its shard blocks are not recorded, and a masterchain block is complete or an error.
	_, err = c.MasterBlock(ctx, head.Seqno)
	require.Equal(t, chain.Unavailable, chain.KindOf(err), "%v", err)

	// Each copy has one wrong byte, at different positions.
	changed := map[chain.BlockIDExt][]byte{}
	for id, data := range blocks {
		data = bytes.Clone(data)
		data[int(id.RootHash[5])*(len(data)-1)/255] ^= 0x40
		changed[id] = data
	}
	liar := static(t, head, changed)
	c = open(t, onlyServers(liar, honest), trust, func(o *node.Options) { o.LiarPause = 20 * time.Millisecond })
	for range 4 {
		for id := range blocks {
			b, err := c.Block(ctx, id)
			require.NoError(t, err)
			require.Equal(t, id.RootHash[:], b.Root.Hash())
		}
	}
	states := c.States()
	require.NotZero(t, states[0].Failures)
	require.Zero(t, states[1].Failures)
}

func TestOpen_WithoutAnAnchorFails(t *testing.T) {
	t.Parallel()
	blocks := mainnetBlocks(t)
	var head chain.BlockIDExt
	for id := range blocks {
		if id.IsMaster() {
			head = id
		}
	}
	server := static(t, head, blocks)
	_, err := node.Open(within(t, time.Minute), node.Options{Config: onlyServers(server)})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.Contains(t, chain.PublicMessage(err), "init block")

	// With another trusted block than its head the server must prove the links between them, which it cannot.
	other := head
	other.Seqno--
	c := open(t, onlyServers(server), func(o *node.Options) { o.Anchor = node.Anchor{Block: other} })
	_, err = c.Head(within(t, time.Minute))
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.Contains(t, c.States()[0].SetAside, "it cannot prove its head")
}
