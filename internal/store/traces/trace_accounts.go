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
	l := sqlbuild.NewList(traceOrder(p.Sort, "k"), p)
	s := &sqlbuild.Statement{}
	s.Add("SELECT k.account, "+TraceColumns+" FROM unnest(?::bytea[]) v(account) CROSS JOIN LATERAL (", sqlbuild.AddressArray(sqlbuild.Unique(accounts)))
	s.From("SELECT k.* FROM trace_accounts k").And("k.account = v.account")
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	s.Add(") k JOIN traces t ON t.trace_id = k.trace_id").OrderBy(l.Order)
	rows, err := sqlbuild.Collect(ctx, r.pool, "traces", len(accounts)*l.Limit, scanOfAccount(ScanTrace), s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return byAccount(&l, rows), nil
}

// ActionsOfAccounts reads the same page of the actions in which each account takes part, in the order of
// [Reader.Actions], as a client sees them that understands the latest set of types.
func (r *Reader) ActionsOfAccounts(ctx context.Context, accounts []chain.Address, p chain.Page) (map[chain.Address][]chain.Action, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	q := &actionQuery{ActionFilter: &chain.ActionFilter{}}
	l := sqlbuild.NewList(actionOrder(p.Sort, "k"), p)
	s := &sqlbuild.Statement{}
	s.Add("SELECT k.account, "+actionRowColumns+" FROM unnest(?::bytea[]) v(account) CROSS JOIN LATERAL (", sqlbuild.AddressArray(sqlbuild.Unique(accounts)))
	s.From("SELECT k.* FROM action_accounts k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id")
	s.And("k.account = v.account")
	q.types(s, "k.type")
	q.hidden(s)
	s.Keyset(&l)
	s.OrderBy(l.Order).Window(&l)
	s.Add(") k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id" + withTrace).OrderBy(l.Order)
	rows, err := sqlbuild.Collect(ctx, r.pool, "actions", len(accounts)*l.Limit, scanOfAccount(scanActionRow), s.Text.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	return byAccount(&l, rows), nil
}
