package feed

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/loaders"
)

// readTimeout bounds a read that is shared by streams; it is not cancelled with the stream that started it.
const readTimeout = 10 * time.Second

// Batch is the rows of consecutive masterchain blocks, each kind read on first use. Lists are in the order of their feed and
// must not be changed.
type Batch struct {
	Within chain.SeqnoRange
	// Loaders read related objects of events, once for all subscribers.
	Loaders *loaders.Set

	index      *store.Reader
	remembered memory // of shared responses to its events

	blocks       lazy[*List[chain.Block]]
	transactions lazy[*List[chain.Transaction]]
	received     lazy[map[chain.MessageKey]*chain.Message]
	messages     lazy[*List[Message]]
	states       lazy[*List[State]]
	traces       lazy[*List[chain.Trace]]
	parties      lazy[map[chain.Hash][]chain.Address]
	actions      lazy[*List[chain.Action]]
}

// Message is a message with the masterchain block of its event: that of the transaction that sent it, or, for a message that
// no transaction sent, of the one that received it.
type Message struct {
	chain.Message

	McSeqno uint32
}

// State is the state that an account had after a masterchain block.
type State struct {
	chain.AccountState

	McSeqno uint32
}

func newBatch(index *store.Reader, within chain.SeqnoRange, all *atomic.Int64) *Batch {
	return &Batch{Within: within, index: index, Loaders: loaders.New(index), remembered: memory{all: all}}
}

func detach(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
}

// read is get with a context that is independent of the stream.
func read[T any](ctx context.Context, l *lazy[T], produce func(ctx context.Context) (T, error)) (T, error) {
	return l.get(func() (T, error) {
		ctx, cancel := detach(ctx)
		defer cancel()
		return produce(ctx)
	})
}

// Blocks are all blocks that were committed, the masterchain's own among them.
func (b *Batch) Blocks(ctx context.Context) (*List[chain.Block], error) {
	return read(ctx, &b.blocks, func(ctx context.Context) (*List[chain.Block], error) {
		seqnos := make([]uint32, 0, b.Within.Len())
		for s := b.Within.First; s <= b.Within.Last; s++ {
			seqnos = append(seqnos, s)
		}
		found, err := b.index.BlocksOfMasterchain(ctx, seqnos)
		if err != nil {
			return nil, err //nolint:wrapcheck // the store's error names the query
		}
		var all []chain.Block
		for _, s := range seqnos {
			all = append(all, found[s]...)
		}
		return listOf(b, all, func(r *chain.Block) any { return r }), nil
	})
}

// Transactions are all transactions of these blocks.
func (b *Batch) Transactions(ctx context.Context) (*List[chain.Transaction], error) {
	return read(ctx, &b.transactions, func(ctx context.Context) (*List[chain.Transaction], error) {
		rows, err := b.index.TransactionsOfMasterchain(ctx, b.Within)
		return listOf(b, rows, func(t *chain.Transaction) any { return t }), err //nolint:wrapcheck // as above
	})
}

// Received are the in-messages of the transactions.
func (b *Batch) Received(ctx context.Context) (map[chain.MessageKey]*chain.Message, error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	txs := list.Rows
	return read(ctx, &b.received, func(ctx context.Context) (map[chain.MessageKey]*chain.Message, error) {
		var keys []chain.MessageKey
		for i := range txs {
			if txs[i].InMsg != nil {
				keys = append(keys, *txs[i].InMsg)
			}
		}
		rows, err := b.index.MessagesByKey(ctx, keys)
		if err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		found := make(map[chain.MessageKey]*chain.Message, len(rows))
		for i := range rows {
			found[rows[i].Key] = &rows[i]
		}
		return found, nil
	})
}

