package pending

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/emulate"
)

const (
	// maxSaveWait is how long [Sending.Save] waits for the emulation of a message that the network has accepted.
	maxSaveWait = 250 * time.Millisecond
	// saveTime bounds the write of a sent message. The write must not end with the request: the message was sent.
	saveTime = 2 * time.Second
	// maxContent is the largest size, in bytes, of emulated transactions that are stored with their message.
	maxContent = 1 << 20
	// maxContentInput is the largest size of transactions before the cells that they share are stored once.
	maxContentInput = 4 << 20
)

// Sending is a message that is being sent and emulated at the same time.
type Sending struct {
	tracker *Tracker
	message *chain.PendingMessage
	done    chan *result // receives one result; nil when the message could not be emulated
}

// Send starts the emulation of a message that the caller is about to send. It returns nil, whose Save does nothing,
// when t is nil or the index is empty.
func (t *Tracker) Send(ctx context.Context, boc chain.BOC, parsed *emulate.ExternalMessage) *Sending {
	if t == nil {
		return nil
	}
	v, err := t.emulator.At(ctx, nil)
	if err != nil {
		t.log.Warn("sent message is not emulated", "message", parsed.HashNorm.String(), "err", err)
		return nil
	}
	now := t.emulator.Time(ctx, v)
	m := &chain.PendingMessage{
		Hash: parsed.Hash, HashNorm: parsed.HashNorm, Account: parsed.Destination, BOC: boc,
		SentUtime: now, McSeqno: v.Master.Seqno, ExpireUtime: Expiry(parsed.Body, now),
	}
	s := &Sending{tracker: t, message: m, done: make(chan *result, 1)}
	select {
	case t.waiting <- struct{}{}:
	default: // too many at once
		s.done <- nil
		return s
	}
	t.running.Go(func() {
		defer func() { <-t.waiting }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), emulationTime)
		defer cancel()
		r, err := func() (r *result, err error) {
			defer chain.Recover(&err)
			return t.message(ctx, v, m.Hash, m.Account, parsed.Root)
		}()
		if err != nil {
			t.log.Warn("emulating a sent message failed", "message", m.HashNorm.String(), "err", err)
		}
		s.done <- r
	})
	return s
}

// Save stores the message after the network has accepted it, with the emulated transactions if they are available in
// time. A failure is logged and not returned: the message was sent.
func (s *Sending) Save(ctx context.Context) {
	if s == nil {
		return
	}
	m := s.message
	m.Accounts = []chain.Address{m.Account}
	timeout := time.NewTimer(maxSaveWait)
	defer timeout.Stop()
	select {
	case r := <-s.done:
		if r != nil && r.trace != nil {
			for i := range r.trace.Transactions {
				m.Accounts = append(m.Accounts, r.trace.Transactions[i].Account)
			}
			slices.SortFunc(m.Accounts, chain.Address.Compare)
			m.Accounts = slices.Compact(m.Accounts)
			m.Content = r.content
		}
	case <-timeout.C:
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	if err := s.tracker.store.StorePending(ctx, m); err != nil {
		s.tracker.log.Error("storing a sent message failed", "message", m.HashNorm.String(), "err", err)
	}
}

// content returns transactions as one bag of cells; nil when they are too large to be stored.
func content(transactions []chain.BOC) (chain.BOC, error) {
	size := 0
	for _, boc := range transactions {
		size += len(boc)
	}
	if size > maxContentInput {
		return nil, nil
	}
	roots := make([]*cell.Cell, len(transactions))
	for i, boc := range transactions {
		root, err := cell.FromBOC(boc)
		if err != nil {
			return nil, fmt.Errorf("emulated transaction: %w", err)
		}
		roots[i] = root
	}
	if joined := cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{}); len(joined) <= maxContent {
		return joined, nil
	}
	return nil, nil
}
