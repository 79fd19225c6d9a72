package traces

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// ofAccount is a row, and the account for which it was found.
type ofAccount[T any] struct {
	account chain.Address
	row     T
}

func scanOfAccount[T any](scan func(*sqlbuild.Row, *T)) func(*sqlbuild.Row, *ofAccount[T]) {
	return func(r *sqlbuild.Row, o *ofAccount[T]) {
		o.account = r.Address()
		scan(r, &o.row)
	}
}

// byAccount files rows under the accounts for which they were found.
func byAccount[T any](l *sqlbuild.List, rows []ofAccount[T]) map[chain.Address][]T {
	found := map[chain.Address][]T{}
	for _, o := range sqlbuild.RestoreOrder(l, rows) {
		found[o.account] = append(found[o.account], o.row)
	}
	return found
}

// TracesOfAccounts reads the same page of the complete traces in which each account has a transaction, by end LT in the
// page's direction, then id.
func (r *Reader) TracesOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Trace, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	lists, err := r.lists(ctx)
	if err != nil {
		return nil, err
	}
	s, l := lists.TracesOfEach(accounts, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{}, len(sqlbuild.Unique(accounts)), func(o *ofAccount[chain.Trace]) (uint64, uint32) { return traceEnd(&o.row) })
	rows, err := sqlbuild.Covered(ctx, r.pool, "traces", len(accounts)*l.Limit, rule, scanOfAccount(ScanTrace), s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return byAccount(&l, rows), nil
}

// ActionsOfAccounts reads, for each account, the same page of the actions in which it takes part, in the order of [Reader.Actions]. The actions
// are those of a client that understands the latest set of types.
func (r *Reader) ActionsOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Action, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	lists, err := r.lists(ctx)
	if err != nil {
		return nil, err
	}
	s, l := lists.ActionsOfEach(accounts, p)
	rule := sqlbuild.InOrder(&l, sqlbuild.Bounds{}, len(sqlbuild.Unique(accounts)), func(o *ofAccount[chain.Action]) (uint64, uint32) { return actionEnd(&o.row) })
	var rows actionRows
	found, err := sqlbuild.Covered(ctx, r.pool, "actions", len(accounts)*l.Limit, rule, scanOfAccount(rows.scan), s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	if err := r.finishActions(ctx, &rows, func(i int) *chain.Action { return &found[i].row }); err != nil {
		return nil, err
	}
	return byAccount(&l, found), nil
}
