package blocks

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	// A frame that is there already is of a block whose other rows were removed.
	upsertFrames = `INSERT INTO frames AS f (workchain, shard, seqno, frame)
		SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bytea[])
		ON CONFLICT (workchain, shard, seqno) DO UPDATE SET frame = excluded.frame WHERE f.frame <> excluded.frame`

	selectFrames = `SELECT f.workchain, f.shard, f.seqno, f.frame FROM unnest($1::int[], $2::bigint[], $3::bigint[]) k(workchain, shard, seqno)
		JOIN frames f ON f.workchain = k.workchain AND f.shard = k.shard AND f.seqno = k.seqno`
)

// QueueFrames writes the frames of a batch in the round trip of other statements.
func QueueFrames(u *batch.Batch, b *pgx.Batch) {
	ids, frames := framesOf(u.Blocks)
	if len(frames) > 0 {
		k := transactions.NewBlockKeys(ids)
		b.Queue(upsertFrames, k.Workchains, k.Shards, k.Seqnos, frames)
	}
}

// framesOf returns the frames of blocks with their ids; blocks without one are left out.
func framesOf(blocks []*chain.MasterBlock) (ids []chain.BlockID, frames [][]byte) {
	for _, mb := range blocks {
		for i, frame := range mb.Frames {
			switch {
			case len(frame) == 0:
				continue
			case i == 0:
				ids = append(ids, mb.Block.BlockID)
			default:
				ids = append(ids, mb.ShardBlocks[i-1].BlockID)
			}
			frames = append(frames, frame)
		}
	}
	return ids, frames
}

// WriteFrames writes the frames of blocks and returns how many it has changed.
func WriteFrames(ctx context.Context, tx pgx.Tx, list []*chain.MasterBlock) (changed int64, err error) {
	ids, frames := framesOf(list)
	k := transactions.NewBlockKeys(ids)
	tag, err := tx.Exec(ctx, upsertFrames, k.Workchains, k.Shards, k.Seqnos, frames)
	if err != nil {
		return 0, fmt.Errorf("frames: %w", err)
	}
	return tag.RowsAffected(), nil
}

// Frames finds the stored frames of blocks; blocks without one are absent.
func (r *Reader) Frames(ctx context.Context, ids []chain.BlockID) (map[chain.BlockID][]byte, error) {
	found := make(map[chain.BlockID][]byte, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	k := transactions.NewBlockKeys(sqlbuild.Unique(ids))
	err := sqlbuild.Each(sqlbuild.Checked(ctx), r.pool, "frames of blocks", func(r *sqlbuild.Row) {
		id := chain.BlockID{Workchain: r.Int4(), Shard: chain.Shard(r.Int8()), Seqno: r.Uint32()}
		found[id] = r.Bytes()
	}, selectFrames, k.Workchains, k.Shards, k.Seqnos)
	if err == nil {
		err = sqlbuild.Found(ctx, len(found), len(k.Seqnos))
	}
	return found, err
}
