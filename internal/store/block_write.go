package store

import "context"

func copyBlocks(ctx context.Context, u *batchState) error {
	for _, mb := range u.Blocks {
		writeBlock(u.Copies, &mb.Block)
		for i := range mb.ShardBlocks {
			writeBlock(u.Copies, &mb.ShardBlocks[i])
		}
	}
	return u.Copies.Send(ctx, u.Tx, "blocks", blockTable)
}

const shardTable = `mc_seqno, workchain, shard, seqno, root_hash, file_hash`

func copyShards(ctx context.Context, u *batchState) error {
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
	return c.Send(ctx, u.Tx, "shards", shardTable)
}
