package resolvers

import (
	"context"
	"slices"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/pending"
)

const (
	// notePatience is how long the sender of a message waits for what is foretold of it, once the network has taken it.
	notePatience = 250 * time.Millisecond
	// noteTime bounds the writing of a note, which must not end with the request: the message is on its way.
	noteTime = 2 * time.Second
	// largestContent is the size, in bytes, up to which foretold transactions are kept with their message.
	largestContent = 1 << 20
)

// note is what is to be kept of a message that is being sent.
type note struct {
	oracle  *oracle
	message *chain.PendingMessage
	told    chan *foretold // one answer; nil when nothing could be foretold
}

// note begins to foretell a message, while the network is given it. It is nil where nothing is foretold, and before the
// first block is indexed.
func (o *oracle) note(ctx context.Context, m *chain.PendingMessage, root, body *cell.Cell) *note {
	if o == nil {
		return nil
	}
	v, err := o.view(ctx, nil)
	if err != nil {
		o.svc.opts.Logger.Warn("a message is sent without being foretold", "message", m.HashNorm, "err", err)
		return nil
	}
	m.SentUtime, m.McSeqno = v.master.GenUtime, v.master.Seqno
	m.ExpireUtime = pending.Expiry(body, m.SentUtime)
	n := &note{oracle: o, message: m, told: make(chan *foretold, 1)}
	select {
	case o.waiting <- struct{}{}:
	default: // too many at once
		n.told <- nil
		return n
	}
	o.running.Go(func() {
		defer func() { <-o.waiting }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), foretellTime)
		defer cancel()
		f, err := o.message(ctx, v, m.Hash, m.Account, root)
		if err != nil {
			o.svc.opts.Logger.Warn("a message was not foretold", "message", m.HashNorm, "err", err)
		}
		n.told <- f
	})
	return n
}

// keep writes the note down, with what is foretold if that is known by now. The message is sent whatever becomes of the
// note, so a note that is lost is a line in the log.
func (n *note) keep(ctx context.Context) {
	if n == nil {
		return
	}
	m := n.message
	m.Accounts = []chain.Address{m.Account}
	patience := time.NewTimer(notePatience)
	defer patience.Stop()
	select {
	case f := <-n.told:
		if f != nil && f.trace != nil {
			for i := range f.trace.Transactions {
				m.Accounts = append(m.Accounts, f.trace.Transactions[i].Account)
			}
			slices.SortFunc(m.Accounts, chain.Address.Compare)
			m.Accounts = slices.Compact(m.Accounts)
			if content := cell.ToBOCWithOptions(f.raw, cell.BOCSerializeOptions{}); len(content) <= largestContent {
				m.Content = content
			}
		}
	case <-patience.C:
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if err := n.oracle.store.KeepPending(ctx, m); err != nil {
		n.oracle.svc.opts.Logger.Error("a message that was sent is not noted", "message", m.HashNorm, "err", err)
	}
}
