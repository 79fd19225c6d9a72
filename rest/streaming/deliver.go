package streaming

import (
	"context"
	"maps"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/feed"
)

// pendingUpdate delivers an update of a pending trace. t is its newest version, nil once its transactions are those of blocks. A trace of which the
// subscription was sent a version that did not happen, and of which the newest one has nothing for it, is invalidated for the connection.
func (s *session) pendingUpdate(ctx context.Context, sub *subscription, b *feed.Batch, t *chain.FullTrace) error {
	if t != nil {
		sent, err := s.pendingTrace(ctx, sub, t)
		if err != nil || sent {
			return err
		}
	}
	for _, version := range b.Emulated {
		key := keyOf(&version.Trace)
		if !s.open.has(key) {
			continue
		}
		gone, err := goneFor(ctx, sub, b)
		if err != nil {
			return err
		}
		if gone {
			return s.invalidate(ctx, key)
		}
		if t == nil {
			s.open.remove(key) // the connection has changed its subscription since
		}
	}
	return nil
}

// pendingTrace delivers a version of a pending trace. It reports whether there was something to send.
func (s *session) pendingTrace(ctx context.Context, sub *subscription, t *chain.FullTrace) (sent bool, err error) {
	if t.Finality == chain.Invalidated {
		return true, s.invalidate(ctx, keyOf(&t.Trace))
	}
	send := func(kind string, of chain.Hash, level finality, fill func(n *message)) error {
		sent = true
		return s.notify(ctx, sub, kind, of, level, fill)
	}
	if err := ownTransactions(sub, t, finalityOf(t, true), send); err != nil {
		return sent, err
	}
	return sent, actionsAndTrace(sub, t, t.Actions, send)
}

// invalidate sends that a trace will not happen, if the connection was sent it and not its end.
func (s *session) invalidate(ctx context.Context, key chain.Hash) error {
	if !s.open.remove(key) {
		return nil
	}
	return s.emit(ctx, append(newNotification("trace_invalidated", "", key).b, '}'))
}

// goneFor reports whether a transaction or an action of a subscribed account is not in the newest version of a pending trace any more.
func goneFor(ctx context.Context, sub *subscription, b *feed.Batch) (bool, error) {
	txs, err := b.Transactions(ctx)
	if err != nil {
		return false, err //nolint:wrapcheck // of the feed
	}
	acted, err := b.Actions(ctx)
	if err != nil {
		return false, err //nolint:wrapcheck // of the feed
	}
	return sub.wants(transactions) && slices.ContainsFunc(txs.Rows, func(tx chain.Transaction) bool {
		return tx.Finality == chain.Invalidated && sub.addresses[tx.Account]
	}) || sub.wants(actions) && slices.ContainsFunc(acted.Rows, func(a chain.Action) bool {
		return a.Finality == chain.Invalidated && sub.anyOf(a.Accounts)
	}), nil
}

// notifier takes a notification of a trace; fill writes what it has.
type notifier func(kind string, of chain.Hash, level finality, fill func(n *message)) error

// sender makes and sends each notification.
func (s *session) sender(ctx context.Context, sub *subscription) notifier {
	return func(kind string, of chain.Hash, level finality, fill func(n *message)) error {
		return s.notify(ctx, sub, kind, of, level, fill)
	}
}

// ownTransactions delivers the subscribed transactions of a trace.
func ownTransactions(sub *subscription, t *chain.FullTrace, level finality, notify notifier) error {
	if !sub.wants(transactions) || level < sub.minFinality {
		return nil
	}
	own := sub.own(t.Transactions)
	if len(own) == 0 {
		return nil
	}
	return notify("transactions", keyOf(&t.Trace), level, func(n *message) { n.transactions(own) })
}

