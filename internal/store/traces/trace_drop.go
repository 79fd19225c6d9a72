package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const selectEnded = `SELECT t.trace_id FROM traces t WHERE t.pending = 0 AND t.mc_seqno_end BETWEEN $1 AND $2`

// DropEnded removes the complete traces that end in masterchain blocks, with their actions and all that leads to them, and returns the
// keys of their transactions, which stay.
func (w *TableWriter) DropEnded(ctx context.Context, tx pgx.Tx, within chain.SeqnoRange) (sqlbuild.KeyArrays, error) {
	keys := sqlbuild.NewKeyArrays(0)
	rows, err := tx.Query(ctx, selectEnded, int64(within.First), int64(within.Last))
	if err != nil {
		return keys, fmt.Errorf("traces that end in the blocks: %w", err)
	}
	ids, err := sqlbuild.ReadAll(rows, 64, func(r *sqlbuild.Row, id *chain.Hash) { *id = r.Hash() })
	if err != nil || len(ids) == 0 {
		return keys, err
	}
	err = w.discardEach(ctx, tx, ids, func(k chain.TransactionKey) { keys.Add(&k.Account, k.LT) })
	return keys, err
}
