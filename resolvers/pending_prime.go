package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// pendingTraces lists what is pending and hands all of it to the loaders of the request, so that whatever is asked of these
// traces is answered from what was foretold, and not from the index, which does not have it.
func (r *Resolver) pendingTraces(ctx context.Context, account *chain.Address, messages []chain.Hash, first *int) ([]*chain.Trace, error) {
	p, err := r.relay(chain.TraceList, first, nil, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	f := chain.PendingFilter{Hashes: messages}
	switch {
	case len(messages) > chain.MaxInputs:
		return nil, chain.Invalidf("messages takes at most %d values", chain.MaxInputs)
	case (account != nil) == (len(messages) > 0):
		return nil, chain.Invalidf("either account or messages is needed")
	case account != nil:
		f.Accounts = []chain.Address{*account}
	}
	full, err := r.Service.PendingTraces(ctx, f, nil)
	if err != nil {
		return nil, err
	}
	full = full[:min(p.Limit, len(full))]
	traces := make([]*chain.Trace, len(full))
	for i := range full {
		prime(loaders.From(ctx), &full[i])
		traces[i] = &full[i].Trace
	}
	return traces, nil
}

// prime hands a trace to loaders.
func prime(l *loaders.Set, t *chain.FullTrace) {
	loaders.Prime(l.TraceByID, t.ID, &t.Trace)
	loaders.Prime(l.TraceContent, t.ID, t)
	for i := range t.Actions {
		loaders.Prime(l.ActionByID, t.Actions[i].ID, &t.Actions[i])
	}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		loaders.Prime(l.TransactionByKey, tx.Key(), &tx.Transaction)
		loaders.Prime(l.TransactionByHash, tx.Hash, &tx.Transaction)
		loaders.Prime(l.MessagesSentBy, tx.Key(), tx.OutMessages)
		if tx.InMessage != nil {
			loaders.Prime(l.MessageByKey, tx.InMessage.Key, tx.InMessage)
		}
		if tx.StateAfter.UsedBits > 0 { // the state itself, not its hash alone
			loaders.Prime(l.AccountStateAt, tx.Key(), &tx.StateAfter)
		}
	}
}

// pendingActions gives the actions of a trace that goes on, as far as a client sees them that understands the types; false
// for a trace of which the index speaks.
func pendingActions(ctx context.Context, t *chain.Trace, types []string) ([]chain.Action, bool, error) {
	if t.Finality == chain.Finalized {
		return nil, false, nil
	}
	full, err := traceContent(ctx, t)
	if err != nil || full == nil {
		return nil, true, err
	}
	var shown []chain.Action
	for i := range full.Actions {
		if full.Actions[i].Shows(types) {
			shown = append(shown, full.Actions[i])
		}
	}
	return shown, true, nil
}
