package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const selectShardTops = `SELECT workchain, shard, seqno, root_hash, file_hash FROM shards WHERE mc_seqno = $1 ORDER BY workchain, shard`

// The conditions find the block's rows by the masterchain block that committed it; they are few enough to be sorted.
var selectPlaceTransactions = `SELECT ` + transactions.TransactionColumns + ` FROM (SELECT t.* FROM blocks b
	JOIN transactions t ON t.mc_seqno = b.mc_seqno AND t.shard = b.shard AND t.block_seqno = b.seqno
		AND get_byte(t.account, 0) = b.workchain + 128
	WHERE b.workchain = $1 AND b.shard = $2 AND b.seqno = $3 AND (t.account, t.lt) > ($4, $5) OFFSET 0) t
	ORDER BY t.account, t.lt LIMIT $6`

// ShardTops names the newest block of every shard after a masterchain block, by workchain and shard as signed numbers;
// also blocks that are older than the index. Empty when the index does not hold mcSeqno.
func (r *Reader) ShardTops(ctx context.Context, mcSeqno uint32) ([]chain.BlockIDExt, error) {
	read := func(_ []chain.BlockIDExt, cold sqlbuild.Moved) bool { return cold.ClearOf(mcSeqno) }
	return sqlbuild.Covered(ctx, r.pool, "newest shard blocks", 8, read, func(r *sqlbuild.Row, id *chain.BlockIDExt) {
		id.Workchain, id.Shard, id.Seqno = r.Int4(), chain.Shard(r.Int8()), r.Uint32()
		id.RootHash, id.FileHash = r.Hash(), r.Hash()
	}, selectShardTops, int64(mcSeqno))
}

// BlockTransactions lists up to limit transactions of one block by account id, then LT, as nodes do, from the one after
// the key on; nil: from the first.
func (r *Reader) BlockTransactions(ctx context.Context, id chain.BlockID, after *chain.TransactionKey, limit int) ([]chain.Transaction, error) {
	from, lt := []byte{}, int64(0)
	if after != nil {
		from, lt = sqlbuild.AddressArray([]chain.Address{after.Account})[0], int64(after.LT)
	}
	return r.Collect(ctx, "transactions of a block", limit, selectPlaceTransactions,
		id.Workchain, int64(id.Shard), int64(id.Seqno), from, lt, limit)
}
