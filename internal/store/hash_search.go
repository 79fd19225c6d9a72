package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Hashes from the first to the last one with the prefix. Transactions and messages are read from the key of the first to that of the last one.
var selectHashesByPrefix = `SELECT k.kind, k.hash FROM (
	(SELECT 2::smallint AS kind, t.hash FROM transactions t WHERE ` + sqlbuild.HashKey("t.hash") + ` BETWEEN $1 AND $2 AND t.hash BETWEEN $3 AND $4
		ORDER BY ` + sqlbuild.HashKey("t.hash") + `, t.hash LIMIT $5)
	UNION ALL (SELECT 3::smallint, m.hash FROM messages m WHERE ` + sqlbuild.HashKey("m.hash") + ` BETWEEN $1 AND $2 AND m.hash BETWEEN $3 AND $4
		ORDER BY ` + sqlbuild.HashKey("m.hash") + `, m.hash LIMIT $5)
	UNION ALL (SELECT 4::smallint, r.trace_id FROM traces r WHERE r.trace_id BETWEEN $3 AND $4 ORDER BY r.trace_id LIMIT $5)
	UNION ALL (SELECT 1::smallint, b.root_hash FROM blocks b WHERE b.root_hash BETWEEN $3 AND $4 ORDER BY b.root_hash LIMIT $5)
	UNION ALL (SELECT 1::smallint, b.root_hash FROM blocks b WHERE b.file_hash BETWEEN $3 AND $4 ORDER BY b.file_hash LIMIT $5)) k
	ORDER BY k.kind, k.hash`

func hashesByPrefixArgs(p chain.HashPrefix, limit int) []any {
	first, last := p.Range()
	return []any{first[:sqlbuild.HashKeyBytes], last[:sqlbuild.HashKeyBytes], first[:], last[:], int64(limit)}
}

// HashesByPrefix finds transactions, messages, traces and blocks, the latter also by their file hash, whose hashes begin with a
// prefix; at most limit of each, by hash. Blocks are named by their root hash.
func (r *Reader) HashesByPrefix(ctx context.Context, p chain.HashPrefix, limit int) (map[chain.SearchKind][]chain.Hash, error) {
	found := map[chain.SearchKind][]chain.Hash{}
	err := sqlbuild.Each(ctx, r.pool, "hashes by prefix", func(r *sqlbuild.Row) {
		kind := chain.SearchKind(r.Int2())
		found[kind] = append(found[kind], r.Hash())
	}, selectHashesByPrefix, hashesByPrefixArgs(p, limit)...)
	return found, err
}
