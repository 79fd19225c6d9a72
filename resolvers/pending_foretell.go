package resolvers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/singleflight"

	"tonql/internal/chain"
	"tonql/internal/pending"
)

// Bounds of foretelling one trace, and of what is remembered.
const (
	maxForetold   = 256             // transactions
	foretellTime  = 2 * time.Second // for executing and classifying them
	foretellAtOne = 2               // traces at once
	maxWaiting    = 64              // messages being sent that wait to be foretold; more are foretold when asked for
	keptForetold  = 256             // traces
)

// oracle foretells traces, and remembers what it found as of a block.
type oracle struct {
	*executor
	store   chain.PendingStore
	known   *lru.Cache[chain.Hash, *foretold]
	slots   chan struct{}
	waiting chan struct{}
	calls   singleflight.Group
	running sync.WaitGroup
}

// foretold is what becomes of a trace as of a block. It is shared: read only.
type foretold struct {
	mcSeqno uint32
	indexed int              // transactions that the index had of the trace
	trace   *chain.FullTrace // with all its actions; nil when the message was not accepted or cannot be emulated
	raw     []*cell.Cell     // of the foretold transactions
	refused bool
}

func newOracle(x *executor, store chain.PendingStore) *oracle {
	if store == nil {
		return nil
	}
	return &oracle{
		executor: x, store: store,
		known: kept[chain.Hash, *foretold](keptForetold), slots: make(chan struct{}, foretellAtOne),
		waiting: make(chan struct{}, maxWaiting),
	}
}

// message foretells the trace of an external message of which the index has nothing.
func (o *oracle) message(ctx context.Context, v *view, name chain.Hash, to chain.Address, root *cell.Cell) (*foretold, error) {
	return o.once(ctx, v, name, 0, func(ctx context.Context, w *world) (*foretold, error) {
		err := w.run(ctx, flight{to: to, message: root})
		if err == errUnaccepted || err != nil && chain.KindOf(err) == chain.Invalid { //nolint:errorlint // never wrapped
			return &foretold{refused: true}, nil
		}
		if err != nil && chain.KindOf(err) == chain.TooLarge {
			return &foretold{}, nil // valid for the network, but not emulated here
		}
		if err != nil {
			return nil, err
		}
		f := &foretold{trace: pending.Trace(nil, slices.Clone(w.done)), raw: w.raw}
		return f, o.conclude(ctx, v, f.trace, w)
	})
}

// goOn foretells how a trace goes on of which messages are in flight.
func (o *oracle) goOn(ctx context.Context, v *view, t *chain.Trace) (*foretold, error) {
	return o.once(ctx, v, t.ID, t.Transactions, func(ctx context.Context, w *world) (*foretold, error) {
		full, err := o.svc.index.FullTraces(ctx, []chain.Trace{*t}, chain.TraceInclude{})
		if err != nil || len(full) == 0 {
			return nil, err
		}
		known := &full[0]
		if known.Incomplete() || int64(t.EndUtime)+pending.MaxLifetime < int64(v.master.GenUtime) {
			// What waits so long waits for blocks that the index lacks.
			return &foretold{trace: begun(known)}, nil
		}
		messages, err := o.inFlight(ctx, known)
		if err != nil {
			return nil, err
		}
		if err := w.run(ctx, messages...); err != nil && !unexecuted(err) {
			return nil, err
		}
		f := &foretold{trace: pending.Trace(t, append(slices.Clone(known.Transactions), w.done...))}
		return f, o.conclude(ctx, v, f.trace, w)
	})
}

