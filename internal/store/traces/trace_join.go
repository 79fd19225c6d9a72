package traces

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	// selectCut finds the traces that end at messages whose receivers have no trace.
	selectCut = `SELECT DISTINCT s.trace_id FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN messages m ON m.account = k.account AND m.lt = k.lt
		JOIN transactions s ON s.account = m.account AND s.lt = m.src_tx_lt
		JOIN transactions r ON r.account = m.destination AND r.lt = m.dst_tx_lt
		WHERE s.trace_id IS NOT NULL AND r.trace_id IS NULL`

	selectWants = `SELECT w.account, w.mc_seqno_end, w.trace_id FROM trace_wants w
		WHERE (w.account, w.mc_seqno_end, w.trace_id) > ($1, $2, $3) ORDER BY 1, 2, 3 LIMIT $4`
	deleteWants = `DELETE FROM trace_wants w USING unnest($1::bytea[], $2::bigint[], $3::bytea[]) k(account, lt, trace_id)
		WHERE w.account = k.account AND w.mc_seqno_end = k.lt AND w.trace_id = k.trace_id`
)

// JoinMessages continues traces across messages whose two sides were indexed apart. ranges are the indexed ranges.
func (w *TableWriter) JoinMessages(ctx context.Context, tx pgx.Tx, ranges []chain.SeqnoRange, messages []chain.MessageKey) error {
	keys := sqlbuild.NewKeyArrays(len(messages))
	for i := range messages {
		keys.Add(&messages[i].Account, messages[i].LT)
	}
	rows, err := tx.Query(ctx, selectCut, keys.Accounts, keys.LTs)
	if err != nil {
		return fmt.Errorf("traces of senders: %w", err)
	}
	ids, err := sqlbuild.ReadAll(rows, 0, func(r *sqlbuild.Row, id *chain.Hash) { *id = r.Hash() })
	if err != nil {
		return fmt.Errorf("traces of senders: %w", err)
	}
	slices.SortFunc(ids, func(a, b chain.Hash) int { return bytes.Compare(a[:], b[:]) })
	for some := range slices.Chunk(ids, rewrittenAtOnce) {
		stored, err := readTraces(ctx, tx, some)
		if err != nil {
			return err
		}
		traces := make([]*Assembly, len(stored))
		for i := range stored {
			traces[i] = &Assembly{Trace: stored[i], stored: true}
		}
		slices.SortFunc(traces, func(a, b *Assembly) int { return bytes.Compare(a.ID[:], b.ID[:]) })
		if err := w.rebuild(ctx, tx, traces); err != nil {
			return err
		}
		for len(traces) > 0 {
			n := fitting(traces)
			if err := w.write(ctx, tx, ranges, traces[:n]); err != nil {
				return err
			}
			clear(traces[:n]) // releases their content
			traces = traces[n:]
		}
	}
	return nil
}

// Want is a wanted record: of an account, by a trace that ended in a masterchain block.
type Want struct {
	Account chain.Address
	End     Position
}

// RenewWants classifies the traces of the next wants again, some at a time, in the order of accounts, and returns the last of these wants;
// false when there are none.
func (w *TableWriter) RenewWants(ctx context.Context, tx pgx.Tx, ranges []chain.SeqnoRange, after *Want) (last Want, found bool, err error) {
	account, id, seqno := []byte{}, []byte{}, int64(0)
	if after != nil {
		account, id, seqno = after.Account.Bytes(), after.End.ID.Bytes(), int64(after.End.McSeqno)
	}
	rows, err := tx.Query(ctx, selectWants, account, seqno, id, rewrittenAtOnce)
	if err != nil {
		return Want{}, false, fmt.Errorf("wanted records of traces: %w", err)
	}
	keys, traces := sqlbuild.NewKeyArrays(rewrittenAtOnce), [][]byte{}
	var ids []chain.Hash
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		last = Want{Account: r.Address(), End: Position{McSeqno: r.Uint32(), ID: r.Hash()}}
		keys.Add(&last.Account, uint64(last.End.McSeqno))
		traces = append(traces, last.End.ID.Bytes())
		ids = append(ids, last.End.ID)
	})
	if err != nil || len(ids) == 0 {
		return last, false, err
	}
	if _, err := tx.Exec(ctx, deleteWants, keys.Accounts, keys.LTs, traces); err != nil {
		return last, false, fmt.Errorf("wanted records of traces: %w", err)
	}
	return last, true, w.Reclassify(ctx, tx, ranges, sqlbuild.Unique(ids))
}
