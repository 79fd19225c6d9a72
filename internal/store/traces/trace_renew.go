package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// rebuild computes traces again from their transactions. This is needed when rows of traces exist before the transactions
// that they count: after a part of the index was removed by hand and is indexed again.
func (w *TableWriter) rebuild(ctx context.Context, tx pgx.Tx, traces []*Assembly) error {
	if len(traces) == 0 {
		return nil
	}
	ids, roots, byID := make([]chain.Hash, len(traces)), make([]start, len(traces)), map[chain.Hash]*Assembly{}
	for i, a := range traces {
		ids[i], byID[a.ID] = a.ID, a
		roots[i] = start{trace: a.ID, key: a.Root}
		a.restart()
	}
	if err := w.discard(ctx, tx, ids); err != nil {
		return err
	}
	return sumUp(ctx, tx, roots, byID)
}

// restart resets a trace to one without transactions.
func (a *Assembly) restart() {
	a.Transactions, a.Messages, a.PendingMessages = 0, 0, 1
	if a.ExternalHash == nil {
		a.Messages = -1
	}
	a.EndLT, a.EndUtime, a.McSeqnoEnd = 0, 0, 0
	a.stored, a.full, a.Content = false, false, nil
}

// sumUp walks from roots, adds the transactions that it finds to their traces, and stores the traces of these transactions.
func sumUp(ctx context.Context, tx pgx.Tx, roots []start, byID map[chain.Hash]*Assembly) error {
	nodes, err := walk(ctx, tx, roots)
	if err != nil {
		return err
	}
	keys := sqlbuild.NewKeyArrays(len(nodes))
	traces, externals := make([][]byte, len(nodes)), make([][]byte, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		a := byID[n.trace]
		a.add(n.now, n.mcSeqno, n.key.LT, n.outs, n.logs)
		a.full, a.Content = false, nil
		keys.Add(&n.key.Account, n.key.LT)
		traces[i] = a.ID[:]
		if a.ExternalHash != nil {
			externals[i] = a.ExternalHash[:]
		}
	}
	return label(ctx, tx, keys, traces, externals)
}

const (
	selectEnds = `SELECT t.trace_id, t.root_account, t.root_lt, t.end_lt, t.nodes, t.mc_seqno_end FROM traces t WHERE t.trace_id = ANY($1)`

	deleteTraceAccounts = `DELETE FROM trace_accounts t USING unnest($1::bytea[], $2::bigint[], $3::bytea[]) k(account, lt, trace_id)
		WHERE t.account = k.account AND t.end_lt = k.lt AND t.trace_id = k.trace_id`
	deleteActionAccounts = `DELETE FROM action_accounts t USING unnest($1::bytea[], $2::bigint[], $3::bytea[]) k(account, lt, trace_id)
		WHERE t.account = k.account AND t.trace_end_lt = k.lt AND t.trace_id = k.trace_id`
)

// deleteActions deletes the actions of traces that have rows.
var deleteActions = `DELETE FROM actions a USING traces t WHERE t.trace_id = ANY($1) AND ` + ofTrace + `
	RETURNING a.trace_id, a.trace_end_lt, a.accounts`

// participants are the keys of rows that lead from accounts to traces, until the move is done in both forms.
type participants struct {
	sqlbuild.KeyArrays

	entries entries

	traces [][]byte
	seen   map[participant]bool
}

type participant struct {
	account chain.Address
	trace   chain.Hash
}

func (p *participants) note(keys *AccountKeys, account chain.Address, lt uint64, trace chain.Hash) {
	if p.seen == nil {
		p.seen = map[participant]bool{}
	}
	if k := (participant{account, trace}); !p.seen[k] {
		p.seen[k] = true
		p.Add(&account, lt)
		p.traces = append(p.traces, trace.Bytes())
		p.entries.add(keys.Of(account), lt, trace[:], 0)
	}
}

// discard removes the rows of traces with all that leads to them.
func (w *TableWriter) discard(ctx context.Context, tx pgx.Tx, ids []chain.Hash) error {
	return w.discardEach(ctx, tx, ids, func(chain.TransactionKey) {})
}

