package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// cellStep writes the code and data cells of a batch that may not be stored yet.
type cellStep struct {
	missing map[chain.Hash]chain.BOC
}

func prepareCells(w *Writer, u *batchState) {
	u.cells.missing = map[chain.Hash]chain.BOC{}
	for _, mb := range u.Blocks {
		for hash, boc := range mb.Cells {
			if !w.cells.Contains(hash) {
				u.cells.missing[hash] = boc
			}
		}
	}
}

const selectCellHashes = `SELECT hash FROM cells WHERE hash = ANY($1)`

func queueCellLookup(u *batchState, b *pgx.Batch) {
	if len(u.cells.missing) == 0 {
		return
	}
	hashes := make([]chain.Hash, 0, len(u.cells.missing))
	for hash := range u.cells.missing {
		hashes = append(hashes, hash)
	}
	b.Queue(selectCellHashes, sqlbuild.HashArray(hashes)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { delete(u.cells.missing, r.Hash()) })
	})
}

func copyCells(ctx context.Context, u *batchState) error {
	c := u.Copies
	for hash, boc := range u.cells.missing {
		c.Row(2)
		c.Hash(&hash)
		c.Bytes(boc)
	}
	return c.Send(ctx, u.Tx, "cells", `hash, boc`)
}

const (
	insertConfig  = `INSERT INTO configs (mc_seqno, root, boc) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	insertLibrary = `INSERT INTO libraries (hash, boc) VALUES ($1, $2) ON CONFLICT DO NOTHING`
)

func finishConfigs(u *batchState, b *pgx.Batch) {
	for _, mb := range u.Blocks {
		if c := mb.Config; c != nil {
			b.Queue(insertConfig, int64(c.McSeqno), c.Root[:], []byte(c.BOC))
		}
	}
}