// once foretells a trace once as of a block, whoever asks. The bounds are those of one trace, not of one request.
func (o *oracle) once(ctx context.Context, v *view, name chain.Hash, indexed int, tell func(context.Context, *world) (*foretold, error)) (*foretold, error) {
	fresh := func() *foretold {
		if f, ok := o.known.Get(name); ok && f.mcSeqno == v.master.Seqno && f.indexed == indexed {
			return f
		}
		return nil
	}
	if f := fresh(); f != nil {
		return f, nil
	}
	key := fmt.Sprintf("%s %d %d", name, v.master.Seqno, indexed)
	return shared(ctx, &o.calls, key, func(ctx context.Context) (*foretold, error) {
		if f := fresh(); f != nil {
			return f, nil
		}
		select {
		case o.slots <- struct{}{}:
			defer func() { <-o.slots }()
		case <-ctx.Done():
			return nil, fmt.Errorf("what becomes of %s: %w", name, ctx.Err())
		}
		ctx, cancel := context.WithTimeout(ctx, foretellTime)
		defer cancel()
		f, err := tell(ctx, o.newWorld(v, maxForetold))
		if err != nil || f == nil {
			return nil, err
		}
		f.mcSeqno, f.indexed = v.master.Seqno, indexed
		o.known.Add(name, f)
		return f, nil
	})
}

// inFlight finds the messages of a trace that wait for their receivers, as they were sent.
func (o *oracle) inFlight(ctx context.Context, t *chain.FullTrace) ([]flight, error) {
	waiting := map[chain.Hash]flight{}
	var senders []chain.TransactionKey
	for i := range t.Transactions {
		tx, some := &t.Transactions[i], false
		for j := range tx.OutMessages {
			m := &tx.OutMessages[j]
			if m.Destination != nil && m.ReceivedBy == nil && m.CreatedLT != nil {
				waiting[m.Hash], some = flight{lt: *m.CreatedLT, to: *m.Destination}, true
			}
		}
		if some {
			senders = append(senders, tx.Key())
		}
	}
	bags, err := o.svc.index.TransactionBOCs(ctx, senders)
	if err != nil {
		return nil, err
	}
	var list []flight
	for _, key := range senders {
		if bags[key] == nil {
			continue // lost between two questions, or never had: the message stays in flight
		}
		cells, err := sentBy(bags[key])
		if err != nil {
			return nil, fmt.Errorf("messages of transaction %s %d: %w", key.Account, key.LT, err)
		}
		for _, c := range cells {
			if f, ok := waiting[chain.Hash(c.HashKey())]; ok {
				f.message = c
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// remember gives what was foretold when a message was sent, from what is kept of it; nil when there is nothing.
func (o *oracle) remember(ctx context.Context, v *view, m *chain.PendingMessage) (*foretold, error) {
	if len(m.Content) == 0 {
		return nil, nil
	}
	roots, err := cell.FromBOCMultiRoot(m.Content)
	if err != nil {
		return nil, fmt.Errorf("what was foretold of message %s: %w", m.HashNorm, err)
	}
	w := o.newWorld(v, len(roots))
	txs := make([]chain.FullTransaction, len(roots))
	for i, root := range roots {
		if txs[i], err = w.read(root, workchainOf(root, m)); err != nil {
			return nil, err
		}
		txs[i].McSeqno = m.McSeqno
	}
	f := &foretold{trace: pending.Trace(nil, txs)}
	return f, o.conclude(ctx, v, f.trace, w)
}

// workchainOf finds the workchain of a transaction, which does not tell it; its account is one of those that are kept.
func workchainOf(root *cell.Cell, m *chain.PendingMessage) int32 {
	if s, err := root.BeginParse(); err == nil {
		_, _ = s.LoadUInt(4) // the tag: whoever reads the transaction looks at it
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

// sentBy lists the messages that a transaction sent, as cells.
func sentBy(transaction chain.BOC) ([]*cell.Cell, error) {
	root, err := cell.FromBOC(transaction)
	if err != nil {
		return nil, err
	}
	var tx tlb.Transaction
	if err := tlb.Parse(&tx, root); err != nil {
		return nil, err
	}
	if tx.IO.Out == nil || tx.IO.Out.List == nil {
		return nil, nil
	}
	items, err := tx.IO.Out.List.LoadAll()
	if err != nil {
		return nil, err
	}
	cells := make([]*cell.Cell, 0, len(items))
	for _, item := range items {
		c, err := item.Value.LoadRefCell()
		if err != nil {
			return nil, err
		}
		cells = append(cells, c)
	}
	return cells, nil
}