// discardEach is discard; visit gets the transactions of complete traces.
func (w *TableWriter) discardEach(ctx context.Context, tx pgx.Tx, ids []chain.Hash, visit func(chain.TransactionKey)) error {
	moved, err := w.Keys.complete(ctx, tx)
	if err != nil {
		return err
	}
	var takers, actors participants
	var large []start
	ends := map[chain.Hash]uint64{}
	var seqnos []uint32
	b := &pgx.Batch{}
	b.Queue(selectEnds, sqlbuild.HashArray(ids)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			id := r.Hash()
			root := chain.TransactionKey{Account: r.Address(), LT: r.LT()}
			ends[id] = r.LT()
			nodes := r.Bytes()
			if nodes == nil {
				large = append(large, start{trace: id, key: root})
			}
			keys, _ := parseNodes(nodes)
			seqnos = append(seqnos, r.Uint32())
			for _, k := range keys {
				visit(k)
				takers.note(w.Keys, k.Account, ends[id], id)
			}
		})
	})
	b.Queue(deleteActions, sqlbuild.HashArray(ids)).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
			id, lt := r.Hash(), r.LT()
			for _, account := range r.Addresses() {
				actors.note(w.Keys, account, lt, id)
			}
		})
	})
	b.Queue(deleteTraces, sqlbuild.HashArray(ids))
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("earlier rows of traces: %w", err)
	}
	if len(large) > 0 {
		nodes, err := walk(ctx, tx, large)
		if err != nil {
			return err
		}
		for i := range nodes {
			visit(nodes[i].key)
			takers.note(w.Keys, nodes[i].key.Account, ends[nodes[i].trace], nodes[i].trace)
		}
	}
	b = &pgx.Batch{}
	w.Outdated.Queue(b, seqnos...)
	b.Queue(deleteAccountTraces, takers.entries.accounts, takers.entries.lts, takers.entries.prefixes)
	b.Queue(deleteAccountActions, actors.entries.accounts, actors.entries.lts, actors.entries.prefixes)
	b.Queue(deleteLargeTraceAccounts, sqlbuild.HashArray(ids))
	if !moved {
		b.Queue(deleteTraceAccounts, takers.Accounts, takers.LTs, takers.traces)
		b.Queue(deleteActionAccounts, actors.Accounts, actors.LTs, actors.traces)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("accounts of earlier traces: %w", err)
	}
	return nil
}

// Reclassify classifies complete traces again. It skips traces that are not in the index. ranges are the indexed ranges.
func (w *TableWriter) Reclassify(ctx context.Context, tx pgx.Tx, ranges []chain.SeqnoRange, ids []chain.Hash) error {
	again, err := w.takeTraces(ctx, tx, ids)
	if err != nil {
		return err
	}
	return w.write(ctx, tx, ranges, again)
}

// selectRoots finds transactions that begin a trace and have none: they were indexed before traces were assembled.
var selectRoots = `SELECT ` + transactions.TransactionColumns + ` FROM transactions t
	LEFT JOIN messages m ON m.account = t.in_msg_account AND m.lt = t.in_msg_lt
	WHERE t.mc_seqno BETWEEN $1 AND $2 AND t.trace_id IS NULL AND (t.in_msg_account IS NULL OR m.kind = 1 OR m.source = $3)
	ORDER BY t.mc_seqno, t.lt LIMIT $4`

// Retrace assembles up to limit traces that begin in a range of masterchain blocks and have no rows yet. It returns how
// many it found. ranges are the indexed ranges.
func (w *TableWriter) Retrace(
	ctx context.Context, tx pgx.Tx, ranges []chain.SeqnoRange, within chain.SeqnoRange, limit int,
) (found int, err error) {
	rows, err := tx.Query(ctx, selectRoots, int64(within.First), int64(within.Last), chain.SystemAddress.Bytes(), int64(limit))
	if err != nil {
		return 0, fmt.Errorf("beginnings of traces: %w", err)
	}
	txs, err := transactions.ReadAll(ctx, tx, w.Dictionaries, rows, limit)
	if err != nil {
		return 0, fmt.Errorf("beginnings of traces: %w", err)
	}
	if len(txs) == 0 {
		return 0, nil
	}
	full, err := w.withMessages(ctx, tx, txs)
	if err != nil {
		return 0, err
	}
	traces, roots, byID := make([]*Assembly, len(txs)), make([]start, len(txs)), map[chain.Hash]*Assembly{}
	for i := range txs {
		a := begin(&txs[i], full[i].InMessage)
		traces[i], byID[a.ID] = a, a
		roots[i] = start{trace: a.ID, key: a.Root}
	}
	if err := sumUp(ctx, tx, roots, byID); err != nil {
		return 0, err
	}
	return len(txs), w.write(ctx, tx, ranges, traces)
}

const selectCompleteTraces = `SELECT t.mc_seqno_end, t.trace_id FROM traces t WHERE t.pending = 0
	AND t.mc_seqno_end >= $1 AND t.mc_seqno_end <= $2 AND (t.mc_seqno_end, t.trace_id) > ($1, $3)
	ORDER BY t.mc_seqno_end, t.trace_id LIMIT $4`

// Position is a place in the order of ends: by masterchain seqno, then id.
type Position struct {
	McSeqno uint32
	ID      chain.Hash
}

// CompletedTraces lists complete traces after a position, up to masterchain block last.
func (r *Reader) CompletedTraces(ctx context.Context, after Position, last uint32, limit int) ([]Position, error) {
	id := after.ID[:]
	if after.ID.IsZero() {
		id = []byte{}
	}
	return sqlbuild.Collect(ctx, r.pool, "traces", limit, func(r *sqlbuild.Row, p *Position) {
		p.McSeqno = r.Uint32()
		p.ID = r.Hash()
	}, selectCompleteTraces, int64(after.McSeqno), int64(last), id, int64(limit))
}
