package store

import "context"

func copyBlocks(ctx context.Context, u *unit) error {
	for _, mb := range u.blocks {
		writeBlock(u.copies, &mb.Block)
		for i := range mb.ShardBlocks {
			writeBlock(u.copies, &mb.ShardBlocks[i])
		}
	}
	return u.copies.send(ctx, u.tx, "blocks", blockTable)
}

const shardTable = `mc_seqno, workchain, shard, seqno, root_hash, file_hash`

func copyShards(ctx context.Context, u *unit) error {
	c := u.copies
	for _, mb := range u.blocks {
		for i := range mb.Shards {
			s := &mb.Shards[i]
			c.row(6)
			c.int8(int64(mb.Block.Seqno))
			c.int4(s.Workchain)
			c.int8(int64(s.Shard))
			c.int8(int64(s.Seqno))
			c.hash(&s.RootHash)
			c.hash(&s.FileHash)
		}
	}
	return c.send(ctx, u.tx, "shards", shardTable)
}
