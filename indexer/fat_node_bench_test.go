package indexer

import (
	"context"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"golang.org/x/sync/errgroup"

	"tonql/indexer/decode"
	"tonql/indexer/detect"
	"tonql/indexer/mainnet"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/testdb"
)

// BenchmarkIndexFatBlockFromNode indexes a chain that repeats a full block of the main network, from a liteserver to the
// last row: each copy is fetched over ADNL, compared with its hashes, decoded, executed again, its contracts detected, its
// traces classified, and written with higher LTs and seqnos. Account states are recorded without proofs, so they and the
// proofs of masterchain blocks are left out. The liteserver runs in the same process.
func BenchmarkIndexFatBlockFromNode(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	recorded := fat.Raw.Shards[0]
	client, id := serveBlock(b, recorded)
	x := New(fat, testdb.New(b), Options{})
	x.detector = detect.New(x.src, x.net, x.opts.Contracts)
	b.Cleanup(x.detector.Close)
	ready := make(chan *chain.MasterBlock, 8)
	work := make(chan int)
	b.ReportAllocs()
	b.ResetTimer()
	group, ctx := errgroup.WithContext(b.Context())
	makers, mctx := errgroup.WithContext(ctx)
	for range 2 {
		makers.Go(func() error {
			for i := range work {
				shard, err := client.Block(mctx, id)
				if err != nil {
					return err
				}
				raw := *fat.Raw
				raw.Shards = []chain.RawBlock{{ID: recorded.ID, Root: shard.Root}}
				m, err := decode.MasterBlock(mctx, &raw)
				if err != nil {
					return err
				}
				if _, err := replay.New(x.net, replay.Options{Workers: 1}).Run(mctx, m); err != nil {
					return err
				}
				if _, err := x.detector.NewBatch().Run(mctx, m); err != nil {
					return err
				}
				shift(m.MasterBlock, uint64(i))
				select {
				case ready <- m.MasterBlock:
				case <-mctx.Done():
					return mctx.Err()
				}
			}
			return nil
		})
	}
	group.Go(func() error { return x.apply(ctx, ready) })
	for i := range b.N {
		select {
		case work <- i:
		case <-mctx.Done():
		}
	}
	close(work)
	require.NoError(b, makers.Wait())
	close(ready)
	require.NoError(b, group.Wait())
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}

// serveBlock returns a client of a liteserver that has one block and a head that the client trusts, and the id with the
// file hash of the served bytes.
func serveBlock(b *testing.B, block chain.RawBlock) (*node.Client, chain.BlockIDExt) {
	b.Helper()
	head := chain.BlockIDExt{BlockID: chain.BlockID{Workchain: -1, Shard: chain.FullShard, Seqno: 7}, RootHash: chain.Hash{1}, FileHash: chain.Hash{2}}
	tlID := func(id chain.BlockIDExt) *ton.BlockIDExt {
		return &ton.BlockIDExt{Workchain: id.Workchain, Shard: int64(id.Shard), SeqNo: id.Seqno, RootHash: id.RootHash[:], FileHash: id.FileHash[:]}
	}
	data := block.Root.ToBOC()
	id := block.ID
	id.FileHash = sha256.Sum256(data)
	server := nodetest.Serve(b, func(ctx context.Context, query tl.Serializable) tl.Serializable {
		switch q := query.(type) {
		case ton.GetMasterchainInf:
			return ton.MasterchainInfo{Last: tlID(head), StateRootHash: make([]byte, 32), Init: &ton.ZeroStateIDExt{
				Workchain: -1, RootHash: make([]byte, 32), FileHash: make([]byte, 32),
			}}
		case ton.GetBlockData:
			return ton.BlockData{ID: q.ID, Payload: data}
		case []tl.Serializable:
			<-ctx.Done()
			return nil
		default:
			return ton.LSError{Code: 621, Text: "unknown query"}
		}
	})
	client, err := node.Open(b.Context(), node.Options{
		Config: nodetest.Config(&liteclient.GlobalConfig{}, server.Liteserver()), Anchor: node.Anchor{Block: head},
	})
	require.NoError(b, err)
	b.Cleanup(client.Close)
	return client, id
}
