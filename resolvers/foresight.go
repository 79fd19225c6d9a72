package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/feed"
	"tonql/loaders"
)

// PendingSource lets live events tell what is pending; nil when this service does not foretell.
func (s *Service) PendingSource() feed.PendingSource {
	if !s.EmulatesPending() {
		return nil
	}
	return foresight{s}
}

type foresight struct{ svc *Service }

// Sent implements [feed.Foresight].
func (f foresight) Sent(ctx context.Context, limit int) ([]chain.Hash, error) {
	return f.svc.oracle.store.NewestPending(ctx, limit)
}

// Listen implements [feed.Foresight].
func (f foresight) Listen(ctx context.Context, hint func(), lost func(error)) {
	f.svc.oracle.store.ListenPending(ctx, hint, lost)
}

// Reach implements [feed.Foresight].
func (f foresight) Reach(ctx context.Context, mcSeqno uint32) error {
	f.svc.head.forget(mcSeqno)
	return f.svc.Await(ctx, mcSeqno, headTimeout)
}

// Emulate implements [feed.Foresight].
func (f foresight) Emulate(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error) {
	return f.svc.PendingTraces(ctx, chain.PendingFilter{Hashes: messages}, nil)
}

// Indexed implements [feed.Foresight].
func (f foresight) Indexed(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error) {
	found, err := f.svc.index.Traces(ctx, chain.TraceFilter{MsgHashes: messages}, chain.Page{Limit: 2 * len(messages)})
	if err != nil {
		return nil, err
	}
	var going []chain.FullTrace
	var complete []chain.Trace
	for i := range found {
		if found[i].State == chain.TracePending {
			going = append(going, chain.FullTrace{Trace: found[i]})
		} else {
			complete = append(complete, found[i])
		}
	}
	if len(complete) == 0 {
		return going, nil
	}
	full, err := f.svc.index.FullTraces(ctx, complete, chain.TraceInclude{})
	if err == nil {
		err = f.addActions(ctx, full)
	}
	return append(going, full...), err
}

// Expired implements [feed.Foresight].
func (f foresight) Expired(ctx context.Context, messages []chain.Hash) ([]chain.Hash, error) {
	v, err := f.svc.exec.view(ctx, nil)
	if err != nil {
		return nil, err
	}
	kept, err := f.svc.oracle.store.PendingMessages(ctx, chain.PendingFilter{Hashes: messages}, len(messages))
	var expired []chain.Hash
	for i := range kept {
		if kept[i].Expired(v.master.GenUtime) {
			expired = append(expired, kept[i].HashNorm)
		}
	}
	return expired, err
}

// maxActions is how many actions of complete traces are compared with those that were foretold.
const maxActions = 1000

// addActions gives traces their actions of all types, as those are that are foretold.
func (f foresight) addActions(ctx context.Context, traces []chain.FullTrace) error {
	every := chain.ActionFilter{}.EveryType()
	place := make(map[chain.Hash]*chain.FullTrace, len(traces))
	for i := range traces {
		every.TraceIDs = append(every.TraceIDs, traces[i].ID)
		place[traces[i].ID] = &traces[i]
	}
	actions, err := f.svc.index.Actions(ctx, every, chain.Page{Limit: maxActions, Sort: chain.Ascending})
	if err != nil {
		return err
	}
	for i := range actions {
		t := place[actions[i].TraceID]
		t.Actions = append(t.Actions, actions[i])
	}
	return nil
}

// Prime implements [feed.Foresight].
func (foresight) Prime(set *loaders.Set, t *chain.FullTrace) {
	prime(set, t)
}
