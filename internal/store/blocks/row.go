package blocks

import (
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Table lists the columns of a block in the order in which they are written and read.
const Table = `workchain, shard, seqno, root_hash, file_hash, mc_seqno, gen_utime, start_lt, end_lt, tx_count, global_id,
	version, flags, after_merge, before_split, after_split, want_merge, want_split, key_block, vert_seqno_incr, vert_seqno,
	validator_list_hash_short, gen_catchain_seqno, min_ref_mc_seqno, prev_key_block_seqno, master_ref_seqno, rand_seed,
	created_by, prev_shards, prev_seqnos`

const blockWidth = 30

// blockColumns is the same for SELECT from blocks b.
var blockColumns = sqlbuild.Qualified("b", Table)

func writeBlock(c *sqlbuild.CopyBuffer, b *chain.Block) {
	c.Row(blockWidth)
	c.Int4(b.Workchain)
	c.Int8(int64(b.Shard))
	c.Int8(int64(b.Seqno))
	c.Hash(&b.RootHash)
	c.Hash(&b.FileHash)
	c.Int8(int64(b.McSeqno))
	c.Int8(int64(b.GenUtime))
	c.Int8(int64(b.StartLT))
	c.Int8(int64(b.EndLT))
	c.Int4(b.TxCount)
	c.Int4(b.GlobalID)
	c.Int8(int64(b.Version))
	c.Int4(int32(b.Flags))
	c.Bool(b.AfterMerge)
	c.Bool(b.BeforeSplit)
	c.Bool(b.AfterSplit)
	c.Bool(b.WantMerge)
	c.Bool(b.WantSplit)
	c.Bool(b.KeyBlock)
	c.Bool(b.VertSeqnoIncr)
	c.Int8(int64(b.VertSeqno))
	c.Int8(int64(b.ValidatorListHashShort))
	c.Int8(int64(b.GenCatchainSeqno))
	c.Int8(int64(b.MinRefMcSeqno))
	c.Int8(int64(b.PrevKeyBlockSeqno))
	sqlbuild.Optional(c, b.MasterRefSeqno)
	c.Hash(&b.RandSeed)
	c.Hash(&b.CreatedBy)
	// Parents are of the block's own workchain.
	c.Int8s(len(b.PrevBlocks), func(i int) int64 { return int64(b.PrevBlocks[i].Shard) })
	c.Int8s(len(b.PrevBlocks), func(i int) int64 { return int64(b.PrevBlocks[i].Seqno) })
}

func scanBlock(r *sqlbuild.Row, b *chain.Block) {
	b.Workchain = r.Int4()
	b.Shard = chain.Shard(r.Int8())
	b.Seqno = r.Uint32()
	b.RootHash = r.Hash()
	b.FileHash = r.Hash()
	b.McSeqno = r.Uint32()
	b.GenUtime = r.Uint32()
	b.StartLT = r.LT()
	b.EndLT = r.LT()
	b.TxCount = r.Int4()
	b.GlobalID = r.Int4()
	b.Version = r.Uint32()
	b.Flags = uint32(r.Int4())
	b.AfterMerge = r.Bool()
	b.BeforeSplit = r.Bool()
	b.AfterSplit = r.Bool()
	b.WantMerge = r.Bool()
	b.WantSplit = r.Bool()
	b.KeyBlock = r.Bool()
	b.VertSeqnoIncr = r.Bool()
	b.VertSeqno = r.Uint32()
	b.ValidatorListHashShort = r.Uint32()
	b.GenCatchainSeqno = r.Uint32()
	b.MinRefMcSeqno = r.Uint32()
	b.PrevKeyBlockSeqno = r.Uint32()
	b.MasterRefSeqno = sqlbuild.SetInt8(r, new(uint32))
	b.RandSeed = r.Hash()
	b.CreatedBy = r.Hash()
	shards, seqnos := r.Int8s(), r.Int8s()
	if len(shards) != len(seqnos) {
		r.Err = sqlbuild.ErrRow
		return
	}
	for i, shard := range shards {
		if seqnos[i] != int64(uint32(seqnos[i])) {
			r.Err = sqlbuild.ErrRow
			return
		}
		b.PrevBlocks = append(b.PrevBlocks, chain.BlockID{
			Workchain: b.Workchain, Shard: chain.Shard(shard), Seqno: uint32(seqnos[i]),
		})
	}
}
