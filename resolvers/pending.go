package resolvers

import (
	"context"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/pending"
	"tonql/loaders"
)

// EmulatesPending reports whether this Service emulates pending traces.
func (s *Service) EmulatesPending() bool { return s.pending != nil }

// Pending returns the tracker of pending traces; nil when this Service does not emulate them.
func (s *Service) Pending() *pending.Tracker { return s.pending }

// PendingTraces lists the pending traces that match f by end LT, newest first, with the actions that a client with these
// supported types sees; nil: all types. See [pending.Tracker.Traces]. Unavailable when this Service does not emulate them.
func (s *Service) PendingTraces(ctx context.Context, f chain.PendingFilter, supported []string) ([]chain.FullTrace, error) {
	if err := s.checkLists([]list{{"account", len(f.Accounts)}, {"ext_msg_hash", len(f.Hashes)}}); err != nil {
		return nil, err
	}
	if s.pending == nil {
		return nil, chain.Unavailablef(nil, "this service does not emulate pending messages")
	}
	traces, err := s.pending.Traces(ctx, f)
	if err != nil || supported == nil {
		return traces, err
	}
	for i := range traces {
		traces[i].Actions = slices.DeleteFunc(slices.Clone(traces[i].Actions), func(a chain.Action) bool { return !a.Shows(supported) })
	}
	return traces, nil
}

// pendingTraces lists pending traces and puts them into the request's loaders, so that the fields of these traces return
// emulated rows, which the index does not have.
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
		loaders.From(ctx).PrimeTrace(&full[i])
		traces[i] = &full[i].Trace
	}
	return traces, nil
}

// pendingActions returns the actions of a pending trace that a client with these supported types sees; false for a trace
// whose actions come from the index.
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
