package blocks

import (
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

var (
	blockKey     = []string{"workchain", "shard", "seqno"}
	selectBlocks = `SELECT ` + blockColumns + ` FROM blocks b`

	// SelectMasterchainInfo reads the first and the last masterchain block.
	SelectMasterchainInfo = `(` + selectBlocks + ` WHERE b.workchain = -1 AND b.shard = '-9223372036854775808'::bigint
		ORDER BY b.seqno LIMIT 1) UNION ALL (` + selectBlocks + ` WHERE b.workchain = -1
		AND b.shard = '-9223372036854775808'::bigint ORDER BY b.seqno DESC LIMIT 1)`

	// SelectShardState reads the newest block of each shard at a masterchain block.
	SelectShardState = `SELECT ` + blockColumns + ` FROM (SELECT b.* FROM (SELECT workchain, shard, seqno FROM shards WHERE mc_seqno = $1
		UNION SELECT -1, '-9223372036854775808'::bigint, $1) k
		JOIN blocks b ON b.workchain = k.workchain AND b.shard = k.shard AND b.seqno = k.seqno
		WHERE EXISTS (SELECT 1 FROM blocks e WHERE e.workchain = -1 AND e.shard = '-9223372036854775808'::bigint AND e.seqno = $1)
		OFFSET 0) b ORDER BY b.workchain, b.shard, b.seqno`

	selectBlocksByID = `SELECT ` + blockColumns + ` FROM unnest($1::int[], $2::bigint[], $3::bigint[]) k(workchain, shard, seqno)
		JOIN blocks b ON b.workchain = k.workchain AND b.shard = k.shard AND b.seqno = k.seqno`

	selectBlocksOfMasterchain = `SELECT ` + blockColumns + ` FROM (SELECT b.* FROM blocks b WHERE b.mc_seqno = ANY($1) OFFSET 0) b ORDER BY b.mc_seqno, b.workchain, b.shard, b.seqno`
)

// MasterchainInfo returns the lowest and the highest masterchain block of the index, NotFound while it is empty.
func (r *Reader) MasterchainInfo(ctx context.Context) (chain.MasterchainInfo, error) {
	ends, err := sqlbuild.Collect(sqlbuild.Checked(ctx), r.pool, "masterchain info", 2, scanBlock, SelectMasterchainInfo) // the oldest block is never moved
	if err != nil {
		return chain.MasterchainInfo{}, err
	}
	if len(ends) != 2 {
		return chain.MasterchainInfo{}, chain.NotFoundf("the index holds no masterchain block yet")
	}
	return chain.MasterchainInfo{First: ends[0], Last: ends[1]}, nil
}

// ShardState lists the latest block of every shard as masterchain block mcSeqno records it, and that block itself, by
// workchain, shard and seqno; empty when the index does not hold mcSeqno. Shards are ordered as signed numbers, as the
// published service has them.
func (r *Reader) ShardState(ctx context.Context, mcSeqno uint32) ([]chain.Block, error) {
	return sqlbuild.Covered(ctx, r.pool, "shard state", 8, func(rows []chain.Block, cold sqlbuild.Moved) bool {
		return cold.ClearOf(mcSeqno) && coverShards(rows)
	}, scanBlock, SelectShardState, int64(mcSeqno))
}

// coverShards reports whether the blocks of each workchain are of shards that cover it.
func coverShards(rows []chain.Block) bool {
	covered := map[int32]uint64{}
	for i := range rows {
		// The lowest set bit of a shard is half of its part of the 2^64 accounts.
		shard := uint64(rows[i].Shard)
		covered[rows[i].Workchain] += (shard & -shard) // at most 2^63 together
	}
	for _, part := range covered {
		if part != 1<<63 {
			return false
		}
	}
	return len(covered) > 1
}

// BlocksByID finds blocks by id.
func (r *Reader) BlocksByID(ctx context.Context, ids []chain.BlockID) ([]chain.Block, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	k := transactions.NewBlockKeys(sqlbuild.Unique(ids))
	return sqlbuild.Covered(ctx, r.pool, "blocks", len(ids), sqlbuild.EachFound[chain.Block](len(k.Seqnos)), scanBlock, selectBlocksByID, k.Workchains, k.Shards, k.Seqnos)
}

// BlocksOfMasterchain lists, for each masterchain seqno, the blocks it committed, itself included, by workchain, shard
// and seqno.
func (r *Reader) BlocksOfMasterchain(ctx context.Context, mcSeqnos []uint32) (map[uint32][]chain.Block, error) {
	if len(mcSeqnos) == 0 {
		return nil, nil
	}
	list := make([]int64, len(mcSeqnos))
	for i, s := range mcSeqnos {
		list[i] = int64(s)
	}
	read := func(_ []chain.Block, cold sqlbuild.Moved) bool {
		return !slices.ContainsFunc(mcSeqnos, func(s uint32) bool { return !cold.ClearOf(s) })
	}
	rows, err := sqlbuild.Covered(ctx, r.pool, "blocks", 2*len(list), read, scanBlock, selectBlocksOfMasterchain, sqlbuild.Unique(list))
	if err != nil {
		return nil, err
	}
	return sqlbuild.Group(rows, func(b *chain.Block) uint32 { return b.McSeqno }), nil
}

// blockOrder is the order of lists of blocks. Of blocks of one time, that of the masterchain is first when the newest are, as the
// published service has them.
func blockOrder(sort chain.Sort) sqlbuild.Order {
	desc := sort == chain.Descending
	return sqlbuild.Order{
		{Column: "b.gen_utime", Desc: desc, At: "?", Bind: sqlbuild.BindMajor},
		{Column: "b.workchain", Desc: !desc, At: "?", Bind: func(c *chain.Cursor) []any { return []any{c.BlockID().Workchain} }},
		{Column: "b.shard", Desc: desc, At: "?", Bind: func(c *chain.Cursor) []any { return []any{int64(c.BlockID().Shard)} }},
		{Column: "b.seqno", Desc: desc, At: "?", Bind: bindSeqno},
	}
}

func bindSeqno(c *chain.Cursor) []any { return []any{int64(c.BlockID().Seqno)} }

// Blocks lists the blocks that match f by gen_utime, then workchain, shard and seqno, in the page's direction but for the workchain.
func (r *Reader) Blocks(ctx context.Context, f chain.BlockFilter, p chain.Page) ([]chain.Block, error) {
	s, l := ListStatement(&f, p)
	rows, err := sqlbuild.Covered(ctx, r.pool, "blocks", l.Limit, blocksHere(&f, &l), scanBlock, s.Text.String(), s.Args...)
	return sqlbuild.RestoreOrder(&l, rows), err
}

// blocksHere is the rule of a page of blocks.
func blocksHere(f *chain.BlockFilter, l *sqlbuild.List) sqlbuild.Rule[chain.Block] {
	return func(rows []chain.Block, cold sqlbuild.Moved) bool {
		one := placed(f) || f.RootHash != nil || f.FileHash != nil
		switch {
		case f.McSeqno != nil && cold.ClearOf(*f.McSeqno), one && len(rows) > 0:
			return true
		case f.StartLT != nil && *f.StartLT > cold.EndLT, f.StartUtime != nil && *f.StartUtime > cold.GenUtime+sqlbuild.ColdSlack:
			return true
		case pointed(f) || !l.Direction() || len(rows) < l.Limit:
			return false
		}
		last := &rows[len(rows)-1]
		return last.McSeqno > cold.Last && (inShard(f) || last.GenUtime > cold.GenUtime+sqlbuild.ColdSlack)
	}
}

// Block reads a block by its id, nil when the index does not have it. A block never changes, so this query does not begin a
// snapshot.
func (r *Reader) Block(ctx context.Context, id chain.BlockID) (*chain.Block, error) {
	s, _ := ListStatement(&chain.BlockFilter{Workchain: &id.Workchain, Shard: &id.Shard, Seqno: &id.Seqno}, chain.Page{})
	rows, err := sqlbuild.Covered(ctx, r.unchanging(), "block", 1, sqlbuild.EachFound[chain.Block](1), scanBlock, s.Text.String(), s.Args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// ListStatement returns the statement of [Reader.Blocks].
func ListStatement(f *chain.BlockFilter, p chain.Page) (*sqlbuild.Statement, sqlbuild.List) {
	o := blockOrder(p.Sort)
	if inShard(f) {
		// Along one shard time never decreases, so the order of seqnos, which the primary key has, is the list's.
		o = o[3:]
	}
	l := sqlbuild.NewList(o, p)
	s := &sqlbuild.Statement{}
	switch {
	case placed(f) && l.Offset == 0: // one block at most
		s.From(selectBlocks)
		blockConditions(s, f, &l)
		return s, l
	case pointed(f):
		s.Fence(blockColumns, "b", func() { s.From(selectBlocks); blockConditions(s, f, &l) })
		s.OrderBy(l.Order).Window(&l)
		return s, l
	default:
		return s.Rows(blockColumns, "blocks", "b", blockKey, &l, func() { blockConditions(s, f, &l) }), l
	}
}

func blockConditions(s *sqlbuild.Statement, f *chain.BlockFilter, l *sqlbuild.List) {
	workchain, shard := f.Workchain, f.Shard
	if workchain != nil && *workchain == chain.MasterchainID && shard == nil && inShard(f) {
		full := chain.FullShard
		shard = &full
	}
	if pointed(f) && !placed(f) {
		sqlbuild.Present(s, workchain, "(b.workchain = ?) IS TRUE", func(v int32) any { return v })
		sqlbuild.Present(s, shard, "(b.shard = ?) IS TRUE", sqlbuild.AsShard)
	} else {
		sqlbuild.Present(s, workchain, "b.workchain = ?", func(v int32) any { return v })
		sqlbuild.Present(s, shard, "b.shard = ?", sqlbuild.AsShard)
	}
	if f.KeyBlock != nil {
		keyBlockCondition(s, *f.KeyBlock, pointed(f))
	}
	sqlbuild.Present(s, f.Seqno, "b.seqno = ?", sqlbuild.AsInt8[uint32])
	sqlbuild.Present(s, f.RootHash, "b.root_hash = ?", func(h chain.Hash) any { return h[:] })
	sqlbuild.Present(s, f.FileHash, "b.file_hash = ?", func(h chain.Hash) any { return h[:] })
	sqlbuild.Present(s, f.McSeqno, "b.mc_seqno = ?", sqlbuild.AsInt8[uint32])
	period := sqlbuild.Span{FromUtime: f.StartUtime, ToUtime: f.EndUtime, FromLT: f.StartLT, ToLT: f.EndLT}
	if pointed(f) {
		period.Filter(s, "b.gen_utime", "b.start_lt")
	} else if !inShard(f) {
		period.Restrict(s, "b.gen_utime", "b.start_lt")
		period.BoundUtime(s, "b.gen_utime")
		transactions.RequireShard(s, workchain, shard)
	}
	s.Keyset(l)
}

// keyBlockCondition selects key blocks by blocks_key, or all others. Rows that another index leads to are only compared.
func keyBlockCondition(s *sqlbuild.Statement, key, compared bool) {
	switch {
	case !key:
		s.And("NOT b.key_block")
	case compared:
		s.And("(b.key_block) IS TRUE")
	default:
		s.And("b.key_block")
	}
}

// pointed reports whether f selects a handful of blocks through a separate index.
func pointed(f *chain.BlockFilter) bool {
	return f.RootHash != nil || f.FileHash != nil || f.McSeqno != nil || f.Seqno != nil
}

// placed reports whether f names a block by its id.
func placed(f *chain.BlockFilter) bool { return f.Workchain != nil && f.Shard != nil && f.Seqno != nil }

// inShard reports whether f lists the blocks of one shard, with no range that would begin far from the list's ends.
func inShard(f *chain.BlockFilter) bool {
	shard := f.Workchain != nil && (f.Shard != nil || *f.Workchain == chain.MasterchainID)
	ranges := f.StartUtime != nil || f.EndUtime != nil || f.StartLT != nil || f.EndLT != nil
	keyBlocks := f.KeyBlock != nil && *f.KeyBlock // have an index in the order of time
	return shard && !ranges && !keyBlocks && !pointed(f)
}
