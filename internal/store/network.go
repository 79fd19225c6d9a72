package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	claimNetwork = `INSERT INTO network (root_hash, file_hash) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	readNetwork  = `SELECT root_hash, file_hash FROM network`
)

// Claim reserves this database for the chain that began with a zerostate. It returns an Invalid error when the database has
// rows of another chain.
func (w *Writer) Claim(ctx context.Context, zerostate chain.BlockIDExt) error {
	if _, err := w.pool.Exec(ctx, claimNetwork, zerostate.RootHash.Bytes(), zerostate.FileHash.Bytes()); err != nil {
		return sqlbuild.Fault(ctx, "network of the database", err)
	}
	var root, file []byte
	if err := w.pool.QueryRow(ctx, readNetwork).Scan(&root, &file); err != nil {
		return sqlbuild.Fault(ctx, "network of the database", err)
	}
	if stored := chain.HashFrom(root); stored != zerostate.RootHash || chain.HashFrom(file) != zerostate.FileHash {
		return chain.Invalidf("the database holds the chain with zerostate %s, and this network began with %s: "+
			"give another database, or another data folder", stored.Hex(), zerostate.RootHash.Hex())
	}
	return nil
}