// Messages are those that the transactions sent, and those that came from outside or from the system.
func (b *Batch) Messages(ctx context.Context) (*List[Message], error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	txs := list.Rows
	received, err := b.Received(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, &b.messages, func(ctx context.Context) (*List[Message], error) {
		keys := make([]chain.TransactionKey, 0, len(txs))
		for i := range txs {
			if txs[i].OutMsgCount > 0 {
				keys = append(keys, txs[i].Key())
			}
		}
		sent, err := b.index.MessagesSentBy(ctx, keys)
		if err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		var all []Message
		for i := range txs {
			tx := &txs[i]
			if tx.InMsg != nil && tx.InMsg.Account == tx.Account && tx.InMsg.LT == tx.LT && received[*tx.InMsg] != nil {
				all = append(all, Message{*received[*tx.InMsg], tx.McSeqno})
			}
			for _, m := range sent[tx.Key()] {
				all = append(all, Message{m, tx.McSeqno})
			}
		}
		return listOf(b, all, func(m *Message) any { return &m.Message }), nil
	})
}

// States are the states of all accounts that had transactions, each once for each masterchain block: the last one.
func (b *Batch) States(ctx context.Context) (*List[State], error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	txs := list.Rows
	return read(ctx, &b.states, func(ctx context.Context) (*List[State], error) {
		type place struct {
			account chain.Address
			seqno   uint32
		}
		last := map[place]chain.TransactionKey{}
		for i := range txs { // ascending, so the last one stays
			last[place{txs[i].Account, txs[i].McSeqno}] = txs[i].Key()
		}
		keys, seqnos := make([]chain.TransactionKey, 0, len(last)), make(map[chain.TransactionKey]uint32, len(last))
		for p, key := range last {
			keys, seqnos[key] = append(keys, key), p.seqno
		}
		slices.SortFunc(keys, func(x, y chain.TransactionKey) int {
			return cmp.Or(cmp.Compare(x.LT, y.LT), x.Account.Compare(y.Account))
		})
		rows, err := b.index.AccountStatesAt(ctx, keys)
		if err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		all := make([]State, len(rows))
		for i := range rows {
			all[i] = State{rows[i], seqnos[chain.TransactionKey{Account: rows[i].Account, LT: rows[i].LT}]}
		}
		return listOf(b, all, func(s *State) any { return &s.AccountState }), nil
	})
}

// page is how many rows of a list are read at once.
const page = 1000

// Traces are the complete traces whose last transaction these blocks committed.
func (b *Batch) Traces(ctx context.Context) (*List[chain.Trace], error) {
	return read(ctx, &b.traces, func(ctx context.Context) (*List[chain.Trace], error) {
		rows, err := listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Trace, error) {
			return b.index.Traces(ctx, chain.TraceFilter{McSeqno: &seqno}, p) //nolint:wrapcheck // as above
		})
		return listOf(b, rows, func(t *chain.Trace) any { return t }), err
	})
}

// Parties are the accounts that have a transaction in each trace. Traces that are too large to be
// returned completely have none.
func (b *Batch) Parties(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
	traces, err := b.Traces(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, &b.parties, func(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
		return b.index.AccountsOfTraces(ctx, traces.Rows) //nolint:wrapcheck // as above
	})
}

// Actions are the actions of these traces, those of every type.
func (b *Batch) Actions(ctx context.Context) (*List[chain.Action], error) {
	return read(ctx, &b.actions, func(ctx context.Context) (*List[chain.Action], error) {
		every := chain.ActionFilter{}.EveryType()
		all, err := listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Action, error) {
			f := every
			f.McSeqno = &seqno
			return b.index.Actions(ctx, f, p) //nolint:wrapcheck // as above
		})
		return listOf(b, all, func(a *chain.Action) any { return a }), err
	})
}

// listed reads a list of each masterchain block to its end.
func listed[T any, P interface {
	*T
	chain.Positioned
}](ctx context.Context, b *Batch, list func(context.Context, uint32, chain.Page) ([]T, error)) ([]T, error) {
	var all []T
	for seqno := b.Within.First; seqno <= b.Within.Last; seqno++ {
		p := chain.Page{Limit: page, Sort: chain.Ascending}
		for {
			rows, err := list(ctx, seqno, p)
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
			if len(rows) < page {
				break
			}
			c := P(&rows[len(rows)-1]).Cursor()
			p.After = &c
		}
	}
	return all, nil
}
