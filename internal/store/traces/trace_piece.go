package traces

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Piece is what a database transaction adds to a trace that it does not complete, or that is too large to be read. What is final in it
// does not wait for the rest of the trace, which anyone may continue who receives a message of it.
type Piece struct {
	chain.Trace

	Fresh []chain.TraceTransaction // the transactions that are added, by LT

	cached []chain.TraceTransaction // all transactions so far; nil when they are not in memory
	writer *TableWriter
}

// ancestors is the number of messages that [Piece.Content] follows up from the transactions that are added.
const ancestors = 2

// pieces returns the pieces of traces other than those that are complete with their content.
func (w *TableWriter) pieces(traces []*Assembly, complete []*Completion) (list []*Piece) {
	read := make(map[chain.Hash]bool, len(complete))
	for _, t := range complete {
		read[t.ID] = len(t.Content) > 0 && len(t.Content) == len(t.Nodes)
	}
	for _, a := range traces {
		if read[a.ID] || len(a.fresh) == 0 {
			continue
		}
		p := &Piece{Trace: a.Trace, Fresh: a.fresh, writer: w}
		if a.full {
			p.cached = a.Content
		}
		list = append(list, p)
	}
	return list
}

// Content returns the transactions that are added, the transactions that caused these, and those that caused them. So the cost follows
// from what is added, not from the size of the trace. tx is the database transaction of the piece.
func (p *Piece) Content(ctx context.Context, tx pgx.Tx) ([]chain.TraceTransaction, error) {
	all := append([]chain.TraceTransaction{}, p.Fresh...)
	found := map[chain.MessageKey]bool{} // messages whose senders are in all
	for level, added := 0, p.Fresh; level < ancestors && len(added) > 0; level++ {
		for i := range added {
			for _, m := range added[i].Out {
				found[m.Key] = true
			}
		}
		var received []chain.MessageKey
		for i := range added {
			if m := added[i].In; m != nil && m.Kind == chain.InternalMessage && !found[m.Key] {
				received = append(received, m.Key)
			}
		}
		var err error
		if added, err = p.senders(ctx, tx, received); err != nil {
			return nil, err
		}
		all = append(all, added...)
	}
	return all, nil
}

// senders returns the transactions that sent messages, from memory or from the database.
func (p *Piece) senders(ctx context.Context, tx pgx.Tx, messages []chain.MessageKey) (list []chain.TraceTransaction, err error) {
	if p.cached == nil {
		keys := sqlbuild.NewKeyArrays(len(messages))
		for i := range messages {
			keys.Add(&messages[i].Account, messages[i].LT)
		}
		return p.writer.senders(ctx, tx, keys)
	}
	wanted := make(map[chain.MessageKey]bool, len(messages))
	for _, key := range messages {
		wanted[key] = true
	}
	for i := range p.cached {
		if slices.ContainsFunc(p.cached[i].Out, func(m *chain.Message) bool { return wanted[m.Key] }) {
			list = append(list, p.cached[i])
		}
	}
	return list, nil
}

const selectSenders = `SELECT DISTINCT m.account, m.src_tx_lt FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN messages m ON m.account = k.account AND m.lt = k.lt WHERE m.src_tx_lt IS NOT NULL ORDER BY m.src_tx_lt, m.account`

// senders reads the transactions that sent messages.
func (w *TableWriter) senders(ctx context.Context, tx pgx.Tx, messages sqlbuild.KeyArrays) ([]chain.TraceTransaction, error) {
	if messages.Len() == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, selectSenders, messages.Accounts, messages.LTs)
	if err != nil {
		return nil, fmt.Errorf("senders of messages: %w", err)
	}
	t := &Completion{Assembly: &Assembly{}}
	if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		t.Nodes = append(t.Nodes, chain.TransactionKey{Account: r.Address(), LT: r.LT()})
	}); err != nil {
		return nil, fmt.Errorf("senders of messages: %w", err)
	}
	if len(t.Nodes) == 0 {
		return nil, nil
	}
	err = w.readContents(ctx, tx, []*Completion{t})
	return t.Content, err
}
