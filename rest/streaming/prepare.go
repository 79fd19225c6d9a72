package streaming

import (
	"context"
	"errors"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/feed"
	"tonql/rest/handler"
)

const (
	// longNotification is the size, in bytes, from which a notification that is not sent counts against the memory of what waits for clients.
	longNotification = 16 << 10
	// memoryPause is the time between two tries to make notifications for which there is no memory, and memoryTime that of all tries.
	memoryPause = 250 * time.Millisecond
	memoryTime  = 10 * time.Second
)

// preparedNotification is a notification that was made and not sent.
type preparedNotification struct {
	*message

	of    chain.Hash
	level finality
	free  func() // returns its memory; nil afterwards
}

func (n *preparedNotification) release() {
	if n.free != nil {
		n.free()
		n.free = nil
	}
}

// preparedNotifications are those of one trace, in their order.
type preparedNotifications []preparedNotification

func (list preparedNotifications) release() {
	for i := range list {
		list[i].release()
	}
}

// prepared reads a trace and makes its notifications as one read of the index. A trace may be as long as they are, and is not in memory while its
// session waits for others or for its client. Notifications for which there is no memory are made again, because those of other sessions
// are sent meanwhile; the error is [handler.ErrUnsent] when there is none for long.
func (s *session) prepared(ctx context.Context, sub *subscription, b *feed.Batch, of *blockTrace) (ready preparedNotifications, err error) {
	for began := time.Now(); ; {
		err := s.retried(ctx, b, func(ctx context.Context) error {
			ready.release()
			ready = nil
			t, err := s.readTrace(ctx, sub, b, of)
			if err != nil || t == nil {
				return err
			}
			return of.deliver(sub, t, func(kind string, key chain.Hash, level finality, fill func(n *message)) error {
				n := preparedNotification{message: newNotification(kind, level.String(), key), of: key, level: level}
				fill(n.message)
				n.names(ctx, s.h.opts.Service, sub)
				if n.full() {
					n.b = n.b[:0:0]
					s.h.skipped.Inc()
					return nil
				}
				if n.free, err = handler.Reserve(ctx, len(n.b), longNotification); err != nil {
					return unsentError{err}
				}
				ready = append(ready, n)
				return nil
			})
		})
		if err == nil {
			return ready, nil
		}
		ready.release()
		ready = nil
		if !errors.Is(err, handler.ErrUnsent) || time.Since(began) > memoryTime || !ctxtime.Sleep(ctx, memoryPause) {
			return nil, err
		}
	}
}

// unsentError is [handler.ErrUnsent] as an error that no repetition of the read helps.
type unsentError struct{ err error }

// Error says what failed.
func (e unsentError) Error() string { return e.err.Error() }

// Is reports whether the error is [handler.ErrUnsent].
func (e unsentError) Is(target error) bool { return errors.Is(e.err, target) }

// deliver notifies of what a subscription has in common with a trace of blocks.
func (of *blockTrace) deliver(sub *subscription, t *chain.FullTrace, notify notifier) error {
	if of.row == nil { // it continues after these blocks
		if t.State == chain.TraceComplete {
			return nil // it has ended since, in blocks that are a later batch
		}
		return ownTransactions(sub, t, finalityOf(t, true), notify)
	}
	if err := ownTransactions(sub, t, finalized, notify); err != nil {
		return err
	}
	return actionsAndTrace(sub, t, of.actions, notify)
}

// readTrace reads a trace with its transactions; nil when the index has it no longer. Of one that is too large it reads the subscribed transactions: all,
// if it ends in the blocks, otherwise those of the blocks.
func (s *session) readTrace(ctx context.Context, sub *subscription, b *feed.Batch, of *blockTrace) (*chain.FullTrace, error) {
	if of.alone {
		return aloneTrace(ctx, b, of.id)
	}
	t, err := s.fullTrace(ctx, of.id)
	if err != nil || t == nil || !t.TooLarge {
		return t, err
	}
	if len(of.parties) > 0 {
		t.Transactions, err = b.OwnTransactions(ctx, of.row, of.parties)
		return t, err //nolint:wrapcheck // of the feed
	}
	txs, err := b.FullTransactions(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the feed
	}
	for i := range txs {
		if tx := &txs[i]; tx.TraceID != nil && *tx.TraceID == of.id && sub.addresses[tx.Account] {
			t.Transactions = append(t.Transactions, *tx)
		}
	}
	return t, nil
}

// fullTrace reads a trace; nil when the index has it no longer. One with more bytes than a response may have is as one with too many
// transactions: anyone can make it, with a transaction of any account.
func (s *session) fullTrace(ctx context.Context, id chain.Hash) (*chain.FullTrace, error) {
	svc, f, page := s.h.opts.Service, chain.TraceFilter{IDs: []chain.Hash{id}}, chain.Page{Limit: 1}
	parts, err := svc.FullTraces(ctx, f, page, chain.TraceInclude{})
	if err == nil && parts.Len() == 0 {
		return nil, nil //nolint:nilnil // there is none
	}
	var rows []chain.FullTrace
	if err == nil {
		rows, err = parts.Read(ctx, 0)
	}
	switch kind := chain.KindOf(err); {
	case err == nil && len(rows) > 0:
		return &rows[0], nil
	case err != nil && kind != chain.Invalid && kind != chain.TooLarge:
		return nil, err //nolint:wrapcheck // of the service
	}
	short, err := svc.Traces(ctx, f, page)
	if err != nil || len(short) == 0 {
		return nil, err //nolint:wrapcheck // of the service
	}
	return &chain.FullTrace{Trace: short[0], TooLarge: true}, nil
}
