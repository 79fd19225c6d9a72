package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const selectEnded = `SELECT t.trace_id, t.transactions FROM traces t WHERE t.pending = 0 AND t.mc_seqno_end BETWEEN $1 AND $2`

// DropEnded removes the complete traces that end in masterchain blocks, with their actions and all that leads to them, and returns the
// keys of their transactions, which stay. Those of traces with more than limit transactions are left for [TableWriter.DropPiece].
func (w *TableWriter) DropEnded(ctx context.Context, tx pgx.Tx, within chain.SeqnoRange, limit int) (sqlbuild.KeyArrays, error) {
	keys := sqlbuild.NewKeyArrays(0)
	rows, err := tx.Query(ctx, selectEnded, int64(within.First), int64(within.Last))
	if err != nil {
		return keys, fmt.Errorf("traces that end in the blocks: %w", err)
	}
	var ids, large []chain.Hash
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		if id := r.Hash(); int(r.Int4()) > limit {
			large = append(large, id)
		} else {
			ids = append(ids, id)
		}
	})
	if err != nil {
		return keys, fmt.Errorf("traces that end in the blocks: %w", err)
	}
	if len(large) > 0 {
		if err := w.detach(ctx, tx, large); err != nil {
			return keys, err
		}
	}
	if len(ids) == 0 {
		return keys, nil
	}
	err = w.discardEach(ctx, tx, ids, func(k chain.TransactionKey) { keys.Add(&k.Account, k.LT) })
	return keys, err
}
