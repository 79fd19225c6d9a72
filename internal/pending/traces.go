package pending

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

const (
	// maxListed bounds the messages, and the indexed traces, of one list.
	maxListed = 100
	// maxWait is how long one list waits for emulations at the newest block; after it, stored results are used.
	maxWait = time.Second
	// maxListedBytes bounds the traces of one list in memory.
	maxListedBytes = 64 << 20
	// smallTrace is the size in bytes up to which the traces of large messages do not displace others.
	smallTrace = 128 << 10
)

// errTooLong is the error of a list of more than [maxListedBytes].
var errTooLong = chain.Invalidf("the pending traces have more than %d MiB: request those of fewer messages at once", maxListedBytes>>20)

// Traces lists the pending traces that match f, with all their actions, by end LT, newest first: those of sent messages that
// no block holds, and indexed traces with messages in flight. A complete trace is not listed. The trace of an expired or
// rejected message is listed as Invalidated, only if f names the message.
//
// It fails when the traces do not fit into memory together.
func (t *Tracker) Traces(ctx context.Context, f chain.PendingFilter) ([]chain.FullTrace, error) {
	return (&listing{Tracker: t, filter: f}).list(ctx)
}

// list returns the traces.
func (l *listing) list(ctx context.Context) ([]chain.FullTrace, error) {
	// The index is read after the View: a message without an indexed transaction was not executed up to the View.
	var err error
	if l.view, err = l.emulator.At(ctx, nil); err != nil {
		return nil, err
	}
	if err := l.find(ctx); err != nil {
		return nil, err
	}
	found, err := l.emulate(ctx)
	if err != nil {
		return nil, err
	}
	traces := make([]chain.FullTrace, len(found))
	for i := range found {
		traces[i] = *found[i]
	}
	slices.SortFunc(traces, func(a, b chain.FullTrace) int {
		return cmp.Or(cmp.Compare(b.EndLT, a.EndLT), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return traces, nil
}

// listing is one list of pending traces at a View.
type listing struct {
	*Tracker
	view   *emulate.View
	filter chain.PendingFilter

	// live is set by [Tracker.Emulate]: large traces that do not fit into memory together with others are left out, and refused messages are
	// listed without traces.
	live    bool
	bytes   atomic.Int64 // of the traces so far
	mu      sync.Mutex   // guards refused
	refused Refused

	messages   []chain.PendingMessage // without an indexed transaction
	unfinished []chain.Trace          // indexed, with messages in flight
}

func (l *listing) find(ctx context.Context) error {
	messages, err := l.store.PendingMessages(ctx, l.filter, maxListed)
	if err != nil {
		return err
	}
	hashes := slices.Clone(l.filter.Hashes)
	if len(l.filter.Accounts) > 0 {
		hashes = nil
		if l.unfinished, err = l.index.UnfinishedTraces(ctx, l.filter.Accounts, maxListed); err != nil {
			return err
		}
	}
	for i := range messages {
		hashes = append(hashes, messages[i].HashNorm)
	}
	if len(hashes) == 0 {
		return nil
	}
	found, err := l.begun(ctx, hashes)
	if err != nil {
		return err
	}
	indexed := map[chain.Hash]bool{}
	for i := range found {
		t := &found[i]
		indexed[*t.ExternalHash], indexed[*t.ExternalHashNorm] = true, true
		again := slices.ContainsFunc(l.unfinished, func(u chain.Trace) bool { return u.ID == t.ID })
		if t.State == chain.TracePending && !again {
			l.unfinished = append(l.unfinished, *t)
		}
	}
	l.messages = slices.DeleteFunc(messages, func(m chain.PendingMessage) bool { return indexed[m.HashNorm] })
	return nil
}

// emulate emulates the traces that find found, a few at a time.
func (l *listing) emulate(ctx context.Context) ([]*chain.FullTrace, error) {
	traces := make([]*chain.FullTrace, len(l.messages)+len(l.unfinished))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxEmulations)
	soon, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	for i := range l.messages {
		group.Go(func() (err error) {
			defer chain.Recover(&err)
			if traces[i], err = l.ofMessage(ctx, soon, &l.messages[i]); err == nil {
				traces[i], err = l.within(traces[i])
			}
			return err
		})
	}
	for i := range l.unfinished {
		group.Go(func() (err error) {
			defer chain.Recover(&err)
			at := len(l.messages) + i
			if traces[at], err = l.ofTrace(ctx, soon, &l.unfinished[i]); err == nil {
				traces[at], err = l.within(traces[at])
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("pending traces: %w", err)
	}
	return slices.DeleteFunc(traces, func(t *chain.FullTrace) bool { return t == nil }), nil
}

// within returns a trace that fits into memory with the others of the list; nil or an error for one that does not.
func (l *listing) within(t *chain.FullTrace) (*chain.FullTrace, error) {
	if t == nil {
		return nil, nil
	}
	weight := int64(Weight(t))
	if l.live && weight <= smallTrace {
		return t, nil
	}
	if l.bytes.Add(weight) <= maxListedBytes {
		return t, nil
	}
	l.bytes.Add(-weight)
	if l.live {
		return nil, nil
	}
	return nil, errTooLong
}

// ofMessage returns the trace of a message that no block holds; nil when there is none to list.
func (l *listing) ofMessage(ctx, soon context.Context, m *chain.PendingMessage) (*chain.FullTrace, error) {
	expired := m.Expired(l.view.Master.GenUtime)
	invalid := expired
	if !invalid {
		root, err := cell.FromBOC(m.BOC)
		if err != nil {
			return nil, fmt.Errorf("message %s: %w", m.HashNorm, err)
		}
		r, err := l.message(soon, l.view, m.Hash, m.Account, root)
		if err == nil && r.trace != nil {
			return r.trace, nil
		}
		if err != nil && soon.Err() == nil {
			return nil, err
		}
		invalid = err == nil && r.rejected
	}
	if invalid && l.live {
		l.refuse(m.HashNorm, expired)
		return nil, nil
	}
	if invalid && len(l.filter.Accounts) > 0 {
		return nil, nil
	}
	trace, err := l.stored(ctx, m)
	if err != nil || trace == nil {
		return nil, err
	}
	if invalid {
		emulate.Invalidate(trace)
	}
	return trace, nil
}

func (l *listing) refuse(message chain.Hash, expired bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused[message] = expired
}

// ofTrace returns a trace with messages in flight; without emulated transactions when they are not available in time.
func (l *listing) ofTrace(ctx, soon context.Context, t *chain.Trace) (*chain.FullTrace, error) {
	r, err := l.rest(soon, l.view, t)
	if err != nil && soon.Err() == nil || err == nil && r == nil {
		return nil, err
	}
	if err == nil && r.trace != nil {
		return r.trace, nil
	}
	full, err := l.index.FullTraces(ctx, []chain.Trace{*t}, chain.TraceInclude{})
	if err != nil || len(full) == 0 {
		return nil, err
	}
	return unemulated(&full[0]), nil
}

// stored returns the trace that was emulated when a message was sent; nil when none was stored.
func (l *listing) stored(ctx context.Context, m *chain.PendingMessage) (*chain.FullTrace, error) {
	if len(m.Content) == 0 {
		return nil, nil
	}
	roots, err := cell.FromBOCMultiRoot(m.Content)
	if err != nil {
		return nil, fmt.Errorf("stored emulation of message %s: %w", m.HashNorm, err)
	}
	e := l.emulator.NewEmulation(l.view, emulate.Limits{Transactions: len(roots), Bytes: emulate.MaxTraceBytes})
	txs := make([]chain.FullTransaction, 0, len(roots))
	for _, root := range roots {
		if e.Full() { // transactions share cells in what is stored
			break
		}
		tx, err := e.Decode(root, workchainOf(root, m))
		if err != nil {
			return nil, err
		}
		tx.McSeqno = m.McSeqno
		txs = append(txs, tx)
	}
	trace := emulate.Trace(nil, txs)
	return trace, e.Classify(ctx, trace)
}

// workchainOf returns the workchain of a stored transaction. The transaction does not contain it, but its account is one of
// the message's accounts.
func workchainOf(root *cell.Cell, m *chain.PendingMessage) int32 {
	if s, err := root.BeginParse(); err == nil {
		_, _ = s.LoadUInt(4) // the tag, which the decoder checks
		if id, err := s.LoadSlice(256); err == nil {
			for _, a := range m.Accounts {
				if a.ID == chain.HashFrom(id) {
					return a.Workchain
				}
			}
		}
	}
	return m.Account.Workchain
}
