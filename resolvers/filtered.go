package resolvers

import (
	"context"
	"slices"

	"tonql/internal/action/details"
	"tonql/internal/chain"
	"tonql/loaders"
)

// The maximum of rows that a page compares with conditions which no index serves: of a list at the root, and of one within another object, of
// which a request may have many.
const (
	maxCompared       = 5000
	maxComparedNested = 1000
)

// Rows are read in batches that grow: most filters match much, and then little is read in vain.
const (
	firstBatch = 100
	maxBatch   = 1000
)

// sieve reads pages of a list and keeps the rows that match.
type sieve[T any] struct {
	read    func(chain.Page) ([]T, error) // along an index
	keep    func([]T) ([]T, error)        // the rows that match, in their order
	maxRows int                           // that a page compares
}

// find reads along a list until it has the rows of a page and one more, the list ends, or the rows that may be compared are. Then
// farthest is the farthest row that was compared, nil when the list ended.
func (v sieve[T]) find(p chain.Page, cursor func(*T) chain.Cursor) (found []T, farthest *chain.Cursor, err error) {
	backwards, limit := p.Last, p.Limit
	for compared, batch := 0, max(firstBatch, limit+1); ; batch = min(2*batch, maxBatch) {
		p.Limit = min(batch, v.maxRows-compared)
		rows, err := v.read(p)
		if err != nil {
			return nil, nil, err
		}
		compared += len(rows)
		ended := len(rows) < p.Limit
		if farthest = nil; !ended {
			at := len(rows) - 1
			if backwards {
				at = 0
			}
			c := cursor(&rows[at])
			farthest = &c
		}
		matched, err := v.keep(rows)
		if err != nil {
			return nil, nil, err
		}
		if backwards {
			found = append(slices.Clip(matched), found...)
			p.Before = farthest
		} else {
			found = append(found, matched...)
			p.After = farthest
		}
		if ended || len(found) > limit || compared >= v.maxRows {
			return found, farthest, nil
		}
	}
}

// filtered is a page of the rows that match. If it is not full although the list has more rows, it says that there is more, and its
// last cursor is the farthest row that was compared.
func filtered[T any, P interface {
	*T
	chain.Positioned
}](ctx context.Context, s *Service, p chain.Page, v sieve[T]) (*chain.Connection[P], error) {
	mcSeqno, err := s.pin(ctx, &p)
	if err != nil {
		return nil, err
	}
	backwards := p.Last
	found, farthest, err := v.find(p, func(row *T) chain.Cursor { return P(row).Cursor() })
	if err != nil {
		return nil, err
	}
	if len(found) > p.Limit {
		farthest = nil // the page is full
		if backwards {
			found = found[len(found)-p.Limit-1:]
		} else {
			found = found[:p.Limit+1]
		}
	}
	nodes := make([]P, len(found))
	for i := range found {
		nodes[i] = &found[i]
	}
	c := chain.Connect(nodes, p, mcSeqno)
	if farthest != nil {
		farthest.McSeqno = mcSeqno
		if text := farthest.String(); backwards {
			c.PageInfo.HasPreviousPage, c.PageInfo.StartCursor = true, &text
		} else {
			c.PageInfo.HasNextPage, c.PageInfo.EndCursor = true, &text
		}
	}
	return c, nil
}

// comparedRows is the number of rows that a page of a filtered list compares.
func comparedRows(nested bool) int {
	if nested {
		return maxComparedNested
	}
	return maxCompared
}

// each keeps the rows for which match holds.
func each[T any](match func(*T) bool) func([]T) ([]T, error) {
	return func(rows []T) ([]T, error) {
		matched := rows[:0:0]
		for i := range rows {
			if match(&rows[i]) {
				matched = append(matched, rows[i])
			}
		}
		return matched, nil
	}
}

// listTransactions is a page of the transactions that match a filter.
func (r *Resolver) listTransactions(
	ctx context.Context, f chain.TransactionFilter, m *chain.TransactionMatch, a span, nested bool,
) (*chain.TransactionConnection, error) {
	p, err := r.pageOf(chain.TransactionList, a)
	if err != nil {
		return nil, err
	}
	read := func(p chain.Page) ([]chain.Transaction, error) { return r.Service.transactions(ctx, f, p) }
	if m == nil || m.Empty() {
		return connect(ctx, r.Service, p, read)
	}
	keep := func(rows []chain.Transaction) ([]chain.Transaction, error) { return matching(ctx, m, rows) }
	return filtered(ctx, r.Service, p, sieve[chain.Transaction]{read, keep, comparedRows(nested)})
}

