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
	return checkNetwork(ctx, w.pool, zerostate)
}

// CheckNetwork returns an Invalid error when the database has rows of a chain that began with another zerostate. A database that no
// chain has claimed is accepted.
func (r *Reader) CheckNetwork(ctx context.Context, zerostate chain.BlockIDExt) error {
	return checkNetwork(ctx, r.pool, zerostate)
}

func checkNetwork(ctx context.Context, q sqlbuild.Queryer, zerostate chain.BlockIDExt) error {
	list, err := sqlbuild.Collect(ctx, q, "network of the database", 1, func(r *sqlbuild.Row, b *chain.BlockIDExt) {
		b.RootHash, b.FileHash = r.Hash(), r.Hash()
	}, readNetwork)
	if err != nil {
		return err
	}
	for _, stored := range list { // there is one at most
		if stored.RootHash != zerostate.RootHash || stored.FileHash != zerostate.FileHash {
			return chain.Invalidf("the database holds the chain with zerostate %s, and this network began with %s: "+
				"give another database, or another data folder", stored.RootHash.Hex(), zerostate.RootHash.Hex())
		}
	}
	return nil
}
