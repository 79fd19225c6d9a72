package traces

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// writeEntries writes the entries of complete traces and their actions, and the rows that they replace until the move is
// done.
func (w *TableWriter) writeEntries(ctx context.Context, tx pgx.Tx, complete []*Completion) error {
	if len(complete) == 0 {
		return nil
	}
	moved, err := w.Keys.complete(ctx, tx)
	if err != nil {
		return err
	}
	var inTraces, inActions entries
	var large largeAccounts
	accounts := make([][]chain.Address, len(complete))
	for i, t := range complete {
		accounts[i] = t.accounts()
		for j := range accounts[i] {
			inTraces.add(w.Keys.Of(accounts[i][j]), t.EndLT, t.ID[:], 0)
			if len(t.Nodes) > chain.MaxTraceTransactions {
				large.add(t.ID, &accounts[i][j])
			}
		}
		for j := range t.actions {
			a := &t.actions[j]
			types := chain.ActionTypeBits(a.Type)
			for k := range a.Accounts {
				inActions.add(w.Keys.Of(a.Accounts[k]), a.TraceEndLT, a.TraceID[:], types)
			}
		}
	}
	b := &pgx.Batch{}
	for _, t := range complete {
		w.Outdated.Queue(b, t.McSeqnoEnd)
	}
	large.queue(b)
	if w.Present {
		inTraces.queueTraces(b)
		inActions.queueActions(b)
	} else {
		if err := inTraces.copyTraces(ctx, tx, w.Copies); err != nil {
			return err
		}
		if err := inActions.copyActions(ctx, tx, w.Copies); err != nil {
			return err
		}
	}
	if b.Len() > 0 {
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("accounts of traces: %w", err)
		}
	}
	if moved {
		return nil
	}
	return copyReplaced(ctx, tx, w.Copies, complete, accounts)
}

// accounts returns the accounts of the transactions of a complete trace, ascending and each once.
func (t *Completion) accounts() []chain.Address {
	accounts := make([]chain.Address, len(t.Nodes))
	for i := range t.Nodes {
		accounts[i] = t.Nodes[i].Account
	}
	return sorted(accounts)
}

// copyTraces and copyActions write entries of which none is there.
func (e *entries) copyTraces(ctx context.Context, tx pgx.Tx, c *sqlbuild.CopyBuffer) error {
	c.Reset()
	for i := range e.accounts {
		c.Row(3)
		c.Int8(e.accounts[i])
		c.Int8(e.lts[i])
		c.Int8(e.prefixes[i])
	}
	return c.Send(ctx, tx, "account_traces", `account_key, end_lt, trace_prefix`)
}

func (e *entries) copyActions(ctx context.Context, tx pgx.Tx, c *sqlbuild.CopyBuffer) error {
	c.Reset()
	for i := range e.accounts {
		c.Row(4)
		c.Int8(e.accounts[i])
		c.Int8(e.lts[i])
		c.Int8(e.prefixes[i])
		c.Int8(e.types[i])
	}
	return c.Send(ctx, tx, "account_actions", `account_key, trace_end_lt, trace_prefix, types`)
}

// largeAccounts are rows of large_trace_accounts.
type largeAccounts struct{ traces, accounts [][]byte }

func (l *largeAccounts) add(trace chain.Hash, account *chain.Address) {
	l.traces = append(l.traces, trace.Bytes())
	l.accounts = append(l.accounts, account.Bytes())
}

func (l *largeAccounts) queue(b *pgx.Batch) {
	if len(l.traces) > 0 {
		b.Queue(insertLargeTraceAccounts, l.traces, l.accounts)
	}
}

// copyReplaced writes the rows that readers use until the move is done.
func copyReplaced(ctx context.Context, tx pgx.Tx, c *sqlbuild.CopyBuffer, complete []*Completion, accounts [][]chain.Address) error {
	c.Reset()
	for i, t := range complete {
		for j := range accounts[i] {
			c.Row(3)
			c.Address(&accounts[i][j])
			c.Int8(int64(t.EndLT))
			c.Hash(&t.ID)
		}
	}
	if err := c.Send(ctx, tx, "trace_accounts", `account, end_lt, trace_id`); err != nil {
		return err
	}
	c.Reset()
	for _, t := range complete {
		for i := range t.actions {
			a := &t.actions[i]
			for j := range a.Accounts {
				c.Row(6)
				c.Address(&a.Accounts[j])
				c.Int8(int64(a.TraceEndLT))
				c.Hash(&a.TraceID)
				c.Int8(int64(a.EndLT))
				c.Hash(&a.ID)
				c.Text(a.Type)
			}
		}
	}
	return c.Send(ctx, tx, "action_accounts", `account, trace_end_lt, trace_id, end_lt, action_id, type`)
}