// matching returns the transactions that match; their messages are loaded together.
func matching(ctx context.Context, m *chain.TransactionMatch, rows []chain.Transaction) ([]chain.Transaction, error) {
	rows, _ = each(m.Own)(rows)
	if !m.NeedsReceived() && !m.NeedsSent() {
		return rows, nil
	}
	l := loaders.From(ctx)
	received := make([]func() (*chain.Message, error), len(rows))
	sent := make([]func() ([]chain.Message, error), len(rows))
	for i := range rows {
		if m.NeedsReceived() && rows[i].InMsg != nil {
			received[i] = l.MessageByKey.Load(ctx, *rows[i].InMsg)
		}
		if m.NeedsSent() && rows[i].OutMsgCount > 0 {
			sent[i] = l.MessagesSentBy.Load(ctx, rows[i].Key())
		}
	}
	matched := rows[:0:0]
	for i := range rows {
		var in *chain.Message
		var out []chain.Message
		var err error
		if received[i] != nil {
			if in, err = received[i](); err != nil {
				return nil, err
			}
		}
		if sent[i] != nil {
			if out, err = sent[i](); err != nil {
				return nil, err
			}
		}
		if m.Holds(&rows[i], in, pointers(out)) {
			matched = append(matched, rows[i])
		}
	}
	return matched, nil
}

// listMessages is a page of the messages that match a filter.
func (r *Resolver) listMessages(
	ctx context.Context, f chain.MessageFilter, m *chain.MessageMatch, a span, nested bool,
) (*chain.MessageConnection, error) {
	p, err := r.pageOf(chain.MessageList, a)
	if err != nil {
		return nil, err
	}
	read := func(p chain.Page) ([]chain.Message, error) { return r.Service.messages(ctx, f, p) }
	if m == nil || m.Empty() {
		return connect(ctx, r.Service, p, read)
	}
	return filtered(ctx, r.Service, p, sieve[chain.Message]{read, each(m.Holds), comparedRows(nested)})
}

// listActions is a page of the actions that match a filter.
func (r *Resolver) listActions(ctx context.Context, where *chain.ActionWhere, a span, nested bool) (*chain.ActionConnection, error) {
	w, err := inputs(where)
	if err != nil {
		return nil, err
	}
	f := w.ActionFilter
	if f.Supported != nil {
		f.Supported = chain.ExpandActionTypes(f.Supported)
	}
	var accounts []chain.Address
	if f.Account != nil {
		accounts = []chain.Address{*f.Account}
	}
	if err := w.ActionMatch.Validate("account", len(accounts)); err != nil {
		return nil, err
	}
	p, err := r.pageOf(chain.ActionList, a)
	if err != nil {
		return nil, err
	}
	shown := chain.ShownTypes{Among: f.Types, None: f.ExcludeTypes}
	types, compare := shown.Stored()
	f.Types = types
	read := func(p chain.Page) ([]chain.Action, error) { return r.Service.actions(ctx, f, p) }
	if w.Empty() && !compare {
		return connect(ctx, r.Service, p, read)
	}
	match := func(a *chain.Action) bool { return shown.Holds(a) && actionMatches(&w.ActionMatch, a, accounts) }
	return filtered(ctx, r.Service, p, sieve[chain.Action]{read, each(match), comparedRows(nested)})
}