// actionsAndTrace delivers the actions of a trace, and the trace itself.
func actionsAndTrace(sub *subscription, t *chain.FullTrace, all []chain.Action, notify notifier) error {
	level, key := finalityOf(t, false), keyOf(&t.Trace)
	if level < sub.minFinality {
		return nil
	}
	if sub.wants(actions) {
		if err := ownActions(sub, key, all, level, notify); err != nil {
			return err
		}
	}
	if !sub.wants(trace) || !sub.traces[key] {
		return nil
	}
	return notify("trace", key, level, func(n *message) {
		n.trace(t)
		n.actions(sub.visible(all, false))
	})
}

// ownActions delivers the actions of a trace that the subscription shows.
func ownActions(sub *subscription, key chain.Hash, all []chain.Action, level finality, notify notifier) error {
	shown := sub.visible(all, true)
	if len(shown) == 0 {
		return nil
	}
	return notify("actions", key, level, func(n *message) { n.actions(shown) })
}

// blockEvents are what a batch of blocks has for a subscription.
type blockEvents struct {
	traces  []blockTrace
	states  []*chain.AccountState
	wallets []*chain.JettonWallet
}

// blockTrace is a trace with a transaction in the blocks.
type blockTrace struct {
	row     *chain.Trace    // of a trace that ends in the blocks; nil for one that continues
	id      chain.Hash      // of the trace; of a transaction whose trace is not known, its own hash
	alone   bool            // its trace is not known
	parties []chain.Address // subscribed accounts in a trace that ends in the blocks
	full    bool            // its transactions are wanted
	actions []chain.Action
}

// selected returns what a batch has for a subscription.
func (s *session) selected(ctx context.Context, sub *subscription, b *feed.Batch) (of blockEvents, err error) {
	if of.traces, err = s.tracesOf(ctx, sub, b); err != nil {
		return of, err
	}
	if sub.wants(accountStates) {
		list, err := b.States(ctx)
		if err != nil {
			return of, err //nolint:wrapcheck // of the feed
		}
		for i := range list.Rows {
			if state := &list.Rows[i].AccountState; sub.addresses[state.Account] {
				of.states = append(of.states, state)
			}
		}
	}
	if sub.wants(jettons) {
		wallets, err := b.JettonWallets(ctx)
		if err != nil {
			return of, err //nolint:wrapcheck // of the feed
		}
		for i := range wallets {
			if w := &wallets[i]; sub.addresses[w.Address] || sub.addresses[w.Owner] {
				of.wallets = append(of.wallets, w)
			}
		}
	}
	return of, nil
}

