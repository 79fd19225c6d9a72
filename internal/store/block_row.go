package store

import (
	"tonql/internal/chain"
)

// blockTable lists the columns of a block in the order in which they are written and read.
const blockTable = `workchain, shard, seqno, root_hash, file_hash, mc_seqno, gen_utime, start_lt, end_lt, tx_count, global_id,
	version, flags, after_merge, before_split, after_split, want_merge, want_split, key_block, vert_seqno_incr, vert_seqno,
	validator_list_hash_short, gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, master_ref_seqno, rand_seed,
	created_by, prev_shards, prev_seqnos`

const blockWidth = 30

// blockColumns is the same for SELECT from blocks b.
var blockColumns = qualified("b", blockTable)

func writeBlock(c *copyBuffer, b *chain.Block) {
	c.row(blockWidth)
	c.int4(b.Workchain)
	c.int8(int64(b.Shard))
	c.int8(int64(b.Seqno))
	c.hash(&b.RootHash)
	c.hash(&b.FileHash)
	c.int8(int64(b.McSeqno))
	c.int8(int64(b.GenUtime))
	c.int8(int64(b.StartLT))
	c.int8(int64(b.EndLT))
	c.int4(b.TxCount)
	c.int4(b.GlobalID)
	c.int8(int64(b.Version))
	c.int4(int32(b.Flags))
	c.bool(b.AfterMerge)
	c.bool(b.BeforeSplit)
	c.bool(b.AfterSplit)
	c.bool(b.WantMerge)
	c.bool(b.WantSplit)
	c.bool(b.KeyBlock)
	c.bool(b.VertSeqnoIncr)
	c.int8(int64(b.VertSeqno))
	c.int8(int64(b.ValidatorListHashShort))
	c.int8(int64(b.GenCatchainSeqno))
	c.int8(int64(b.MinRefMcSeqno))
	c.int8(int64(b.PrevKeyBlockSeqno))
	optional(c, b.MasterRefSeqno)
	c.hash(&b.RandSeed)
	c.hash(&b.CreatedBy)
	// Parents are of the block's own workchain.
	c.int8s(len(b.PrevBlocks), func(i int) int64 { return int64(b.PrevBlocks[i].Shard) })
	c.int8s(len(b.PrevBlocks), func(i int) int64 { return int64(b.PrevBlocks[i].Seqno) })
}

func scanBlock(r *row, b *chain.Block) {
	b.Workchain = r.int4()
	b.Shard = chain.Shard(r.int8())
	b.Seqno = r.u32()
	b.RootHash = r.hash()
	b.FileHash = r.hash()
	b.McSeqno = r.u32()
	b.GenUtime = r.u32()
	b.StartLT = r.lt()
	b.EndLT = r.lt()
	b.TxCount = r.int4()
	b.GlobalID = r.int4()
	b.Version = r.u32()
	b.Flags = uint32(r.int4())
	b.AfterMerge = r.bool()
	b.BeforeSplit = r.bool()
	b.AfterSplit = r.bool()
	b.WantMerge = r.bool()
	b.WantSplit = r.bool()
	b.KeyBlock = r.bool()
	b.VertSeqnoIncr = r.bool()
	b.VertSeqno = r.u32()
	b.ValidatorListHashShort = r.u32()
	b.GenCatchainSeqno = r.u32()
	b.MinRefMcSeqno = r.u32()
	b.PrevKeyBlockSeqno = r.u32()
	b.MasterRefSeqno = setInt8(r, new(uint32))
	b.RandSeed = r.hash()
	b.CreatedBy = r.hash()
	shards, seqnos := r.int8s(), r.int8s()
	if len(shards) != len(seqnos) {
		r.err = errRow
		return
	}
	for i, shard := range shards {
		b.PrevBlocks = append(b.PrevBlocks, chain.BlockID{
			Workchain: b.Workchain, Shard: chain.Shard(shard), Seqno: uint32(seqnos[i]),
		})
	}
}
