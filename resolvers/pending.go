package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/pending"
)

// maxPending is how many messages and how many traces in flight one answer tells of.
const maxPending = 100

// EmulatesPending says whether this service knows what is pending.
func (s *Service) EmulatesPending() bool { return s.oracle != nil }

// PendingTraces lists the traces that go on, with actions as far as a client sees them that understands the supported types
// (nil: all of them):
// those of messages that were sent through us and are in no block, and those of the index with messages in flight. What is in
// no block was executed here on the newest states. A trace that is complete has left the list. One that came to nothing is
// found by its message only, as invalidated. By end LT, the newest first. Unavailable when nothing is foretold here.
func (s *Service) PendingTraces(ctx context.Context, f chain.PendingFilter, supported []string) ([]chain.FullTrace, error) {
	if err := s.checkLists([]list{{"account", len(f.Accounts)}, {"ext_msg_hash", len(f.Hashes)}}); err != nil {
		return nil, err
	}
	if !s.EmulatesPending() {
		return nil, chain.Unavailablef(nil, "this service does not foretell what becomes of messages")
	}
	v, err := s.exec.view(ctx, nil)
	if err != nil {
		return nil, err
	}
	q := &pendingQuestion{oracle: s.oracle, view: v, filter: f}
	if err := q.find(ctx); err != nil {
		return nil, err
	}
	told, err := q.tell(ctx)
	if err != nil {
		return nil, err
	}
	traces := make([]chain.FullTrace, 0, len(told))
	for _, t := range told {
		shown := *t
		if supported != nil {
			shown.Actions = slices.DeleteFunc(slices.Clone(t.Actions), func(a chain.Action) bool { return !a.Shows(supported) })
		}
		traces = append(traces, shown)
	}
	slices.SortFunc(traces, func(a, b chain.FullTrace) int {
		return cmp.Or(cmp.Compare(b.EndLT, a.EndLT), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return traces, nil
}

// pendingQuestion is one question for what is pending as of a view. The index is read after the view was taken: a message of
// which it has nothing was not executed up to the view.
type pendingQuestion struct {
	*oracle
	view   *view
	filter chain.PendingFilter

	messages   []chain.PendingMessage // of which the index has nothing
	unfinished []chain.Trace          // of the index
}

func (q *pendingQuestion) find(ctx context.Context) error {
	messages, err := q.store.PendingMessages(ctx, q.filter, maxPending)
	if err != nil {
		return err
	}
	hashes := slices.Clone(q.filter.Hashes)
	if len(q.filter.Accounts) > 0 {
		hashes = nil
		if q.unfinished, err = q.svc.index.UnfinishedTraces(ctx, q.filter.Accounts, maxPending); err != nil {
			return err
		}
	}
	for i := range messages {
		hashes = append(hashes, messages[i].HashNorm)
	}
	if len(hashes) == 0 {
		return nil
	}
	found, err := q.svc.index.Traces(ctx, chain.TraceFilter{MsgHashes: hashes}, chain.Page{Limit: 2 * len(hashes)})
	if err != nil {
		return err
	}
	indexed := map[chain.Hash]bool{}
	for i := range found {
		t := &found[i]
		if t.ExternalHash == nil || t.ExternalHashNorm == nil {
			continue // the hash is that of a message within a trace
		}
		indexed[*t.ExternalHash], indexed[*t.ExternalHashNorm] = true, true
		asked := slices.Contains(hashes, *t.ExternalHash) || slices.Contains(hashes, *t.ExternalHashNorm)
		again := slices.ContainsFunc(q.unfinished, func(u chain.Trace) bool { return u.ID == t.ID })
		if t.State == chain.TracePending && asked && !again {
			q.unfinished = append(q.unfinished, *t)
		}
	}
	q.messages = slices.DeleteFunc(messages, func(m chain.PendingMessage) bool { return indexed[m.HashNorm] })
	return nil
}

// patience is how long one question waits for traces to be foretold as of the newest block; after that it takes what is known.
const patience = time.Second

// tell foretells all that was found, a few at a time.
func (q *pendingQuestion) tell(ctx context.Context) ([]*chain.FullTrace, error) {
	told := make([]*chain.FullTrace, len(q.messages)+len(q.unfinished))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(foretellAtOne)
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i := range q.messages {
		group.Go(func() (err error) {
			told[i], err = q.ofMessage(ctx, soon, &q.messages[i])
			return err
		})
	}
	for i := range q.unfinished {
		group.Go(func() (err error) {
			told[len(q.messages)+i], err = q.ofTrace(ctx, soon, &q.unfinished[i])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("what is pending: %w", err)
	}
	return slices.DeleteFunc(told, func(t *chain.FullTrace) bool { return t == nil }), nil
}

// ofMessage tells of a message that no block holds.
func (q *pendingQuestion) ofMessage(ctx, soon context.Context, m *chain.PendingMessage) (*chain.FullTrace, error) {
	lost := m.Expired(q.view.master.GenUtime)
	if !lost {
		root, err := cell.FromBOC(m.BOC)
		if err != nil {
			return nil, fmt.Errorf("message %s: %w", m.HashNorm, err)
		}
		f, err := q.message(soon, q.view, m.Hash, m.Account, root)
		if err == nil && !f.refused {
			return f.trace, nil
		}
		if err != nil && soon.Err() == nil {
			return nil, err
		}
		lost = err == nil
	}
	if lost && len(q.filter.Accounts) > 0 {
		return nil, nil
	}
	f, err := q.remember(ctx, q.view, m)
	if err != nil || f == nil {
		return nil, err
	}
	if lost {
		pending.Invalidate(f.trace)
	}
	return f.trace, nil
}

// ofTrace tells of a trace with messages in flight.
func (q *pendingQuestion) ofTrace(ctx, soon context.Context, t *chain.Trace) (*chain.FullTrace, error) {
	f, err := q.goOn(soon, q.view, t)
	if err == nil || soon.Err() == nil {
		if f == nil {
			return nil, err
		}
		return f.trace, err
	}
	full, err := q.svc.index.FullTraces(ctx, []chain.Trace{*t}, chain.TraceInclude{})
	if err != nil || len(full) == 0 {
		return nil, err
	}
	return begun(&full[0]), nil
}

// begun is a trace of the index of which nothing is foretold.
func begun(t *chain.FullTrace) *chain.FullTrace {
	t.Finality, t.Actions = chain.Confirmed, []chain.Action{}
	return t
}
