package traces

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/contracts"
	"tonql/internal/store/sqlbuild"
)

// Records of a trace's contracts are those as of its end. Most were seen in the blocks of the trace itself. Records
// from earlier blocks may be missing when a trace is classified before these are indexed; the trace then wants them.

// wants lists the accounts of a classified trace whose records a missing earlier block may hold.
func (t *Completion) wants(ranges []chain.SeqnoRange, records chain.TraceRecords) []chain.Address {
	first := runOf(ranges, t.McSeqnoEnd)
	if first <= 1 {
		return nil // the chain has no earlier blocks
	}
	active := map[chain.Address]bool{}
	for i := range t.Content { // by LT: the last word counts
		active[t.Content[i].Account] = t.Content[i].EndStatus == chain.Active
	}
	var wanted []chain.Address
	for account, r := range records {
		// Contracts of the trace itself were analysed with its blocks, unless they are not active any more.
		if r.McSeqno < first && !active[account] {
			wanted = append(wanted, account)
		}
	}
	return wanted
}

// runOf returns the first seqno of the indexed range that contains seqno, seqno itself when there is none.
func runOf(ranges []chain.SeqnoRange, seqno uint32) uint32 {
	for _, r := range ranges {
		if r.First <= seqno && seqno <= r.Last {
			return r.First
		}
	}
	return seqno
}

const (
	insertWants = `INSERT INTO trace_wants (account, mc_seqno_end, trace_id)
		SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) ON CONFLICT DO NOTHING`
	takeWants = `DELETE FROM trace_wants w USING unnest($1::bytea[], $2::bigint[]) k(account, seqno)
		WHERE w.account = k.account AND w.mc_seqno_end >= k.seqno RETURNING w.trace_id, w.mc_seqno_end`
)

func writeWants(ctx context.Context, tx pgx.Tx, complete []*Completion) error {
	keys, traces := sqlbuild.NewKeyArrays(0), [][]byte{}
	for _, t := range complete {
		for i := range t.wanted {
			keys.Add(&t.wanted[i], uint64(t.McSeqnoEnd))
			traces = append(traces, t.ID[:])
		}
	}
	if keys.Len() == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, insertWants, keys.Accounts, keys.LTs, traces); err != nil {
		return fmt.Errorf("wanted records of traces: %w", err)
	}
	return nil
}

// rewrittenAtOnce is the number of traces that are read and written again together. Anyone can make many traces want one account.
const rewrittenAtOnce = 256

// wanting removes the wants of records of contracts of the batch, and returns the traces that wanted them in the order of their ends, so
// that they are written again.
func (t *Step) wanting(ctx context.Context) ([]chain.Hash, error) {
	if !t.LaterIndexed() {
		return nil, nil
	}
	keys := sqlbuild.NewKeyArrays(0)
	for _, mb := range t.Blocks {
		for i := range mb.Contracts {
			if k := &mb.Contracts[i]; contracts.KindsOf(k) != 0 {
				keys.Add(&k.Account, uint64(mb.Block.Seqno))
			}
		}
	}
	if keys.Len() == 0 {
		return nil, nil
	}
	rows, err := t.Tx.Query(ctx, takeWants, keys.Accounts, keys.LTs)
	if err != nil {
		return nil, fmt.Errorf("wanted records of traces: %w", err)
	}
	var ends []Position
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		if p := (Position{ID: r.Hash(), McSeqno: r.Uint32()}); t.Touched[p.ID] == nil {
			ends = append(ends, p)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("wanted records of traces: %w", err)
	}
	slices.SortFunc(ends, func(a, b Position) int {
		return cmp.Or(cmp.Compare(a.McSeqno, b.McSeqno), bytes.Compare(a.ID[:], b.ID[:]))
	})
	ids := make([]chain.Hash, len(ends))
	for i := range ends {
		ids[i] = ends[i].ID
	}
	return slices.Compact(ids), nil
}

// rewrite writes complete traces again, some at a time.
func (t *Step) rewrite(ctx context.Context, ids []chain.Hash) error {
	for some := range slices.Chunk(ids, rewrittenAtOnce) {
		taken, err := t.Tables.takeTraces(ctx, t.Tx, some)
		if err != nil {
			return err
		}
		slices.SortFunc(taken, func(a, b *Assembly) int { return bytes.Compare(a.ID[:], b.ID[:]) })
		for len(taken) > 0 {
			n := fitting(taken)
			if err := t.Tables.write(ctx, t.Tx, t.After, taken[:n]); err != nil {
				return err
			}
			clear(taken[:n]) // releases their content
			taken = taken[n:]
		}
	}
	return nil
}

// fitting returns the number of the first traces, one or more, that have at most contentsAtOnce transactions together.
func fitting(traces []*Assembly) int {
	size := 0
	for i, a := range traces {
		if size += a.Transactions; i > 0 && size > contentsAtOnce {
			return i
		}
	}
	return len(traces)
}

// takeTraces reads complete traces and removes their rows with all that leads to them.
func (w *TableWriter) takeTraces(ctx context.Context, tx pgx.Tx, ids []chain.Hash) ([]*Assembly, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	traces, err := readTraces(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	taken := make([]*Assembly, len(traces))
	for i := range traces {
		taken[i] = &Assembly{Trace: traces[i]}
	}
	return taken, w.discard(ctx, tx, ids)
}