// tracesOf returns the traces of the blocks that the subscription wants: complete ones, and, when it wants what is pending, those with a
// subscribed transaction that continue.
func (s *session) tracesOf(ctx context.Context, sub *subscription, b *feed.Batch) ([]blockTrace, error) {
	if !sub.wants(transactions) && !sub.wants(actions) && !sub.wants(trace) {
		return nil, nil
	}
	list, err := b.Traces(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	mine, found, err := s.withOwn(ctx, sub, b)
	if err != nil {
		return nil, err
	}
	acted, err := actionsByTrace(ctx, sub, b)
	if err != nil {
		return nil, err
	}
	parties, err := partiesOf(ctx, sub, b)
	if err != nil {
		return nil, err
	}
	for i := range list.Rows {
		row := &list.Rows[i]
		key := keyOf(row)
		subscribed := sub.wants(trace) && sub.traces[key]
		t := blockTrace{row: row, id: row.ID, actions: acted[row.ID], parties: parties(row.ID)}
		t.full = subscribed || len(t.parties) > 0 || mine[row.ID]
		delete(mine, row.ID)
		if t.full || len(t.actions) > 0 {
			found = append(found, t)
		}
	}
	if sub.minFinality == pending {
		for id := range mine {
			found = append(found, blockTrace{id: id, full: true})
		}
	}
	return found, nil
}

// partiesOf returns a function that returns the subscribed accounts with a transaction in a trace that ends in the blocks; of a subscription that does
// not want transactions none.
func partiesOf(ctx context.Context, sub *subscription, b *feed.Batch) (func(trace chain.Hash) []chain.Address, error) {
	if !sub.wants(transactions) {
		return func(chain.Hash) []chain.Address { return nil }, nil
	}
	all, err := b.Parties(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	large, err := b.LargeParties(ctx, slices.Collect(maps.Keys(sub.addresses)))
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	return func(trace chain.Hash) []chain.Address {
		own := large[trace]
		for _, a := range all[trace] {
			if sub.addresses[a] && !slices.Contains(own, a) {
				own = append(own, a)
			}
		}
		return own
	}, nil
}

// withOwn returns the traces of the subscribed transactions of the blocks, and these transactions themselves if their traces are not known.
func (s *session) withOwn(ctx context.Context, sub *subscription, b *feed.Batch) (mine map[chain.Hash]bool, alone []blockTrace, err error) {
	if !sub.wants(transactions) {
		return nil, nil, nil
	}
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // of the feed
	}
	mine = map[chain.Hash]bool{}
	for i := range list.Rows {
		switch tx := &list.Rows[i]; {
		case !sub.addresses[tx.Account]:
		case tx.TraceID != nil:
			mine[*tx.TraceID] = true
		default:
			alone = append(alone, blockTrace{id: tx.Hash, alone: true, full: true})
		}
	}
	return mine, alone, nil
}

// actionsByTrace returns the actions of the blocks by trace: of those with an action of a subscribed account, and of subscribed traces all.
func actionsByTrace(ctx context.Context, sub *subscription, b *feed.Batch) (map[chain.Hash][]chain.Action, error) {
	if !sub.wants(actions) && !sub.wants(trace) {
		return nil, nil
	}
	list, err := b.Actions(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	by := map[chain.Hash][]chain.Action{}
	for i := range list.Rows {
		a := &list.Rows[i]
		of := a.TraceExternalHashNorm
		if sub.wants(actions) && sub.anyOf(a.Accounts) || sub.wants(trace) && of != nil && sub.traces[*of] {
			by[a.TraceID] = append(by[a.TraceID], *a)
		}
	}
	return by, nil
}

// blocks delivers what was selected of a batch of blocks.
func (s *session) blocks(ctx context.Context, sub *subscription, b *feed.Batch, of *blockEvents) error {
	for i := range of.traces {
		if err := s.blockTrace(ctx, sub, b, &of.traces[i]); err != nil {
			return err
		}
	}
	for _, state := range of.states {
		if err := s.emit(ctx, stateNotification(state)); err != nil {
			return err
		}
	}
	for _, w := range of.wallets {
		n := &message{}
		if err := s.made(ctx, sub, n, func(n *message) { n.jettonWallet(sub, w) }); err != nil {
			return err
		}
		if err := s.emit(ctx, append(n.b, '}')); err != nil {
			return err
		}
	}
	return nil
}

// blockTrace delivers a trace of blocks.
func (s *session) blockTrace(ctx context.Context, sub *subscription, b *feed.Batch, of *blockTrace) error {
	if !of.full { // it has subscribed actions only
		return ownActions(sub, keyOf(of.row), of.actions, finalized, s.sender(ctx, sub))
	}
	ready, err := s.prepared(ctx, sub, b, of)
	if err != nil {
		return err
	}
	defer ready.release()
	for i := range ready {
		n := &ready[i]
		n.release() // counted by what sends it
		if err := s.notified(ctx, n.message, n.of, n.level); err != nil {
			return err
		}
		n.message = nil
	}
	return nil
}

// aloneTrace returns a transaction whose trace is not known as a trace of its own.
func aloneTrace(ctx context.Context, b *feed.Batch, hash chain.Hash) (*chain.FullTrace, error) {
	txs, err := b.FullTransactions(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	for i := range txs {
		if txs[i].Hash != hash {
			continue
		}
		t := &chain.FullTrace{Transactions: txs[i : i+1]}
		t.ID, t.State = hash, chain.TraceBroken
		if in := txs[i].InMessage; in != nil {
			t.ExternalHash = &in.Hash
		}
		return t, nil
	}
	return nil, nil
}
