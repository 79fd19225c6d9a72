package pending

import (
	"context"
	"math"

	"tonql/internal/chain"
)

// The methods below serve live events. Messages are named by their normalized hashes.

// actionsAtOnce is the number of actions that are read at once.
const actionsAtOnce = 1000

// Sent lists the messages most recently sent through any gateway, newest first, up to limit.
func (t *Tracker) Sent(ctx context.Context, limit int) ([]chain.LastSent, error) {
	return t.store.NewestPending(ctx, limit)
}

// Listen calls hint each time it starts listening and after each sent message, until ctx ends. When the connection fails, it
// calls lost with the error and reconnects.
func (t *Tracker) Listen(ctx context.Context, hint func(), lost func(error)) {
	t.store.ListenPending(ctx, hint, lost)
}

// Reach waits until the Tracker's results include masterchain block mcSeqno, which the caller has seen in the index.
func (t *Tracker) Reach(ctx context.Context, mcSeqno uint32) error { return t.reach(ctx, mcSeqno) }

// Refused are messages that no block holds and the newest block does not accept. The value is true of those that no later block accepts either: they
// have expired.
type Refused map[chain.Hash]bool

// Emulate returns the pending traces of messages, with all their actions, and the messages that are refused. It leaves out complete traces,
// those that could not be emulated in time, and large ones that do not fit into memory together.
func (t *Tracker) Emulate(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, Refused, error) {
	l := &listing{Tracker: t, filter: chain.PendingFilter{Hashes: messages}, live: true, refused: Refused{}}
	traces, err := l.list(ctx)
	return traces, l.refused, err
}

// Indexed returns the indexed traces of messages: complete ones with transactions and all their actions, pending ones
// without both.
func (t *Tracker) Indexed(ctx context.Context, messages []chain.Hash) ([]chain.FullTrace, error) {
	found, err := t.begun(ctx, messages)
	if err != nil {
		return nil, err
	}
	var unfinished []chain.FullTrace
	var complete []chain.Trace
	for i := range found {
		if found[i].State == chain.TracePending {
			unfinished = append(unfinished, chain.FullTrace{Trace: found[i]})
		} else {
			complete = append(complete, found[i])
		}
	}
	if len(complete) == 0 {
		return unfinished, nil
	}
	full, err := t.complete(ctx, complete)
	if err == nil {
		err = t.addActions(ctx, full)
	}
	return append(unfinished, full...), err
}

// begun returns the indexed trace that each of the messages began, named by its plain or its normalized hash; of one that was executed more than once the
// newest. It reads all traces of a message: those of one that is executed again and again must not hide the traces of others.
func (t *Tracker) begun(ctx context.Context, messages []chain.Hash) ([]chain.Trace, error) {
	found, err := t.index.Traces(ctx, chain.TraceFilter{MsgHashes: messages}, chain.Page{Limit: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	named := make(map[chain.Hash]bool, len(messages))
	for _, h := range messages {
		named[h] = true
	}
	at := map[chain.Hash]int{}
	var newest []chain.Trace
	for i := range found {
		t := &found[i]
		if t.ExternalHash == nil || t.ExternalHashNorm == nil || !named[*t.ExternalHash] && !named[*t.ExternalHashNorm] {
			continue // the hash is that of a message within a trace
		}
		j, ok := at[*t.ExternalHashNorm]
		switch {
		case !ok:
			at[*t.ExternalHashNorm] = len(newest)
			newest = append(newest, *t)
		case t.EndLT > newest[j].EndLT:
			newest[j] = *t
		}
	}
	return newest, nil
}

// maxIndexed bounds the transactions of the traces that [Tracker.Indexed] returns, in bytes, where those of all are more than may be read at once.
const maxIndexed = 64 << 20

// complete reads complete traces. Those that do not fit into memory together are without transactions, as are traces with too many.
func (t *Tracker) complete(ctx context.Context, traces []chain.Trace) ([]chain.FullTrace, error) {
	full, err := t.index.FullTraces(ctx, traces, chain.TraceInclude{})
	if !tooMuch(err) {
		return full, err
	}
	left := maxIndexed
	full = make([]chain.FullTrace, 0, len(traces))
	for i := range traces {
		one, err := t.index.FullTraces(ctx, traces[i:i+1], chain.TraceInclude{})
		switch {
		case tooMuch(err):
			one = []chain.FullTrace{{Trace: traces[i], TooLarge: true}}
		case err != nil:
			return nil, err
		case len(one) == 0:
			continue
		}
		if size := Weight(&one[0]); size <= left {
			left -= size
		} else {
			one[0] = chain.FullTrace{Trace: traces[i], TooLarge: true}
		}
		full = append(full, one[0])
	}
	return full, nil
}

// tooMuch reports whether an error is that of a query that would read more than a request may.
func tooMuch(err error) bool { return err != nil && chain.KindOf(err) == chain.Invalid }

// Expired returns the messages that no block can hold any more.
func (t *Tracker) Expired(ctx context.Context, messages []chain.Hash) ([]chain.Hash, error) {
	v, err := t.emulator.At(ctx, nil)
	if err != nil {
		return nil, err
	}
	stored, err := t.store.PendingMessages(ctx, chain.PendingFilter{Hashes: messages}, len(messages))
	var expired []chain.Hash
	for i := range stored {
		if stored[i].Expired(v.Master.GenUtime) {
			expired = append(expired, stored[i].HashNorm)
		}
	}
	return expired, err
}

// addActions adds the actions of all types to traces.
func (t *Tracker) addActions(ctx context.Context, traces []chain.FullTrace) error {
	all := chain.ActionFilter{}.EveryType()
	byID := make(map[chain.Hash]*chain.FullTrace, len(traces))
	for i := range traces {
		all.TraceIDs = append(all.TraceIDs, traces[i].ID)
		byID[traces[i].ID] = &traces[i]
	}
	p := chain.Page{Limit: actionsAtOnce, Sort: chain.Ascending}
	for {
		actions, err := t.index.Actions(ctx, all, p)
		if err != nil {
			return err
		}
		for i := range actions {
			trace := byID[actions[i].TraceID]
			trace.Actions = append(trace.Actions, actions[i])
		}
		if len(actions) < actionsAtOnce {
			return nil
		}
		last := actions[len(actions)-1].Cursor()
		p.After = &last
	}
}
