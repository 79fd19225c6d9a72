package blocks

import (
	"context"

	"tonql/internal/store/batch"
)

// Copy writes the blocks of a batch.
func Copy(ctx context.Context, u *batch.Batch) error {
	for _, mb := range u.Blocks {
		writeBlock(u.Copies, &mb.Block)
		for i := range mb.ShardBlocks {
			writeBlock(u.Copies, &mb.ShardBlocks[i])
		}
	}
	return u.Copies.Send(ctx, u.Tx, "blocks", Table)
}

// ShardTable lists the columns of shards in the order in which they are written.
const ShardTable = `mc_seqno, workchain, shard, seqno, root_hash, file_hash`

// CopyShards writes which blocks of shards the masterchain blocks of a batch name.
func CopyShards(ctx context.Context, u *batch.Batch) error {
	c := u.Copies
	for _, mb := range u.Blocks {
		for i := range mb.Shards {
			s := &mb.Shards[i]
			c.Row(6)
			c.Int8(int64(mb.Block.Seqno))
			c.Int4(s.Workchain)
			c.Int8(int64(s.Shard))
			c.Int8(int64(s.Seqno))
			c.Hash(&s.RootHash)
			c.Hash(&s.FileHash)
		}
	}
	return c.Send(ctx, u.Tx, "shards", ShardTable)
}