// actionMatches reports whether an action matches. Details that cannot be read match no condition on them.
func actionMatches(m *chain.ActionMatch, a *chain.Action, accounts []chain.Address) bool {
	if !is(m.Success, a.Success) || !has(m.Opcode, a.Opcode) {
		return false
	}
	other := func(c chain.Address) bool { return slices.Contains(a.Accounts, c) && !slices.Contains(accounts, c) }
	if m.Counterparties != nil && !slices.ContainsFunc(m.Counterparties, other) {
		return false
	}
	if !m.OfDetails() {
		return true
	}
	parties, err := details.PartiesOf(a.Type, a.Details)
	if err != nil {
		return false
	}
	touches := func(list []chain.Address) bool {
		return slices.ContainsFunc(list, func(x chain.Address) bool { return slices.Contains(accounts, x) })
	}
	switch m.Direction {
	case chain.Incoming:
		if !touches(parties.Destinations) {
			return false
		}
	case chain.Outgoing:
		if !touches(parties.Sources) {
			return false
		}
	case chain.AnyDirection:
	}
	if m.Asset != nil && !slices.Contains(parties.Assets, *m.Asset) {
		return false
	}
	if m.MinAmount == nil && m.MaxAmount == nil {
		return true
	}
	return slices.ContainsFunc(parties.Amounts, func(x details.AmountOf) bool {
		of := m.Asset == nil || x.Asset != nil && *x.Asset == *m.Asset
		return of && chain.AmountWithin(x.Value, m.MinAmount, m.MaxAmount)
	})
}

// listTransfers is a page of the transfers or burns that match a filter.
func listTransfers[T any, P interface {
	*T
	chain.Positioned
}](
	ctx context.Context, r *Resolver, kind chain.ListKind, a span, owners int, m *chain.TransferMatch, nested bool,
	read func(chain.Page) ([]T, error), match func(*T) bool,
) (*chain.Connection[P], error) {
	if err := m.Validate(owners); err != nil {
		return nil, err
	}
	p, err := r.pageOf(kind, a)
	if err != nil {
		return nil, err
	}
	if m.Empty() {
		return connect[T, P](ctx, r.Service, p, read)
	}
	return filtered[T, P](ctx, r.Service, p, sieve[T]{read, each(match), comparedRows(nested)})
}

func (r *Resolver) listJettonTransfers(
	ctx context.Context, where *chain.JettonTransferWhere, a span, nested bool,
) (*chain.JettonTransferConnection, error) {
	w, err := inputs(where)
	if err == nil {
		err = checkDirection(w.Direction, w.Owners)
	}
	if err != nil {
		return nil, err
	}
	return listTransfers(ctx, r, chain.JettonTransferList, a, len(w.Owners), &w.TransferMatch, nested,
		func(p chain.Page) ([]chain.JettonTransfer, error) {
			return r.Service.jettonTransfers(ctx, w.JettonTransferFilter, p)
		},
		func(t *chain.JettonTransfer) bool {
			return w.Holds(t.Source, t.Destination, t.Amount, t.TxAborted, w.Owners, w.Direction)
		})
}

func (r *Resolver) listJettonBurns(ctx context.Context, where *chain.JettonBurnWhere, a span, nested bool) (*chain.JettonBurnConnection, error) {
	w, err := inputs(where)
	if err != nil {
		return nil, err
	}
	return listTransfers(ctx, r, chain.JettonBurnList, a, len(w.Owners), &w.TransferMatch, nested,
		func(p chain.Page) ([]chain.JettonBurn, error) {
			return r.Service.jettonBurns(ctx, w.JettonBurnFilter, p)
		},
		func(t *chain.JettonBurn) bool {
			return w.Holds(t.Owner, nil, t.Amount, t.TxAborted, w.Owners, chain.AnyDirection)
		})
}

func (r *Resolver) listNFTTransfers(ctx context.Context, where *chain.NFTTransferWhere, a span, nested bool) (*chain.NFTTransferConnection, error) {
	w, err := inputs(where)
	if err == nil {
		err = checkDirection(w.Direction, w.Owners)
	}
	if err != nil {
		return nil, err
	}
	return listTransfers(ctx, r, chain.NFTTransferList, a, len(w.Owners), &w.TransferMatch, nested,
		func(p chain.Page) ([]chain.NFTTransfer, error) {
			return r.Service.nftTransfers(ctx, w.NFTTransferFilter, p)
		},
		func(t *chain.NFTTransfer) bool {
			return w.Holds(t.OldOwner, t.NewOwner, nil, t.TxAborted, w.Owners, w.Direction)
		})
}

// parentSets refuses the fields of a nested filter that the parent sets.
func parentSets(given bool, fields string) error {
	if given {
		return chain.Invalidf("where: the object that the list belongs to sets %s", fields)
	}
	return nil
}
