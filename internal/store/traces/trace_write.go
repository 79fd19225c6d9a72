package traces

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/sqlbuild"
)

const deleteTraces = `DELETE FROM traces WHERE trace_id = ANY($1)`

// Write writes the rows of the batch's traces, and the actions of the complete ones. All other steps have run.
func (t *Step) Write(ctx context.Context) error {
	if err := t.spread(ctx); err != nil {
		return err
	}
	var stored []chain.Hash
	var doubtful []*Assembly
	touched := make([]*Assembly, 0, len(t.Touched))
	for id, a := range t.Touched {
		touched = append(touched, a)
		switch {
		case a.doubtful || t.Careful:
			doubtful = append(doubtful, a)
		case a.stored:
			stored = append(stored, id)
		}
	}
	if err := t.Tables.rebuild(ctx, t.Tx, doubtful); err != nil {
		return err
	}
	if len(stored) > 0 {
		if _, err := t.Tx.Exec(ctx, deleteTraces, sqlbuild.HashArray(stored)); err != nil {
			return fmt.Errorf("earlier rows of traces: %w", err)
		}
	}
	again, err := t.wanting(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(touched, func(a, b *Assembly) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	t.Tables.Present = t.Careful
	if err := t.Tables.write(ctx, t.Tx, t.After, touched); err != nil {
		return err
	}
	return t.rewrite(ctx, again)
}

// Settler looks for registered transfers in complete traces.
type Settler interface {
	// Settle handles the traces that tx completes, and what tx adds to others. An error rolls tx back.
	Settle(ctx context.Context, tx pgx.Tx, complete []*Completion, pieces []*Piece) error
}

// TableWriter writes the rows of traces, their accounts and their actions.
type TableWriter struct {
	Copies *sqlbuild.CopyBuffer
	Keys   *AccountKeys
	// Dictionaries are those with which raw transactions are compressed.
	Dictionaries *dictionary.Cache
	Details      DetailStep
	Classifier   chain.TraceClassifier // nil leaves traces unclassified
	Outdated     batch.Outdated        // the digests that the transaction has deleted
	Settler      Settler               // nil looks for no transfers
	Present      bool                  // actions and entries of the accounts may be there already
}

// write writes traces that have no rows. ranges are the indexed ranges.
func (w *TableWriter) write(ctx context.Context, tx pgx.Tx, ranges []chain.SeqnoRange, traces []*Assembly) error {
	c := w.Copies
	complete := make([]*Completion, 0, len(traces))
	for _, a := range traces {
		if a.PendingMessages == 0 {
			complete = append(complete, &Completion{Assembly: a})
		}
	}
	if err := w.finishContents(ctx, tx, complete); err != nil {
		return err
	}
	if err := classify(ctx, tx, w.Classifier, ranges, complete); err != nil {
		return err
	}
	if err := copyTraces(ctx, tx, c, traces, complete); err != nil {
		return err
	}
	if w.Present {
		if err := removeLeftActions(ctx, tx, complete); err != nil {
			return err
		}
	}
	if err := w.copyActions(ctx, tx, complete); err != nil {
		return err
	}
	if err := w.writeEntries(ctx, tx, complete); err != nil {
		return err
	}
	if err := writeWants(ctx, tx, complete); err != nil {
		return err
	}
	if w.Settler == nil {
		return nil
	}
	return w.Settler.Settle(ctx, tx, complete, w.pieces(traces, complete))
}

// Completion is a complete trace, which never changes again.
type Completion struct {
	*Assembly

	Nodes   []chain.TransactionKey // all transactions, by LT and account
	actions []chain.Action
	set     int16 // version of the classifier
	wanted  []chain.Address
}

func copyTraces(ctx context.Context, tx pgx.Tx, c *sqlbuild.CopyBuffer, traces []*Assembly, complete []*Completion) error {
	finished := make(map[chain.Hash]*Completion, len(complete))
	for _, t := range complete {
		finished[t.ID] = t
	}
	c.Reset()
	var nodes []byte
	for _, a := range traces {
		c.Row(traceWidth + 2)
		writeTrace(c, &a.Trace)
		t := finished[a.ID]
		if t == nil {
			c.Int2(0)
			c.Null()
			continue
		}
		c.Int2(t.set)
		if len(t.Nodes) > chain.MaxTraceTransactions {
			c.Null()
			continue
		}
		nodes = nodes[:0]
		for _, k := range t.Nodes {
			nodes = appendNode(nodes, k)
		}
		c.Bytes(nodes)
	}
	return c.Send(ctx, tx, "traces", TraceTable+", action_set, nodes")
}

// sorted returns addresses ascending and each once, in place.
func sorted(accounts []chain.Address) []chain.Address {
	slices.SortFunc(accounts, chain.Address.Compare)
	return slices.Compact(accounts)
}
