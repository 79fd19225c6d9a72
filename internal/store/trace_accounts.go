package store

import (
	"context"

	"tonql/internal/chain"
)

// ofAccount is a row, and the account for which it was found.
type ofAccount[T any] struct {
	account chain.Address
	row     T
}

func scanOfAccount[T any](scan func(*row, *T)) func(*row, *ofAccount[T]) {
	return func(r *row, o *ofAccount[T]) {
		o.account = r.address()
		scan(r, &o.row)
	}
}

// byAccount files rows under the accounts for which they were found.
func byAccount[T any](l *list, rows []ofAccount[T]) map[chain.Address][]T {
	found := map[chain.Address][]T{}
	for _, o := range restoreOrder(l, rows) {
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
	l := newList(traceOrder(p.Sort, "k"), p)
	s := &statement{}
	s.add("SELECT k.account, "+traceColumns+" FROM unnest(?::bytea[]) v(account) CROSS JOIN LATERAL (", addressArray(unique(accounts)))
	s.from("SELECT k.* FROM trace_accounts k").and("k.account = v.account")
	s.keyset(&l)
	s.orderBy(l.order).window(&l)
	s.add(") k JOIN traces t ON t.trace_id = k.trace_id").orderBy(l.order)
	rows, err := collect(ctx, r.pool, "traces", len(accounts)*l.limit, scanOfAccount(scanTrace), s.text.String(), s.args...)
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
	l := newList(actionOrder(p.Sort, "k"), p)
	s := &statement{}
	s.add("SELECT k.account, "+actionRowColumns+" FROM unnest(?::bytea[]) v(account) CROSS JOIN LATERAL (", addressArray(unique(accounts)))
	s.from("SELECT k.* FROM action_accounts k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id")
	s.and("k.account = v.account")
	q.types(s, "k.type")
	q.hidden(s)
	s.keyset(&l)
	s.orderBy(l.order).window(&l)
	s.add(") k JOIN actions a ON a.trace_id = k.trace_id AND a.action_id = k.action_id" + withTrace).orderBy(l.order)
	rows, err := collect(ctx, r.pool, "actions", len(accounts)*l.limit, scanOfAccount(scanActionRow), s.text.String(), s.args...)
	if err != nil {
		return nil, err
	}
	return byAccount(&l, rows), nil
}
