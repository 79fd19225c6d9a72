package resolvers

import (
	"cmp"
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/loaders"
)

// pageOf cuts a page out of rows that are wholly at hand, oldest first. A cursor of no row is Invalid.
func pageOf[P chain.Positioned](rows []P, p chain.Page, mcSeqno uint32) (*chain.Connection[P], error) {
	if p.Sort == chain.Descending {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
	}
	find := func(c *chain.Cursor) (int, error) {
		at := slices.IndexFunc(rows, func(row P) bool {
			r := row.Cursor()
			return r.Major == c.Major && r.Minor == c.Minor
		})
		if at < 0 {
			return 0, chain.Invalidf("the cursor is of another list")
		}
		return at, nil
	}
	first, end := 0, len(rows)
	if p.Before != nil {
		at, err := find(p.Before)
		if err != nil {
			return nil, err
		}
		end = at
	}
	if p.After != nil {
		at, err := find(p.After)
		if err != nil {
			return nil, err
		}
		first = min(at+1, end) // no rows are between crossed cursors
	}
	rows = rows[first:end]
	if most := p.Limit + 1; len(rows) > most {
		if p.Last {
			rows = rows[len(rows)-most:]
		} else {
			rows = rows[:most]
		}
	}
	return chain.Connect(rows, p, mcSeqno), nil
}

// traceContent loads a trace with its transactions; nil when the index has lost it meanwhile.
func traceContent(ctx context.Context, t *chain.Trace) (*chain.FullTrace, error) {
	return loaders.From(ctx).TraceContent.Load(ctx, t.ID)()
}

// traceTransactions is a page of the transactions of a trace that match where.
func (r *Resolver) traceTransactions(ctx context.Context, t *chain.Trace, where *chain.TransactionWhere, p chain.Page) (*chain.TransactionConnection, error) {
	if _, err := where.Filter(); err != nil {
		return nil, err
	}
	if where != nil {
		if err := parentSets(len(where.Hashes) > 0 || where.McSeqno != nil || where.Block != nil, "hashes, mcSeqno and block"); err != nil {
			return nil, err
		}
	}
	mcSeqno, err := r.Service.pin(ctx, &p)
	if err != nil {
		return nil, err
	}
	full, err := traceContent(ctx, t)
	if err != nil || full == nil {
		return nil, err
	}
	rows := make([]*chain.Transaction, 0, len(full.Transactions))
	for i := range full.Transactions {
		if where == nil || fullMatches(where, &full.Transactions[i]) {
			rows = append(rows, &full.Transactions[i].Transaction)
		}
	}
	return pageOf(rows, p, mcSeqno)
}

func (r *Resolver) traceActions(ctx context.Context, t *chain.Trace, supported []string, p chain.Page) (*chain.ActionConnection, error) {
	types, err := understood(supported)
	if err != nil {
		return nil, err
	}
	mcSeqno, err := r.Service.pin(ctx, &p)
	if err != nil {
		return nil, err
	}
	rows, emulated, err := pendingActions(ctx, t, types)
	if err == nil && !emulated {
		rows, err = loaders.From(ctx).ActionsOfTrace.Load(ctx, loaders.SupportedBy(t.ID, types))()
	}
	if err != nil {
		return nil, err
	}
	return pageOf(byStart(rows), p, mcSeqno)
}

// understood are the types that a list of names stands for.
func understood(names []string) ([]string, error) {
	if len(names) > chain.MaxInputs {
		return nil, chain.Invalidf("supported takes at most %d values", chain.MaxInputs)
	}
	return chain.ExpandActionTypes(names), nil
}

// byStart orders actions of one trace by start and end. rows are shared with other requests and not reordered.
func byStart(rows []chain.Action) []*chain.Action {
	actions := pointers(rows)
	slices.SortFunc(actions, func(a, b *chain.Action) int {
		return cmp.Or(cmp.Compare(a.StartLT, b.StartLT), cmp.Compare(a.EndLT, b.EndLT), slices.Compare(a.ID[:], b.ID[:]))
	})
	return actions
}
