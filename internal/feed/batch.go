package feed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/loaders"
)

// readTimeout bounds a reading that others wait for; it does not end with the stream that needed it first.
const readTimeout = 10 * time.Second

// Batch is what a run of masterchain blocks brought, each kind read when it is needed first. Lists are in the order of
// their feed and are not to be changed.
type Batch struct {
	Within chain.SeqnoRange
	// Loaders read what events lead to, once for all who ask.
	Loaders *loaders.Set

	index  *store.Reader
	shared answers

	blocks       lazy[[]chain.Block]
	transactions lazy[[]chain.Transaction]
	received     lazy[map[chain.MessageKey]*chain.Message]
	messages     lazy[[]Message]
	states       lazy[[]State]
	traces       lazy[[]chain.Trace]
	parties      lazy[map[chain.Hash][]chain.Address]
	actions      lazy[[]chain.Action]
}

// Message is a message with the masterchain block that tells of it: of the transaction that sent it, or, for a message
// that no transaction sent, of the one that received it.
type Message struct {
	chain.Message

	McSeqno uint32
}

// State is the state that an account had after a masterchain block.
type State struct {
	chain.AccountState

	McSeqno uint32
}

func newBatch(index *store.Reader, within chain.SeqnoRange) *Batch {
	return &Batch{Within: within, index: index, Loaders: loaders.New(index)}
}

func detach(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
}

// read is get with a context that outlives the stream.
func read[T any](ctx context.Context, l *lazy[T], produce func(ctx context.Context) (T, error)) (T, error) {
	return l.get(func() (T, error) {
		ctx, cancel := detach(ctx)
		defer cancel()
		return produce(ctx)
	})
}

// Blocks are all blocks that were committed, the masterchain's own among them.
func (b *Batch) Blocks(ctx context.Context) ([]chain.Block, error) {
	return read(ctx, &b.blocks, func(ctx context.Context) ([]chain.Block, error) {
		seqnos := make([]uint32, 0, b.Within.Len())
		for s := b.Within.First; s <= b.Within.Last; s++ {
			seqnos = append(seqnos, s)
		}
		found, err := b.index.BlocksOfMasterchain(ctx, seqnos)
		if err != nil {
			return nil, err //nolint:wrapcheck // the store has named what was asked
		}
		var all []chain.Block
		for _, s := range seqnos {
			all = append(all, found[s]...)
		}
		slices.SortStableFunc(all, func(x, y chain.Block) int { return compare(x.EventCursor(), y.EventCursor()) })
		return all, nil
	})
}

// Transactions are all transactions of these blocks.
func (b *Batch) Transactions(ctx context.Context) ([]chain.Transaction, error) {
	return read(ctx, &b.transactions, func(ctx context.Context) ([]chain.Transaction, error) {
		return b.index.TransactionsOfMasterchain(ctx, b.Within) //nolint:wrapcheck // as above
	})
}

// Received are the in-messages of the transactions.
func (b *Batch) Received(ctx context.Context) (map[chain.MessageKey]*chain.Message, error) {
	txs, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
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
func (b *Batch) Messages(ctx context.Context) ([]Message, error) {
	txs, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	received, err := b.Received(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, &b.messages, func(ctx context.Context) ([]Message, error) {
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
		slices.SortFunc(all, func(x, y Message) int { return compare(x.EventCursor(), y.EventCursor()) })
		return all, nil
	})
}

// States are the states of all accounts that had transactions, each once for each masterchain block: the last one.
func (b *Batch) States(ctx context.Context) ([]State, error) {
	txs, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, &b.states, func(ctx context.Context) ([]State, error) {
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
		slices.SortFunc(all, func(x, y State) int { return compare(x.EventCursor(), y.EventCursor()) })
		return all, nil
	})
}

// page is how many rows of a list are read at once.
const page = 1000

// Traces are the complete traces whose last transaction these blocks committed.
func (b *Batch) Traces(ctx context.Context) ([]chain.Trace, error) {
	return read(ctx, &b.traces, func(ctx context.Context) ([]chain.Trace, error) {
		return listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Trace, error) {
			return b.index.Traces(ctx, chain.TraceFilter{McSeqno: &seqno}, p) //nolint:wrapcheck // as above
		})
	})
}

// Parties are the accounts that have a transaction in each trace. Of traces that are too large to be shown as a whole
// there are none.
func (b *Batch) Parties(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
	traces, err := b.Traces(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, &b.parties, func(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
		return b.index.AccountsOfTraces(ctx, traces) //nolint:wrapcheck // as above
	})
}

// Actions are the actions of these traces, those of every type.
func (b *Batch) Actions(ctx context.Context) ([]chain.Action, error) {
	return read(ctx, &b.actions, func(ctx context.Context) ([]chain.Action, error) {
		every := chain.ActionFilter{Types: chain.ExpandActionTypes([]string{chain.LatestActionTypes, "tgbtc"}), Supported: []string{}}
		all, err := listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Action, error) {
			f := every
			f.McSeqno = &seqno
			return b.index.Actions(ctx, f, p) //nolint:wrapcheck // as above
		})
		slices.SortFunc(all, func(x, y chain.Action) int { return compare(x.EventCursor(), y.EventCursor()) })
		return all, err
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

// EventCursor is the message's position in the feed of messages.
func (m *Message) EventCursor() chain.Cursor {
	return chain.Cursor{Noun: chain.MessageFeed, McSeqno: m.McSeqno, Major: m.Key.LT, Minor: string(m.Key.Account.Bytes())}
}

// EventCursor is the state's position in the feed of states.
func (s *State) EventCursor() chain.Cursor {
	return chain.Cursor{Noun: chain.AccountStateFeed, McSeqno: s.McSeqno, Major: s.LT, Minor: string(s.Account.Bytes())}
}

// compare is the order of a feed.
func compare(x, y chain.Cursor) int {
	return cmp.Or(cmp.Compare(x.McSeqno, y.McSeqno), cmp.Compare(x.Major, y.Major), cmp.Compare(x.Minor, y.Minor))
}
