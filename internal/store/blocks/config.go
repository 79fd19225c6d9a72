package blocks

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

const (
	insertConfig = `INSERT INTO configs (mc_seqno, root, boc) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`

	// The newest configuration at or before a block, unless that block names a later key block that is not indexed.
	selectConfig = `SELECT c.mc_seqno, c.root, c.boc FROM configs c WHERE c.mc_seqno <= $1
		AND c.mc_seqno >= COALESCE((SELECT b.prev_key_block_seqno FROM blocks b WHERE b.workchain = -1
			AND b.shard = '-9223372036854775808'::bigint AND b.seqno = $1), 0)
		ORDER BY c.mc_seqno DESC LIMIT 1`

	// Configurations of key blocks in a range, newest or oldest first.
	selectConfigs       = `SELECT mc_seqno, root, boc FROM configs WHERE mc_seqno BETWEEN $1 AND $2 ORDER BY mc_seqno DESC LIMIT $3`
	selectConfigsOldest = `SELECT mc_seqno, root, boc FROM configs WHERE mc_seqno BETWEEN $1 AND $2 ORDER BY mc_seqno LIMIT $3`
)

// QueueConfigs writes the configurations that the key blocks of a batch put in force.
func QueueConfigs(u *batch.Batch, b *pgx.Batch) {
	for _, mb := range u.Blocks {
		if c := mb.Config; c != nil {
			b.Queue(insertConfig, int64(c.McSeqno), c.Root[:], []byte(c.BOC))
		}
	}
}

// Config returns the configuration in force at masterchain block mcSeqno. NotFound when the index does not hold it.
func (r *Reader) Config(ctx context.Context, mcSeqno uint32) (chain.Config, error) {
	found, err := sqlbuild.Collect(ctx, r.pool, "configuration", 1, scanConfig, selectConfig, int64(mcSeqno))
	switch {
	case err != nil:
		return chain.Config{}, err
	case len(found) == 0:
		return chain.Config{}, chain.NotFoundf("the index holds no configuration for masterchain block %d", mcSeqno)
	default:
		return found[0], nil
	}
}

func scanConfig(r *sqlbuild.Row, c *chain.Config) {
	c.McSeqno = r.Uint32()
	c.Root = r.Hash()
	c.BOC = r.Bytes()
}

// Configs lists the configurations that key blocks of a range put in force, at most limit of them.
func (r *Reader) Configs(ctx context.Context, within chain.SeqnoRange, order chain.Sort, limit int) ([]chain.Config, error) {
	text := selectConfigs
	if order == chain.Ascending {
		text = selectConfigsOldest
	}
	return sqlbuild.Collect(ctx, r.pool, "configurations", limit, scanConfig, text, int64(within.First), int64(within.Last), int64(limit))
}
