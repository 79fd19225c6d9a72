package feed

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/readers"
)

// readTimeout bounds a read that several streams wait for. The read does not end with the stream that started it.
const readTimeout = 10 * time.Second

// Batch is the rows that a range of masterchain blocks committed. Each kind is read when it is first needed. Lists are in
// the order of their feed and must not be modified.
type Batch struct {
	Within chain.SeqnoRange
	// Emulated are the versions of pending traces that the events refer to and the index does not have, newest first; nil
	// for a batch of blocks.
	Emulated []*chain.FullTrace

	index  *store.Reader
	update *TraceUpdate // nil for a batch of blocks
	cache  memory       // of the responses to its events

	once   sync.Once
	shared any

	blocks       lazy[*List[chain.Block]]
	transactions lazy[*List[chain.Transaction]]
	complete     lazy[[]chain.FullTransaction]
	received     lazy[map[chain.MessageKey]*chain.Message]
	messages     lazy[*List[Message]]
	states       lazy[*List[State]]
	wallets      lazy[[]chain.JettonWallet]
	traces       lazy[*List[chain.Trace]]
	parties      lazy[map[chain.Hash][]chain.Address]
	actions      lazy[*List[chain.Action]]
}

// Message is a message with the seqno of the masterchain block that committed the transaction which sent it, or, for a
// message without a sending transaction, the one which received it.
type Message struct {
	chain.Message

	McSeqno uint32
}

// State is the state of an account after a masterchain block.
type State struct {
	chain.AccountState

	McSeqno uint32
}

func newBatch(index *store.Reader, within chain.SeqnoRange, all *atomic.Int64) *Batch {
	return &Batch{Within: within, index: index, cache: memory{all: all}}
}

// Shared returns the value that create returns for the batch. create is called once, for the first caller; all callers
// share the value.
func (b *Batch) Shared(create func(*Batch) any) any {
	b.once.Do(func() { b.shared = create(b) })
	return b.shared
}

// detach returns a context that does not end with ctx but after readTimeout, and has no limit of a request.
func detach(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(readers.Unlimited(context.WithoutCancel(ctx)), readTimeout)
}

// read returns the value of l, produced in a context that does not end with the stream, from a reader that has the blocks of the batch. It fails
// with RangeDropped when the index retains them no longer.
func read[T any](ctx context.Context, b *Batch, l *lazy[T], produce func(ctx context.Context) (T, error)) (T, error) {
	return l.get(func() (T, error) {
		ctx, cancel := detach(ctx)
		defer cancel()
		var v T
		err := readers.Try(ctx, b.Within.Last, nil, func(ctx context.Context) (err error) {
			v, err = produce(ctx)
			return err
		})
		if err == nil {
			err = dropped(ctx, b.index, b.Within.First) // after the rows were read
		}
		return v, err //nolint:wrapcheck // of produce
	})
}

// Blocks returns all committed blocks, including the masterchain blocks.
func (b *Batch) Blocks(ctx context.Context) (*List[chain.Block], error) {
	return read(ctx, b, &b.blocks, func(ctx context.Context) (*List[chain.Block], error) {
		seqnos := make([]uint32, 0, b.Within.Len())
		for s := b.Within.First; s <= b.Within.Last; s++ {
			seqnos = append(seqnos, s)
		}
		found, err := b.index.BlocksOfMasterchain(ctx, seqnos)
		if err != nil {
			return nil, err //nolint:wrapcheck // the store names the query
		}
		var all []chain.Block
		for _, s := range seqnos {
			all = append(all, found[s]...)
		}
		return listOf(b, all, func(r *chain.Block) any { return r }), nil
	})
}

// Transactions returns all transactions of the blocks.
func (b *Batch) Transactions(ctx context.Context) (*List[chain.Transaction], error) {
	return read(ctx, b, &b.transactions, func(ctx context.Context) (*List[chain.Transaction], error) {
		rows, err := b.index.TransactionsOfMasterchain(ctx, b.Within)
		return listOf(b, rows, func(t *chain.Transaction) any { return t }), err //nolint:wrapcheck // as above
	})
}

// Pending returns the newest version of the pending trace of which the batch is an update; nil once its transactions are those of blocks. update is
// false for a batch of blocks.
func (b *Batch) Pending() (t *chain.FullTrace, update bool) {
	if b.update == nil {
		return nil, false
	}
	return b.update.now, true
}

// FullTransactions returns the transactions with their messages. They have of the account states only the hashes.
func (b *Batch) FullTransactions(ctx context.Context) ([]chain.FullTransaction, error) {
	return b.full(ctx)
}

// JettonWallets returns the Jetton wallets among the accounts with transactions, as they are now: the blocks or later ones changed them.
func (b *Batch) JettonWallets(ctx context.Context) ([]chain.JettonWallet, error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, b, &b.wallets, func(ctx context.Context) (all []chain.JettonWallet, err error) {
		seen, accounts := map[chain.Address]bool{}, []chain.Address{}
		for i := range list.Rows {
			if a := list.Rows[i].Account; !seen[a] {
				seen[a] = true
				accounts = append(accounts, a)
			}
		}
		for chunk := range slices.Chunk(accounts, page) {
			rows, err := b.index.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: chunk}, chain.Page{Limit: len(chunk)})
			if err != nil {
				return nil, err //nolint:wrapcheck // as above
			}
			all = append(all, rows...)
		}
		return all, nil
	})
}

// full returns the transactions with their messages. The bodies of many large ones are made when they are read, so that they are not in
// memory together.
func (b *Batch) full(ctx context.Context) ([]chain.FullTransaction, error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, b, &b.complete, func(ctx context.Context) ([]chain.FullTransaction, error) {
		return b.index.WithMessages(ctx, list.Rows) //nolint:wrapcheck // as above
	})
}

// Received returns the inbound messages of the transactions by key.
func (b *Batch) Received(ctx context.Context) (map[chain.MessageKey]*chain.Message, error) {
	txs, err := b.full(ctx)
	if err != nil {
		return nil, err
	}
	return b.received.get(func() (map[chain.MessageKey]*chain.Message, error) {
		found := make(map[chain.MessageKey]*chain.Message, len(txs))
		for i := range txs {
			if m := txs[i].InMessage; m != nil {
				found[m.Key] = m
			}
		}
		return found, nil
	})
}

// Messages returns the messages that the transactions sent, and the received messages that no transaction sent.
func (b *Batch) Messages(ctx context.Context) (*List[Message], error) {
	txs, err := b.full(ctx)
	if err != nil {
		return nil, err
	}
	return b.messages.get(func() (*List[Message], error) {
		var all []Message
		for i := range txs {
			tx := &txs[i]
			if m := tx.InMessage; m != nil && m.Key.Account == tx.Account && m.Key.LT == tx.LT {
				all = append(all, Message{*m, tx.McSeqno})
			}
			for j := range tx.OutMessages {
				all = append(all, Message{tx.OutMessages[j], tx.McSeqno})
			}
		}
		return listOf(b, all, func(m *Message) any { return &m.Message }), nil
	})
}

// States returns the states of all accounts with transactions: the last one for each masterchain block.
func (b *Batch) States(ctx context.Context) (*List[State], error) {
	list, err := b.Transactions(ctx)
	if err != nil {
		return nil, err
	}
	txs := list.Rows
	return read(ctx, b, &b.states, func(ctx context.Context) (*List[State], error) {
		type position struct {
			account chain.Address
			seqno   uint32
		}
		last := map[position]chain.TransactionKey{}
		for i := range txs { // ascending, so the last one remains
			last[position{txs[i].Account, txs[i].McSeqno}] = txs[i].Key()
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

// page is the number of rows that are read at once.
const page = 1000

// Traces returns the complete traces whose last transaction these blocks committed.
func (b *Batch) Traces(ctx context.Context) (*List[chain.Trace], error) {
	return read(ctx, b, &b.traces, func(ctx context.Context) (*List[chain.Trace], error) {
		rows, err := listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Trace, error) {
			return b.index.Traces(ctx, chain.TraceFilter{McSeqno: &seqno}, p) //nolint:wrapcheck // as above
		})
		return listOf(b, rows, func(t *chain.Trace) any { return t }), err
	})
}

// Parties returns the accounts with a transaction in each trace, by trace. Traces that are too large to be returned
// completely are missing.
func (b *Batch) Parties(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
	traces, err := b.Traces(ctx)
	if err != nil {
		return nil, err
	}
	return read(ctx, b, &b.parties, func(ctx context.Context) (map[chain.Hash][]chain.Address, error) {
		return b.index.AccountsOfTraces(ctx, traces.Rows) //nolint:wrapcheck // as above
	})
}

// LargeParties returns, for each of the traces that are missing in [Batch.Parties] because they have too many transactions, which of the accounts have
// one. It is read for each call: such traces have any number of accounts.
func (b *Batch) LargeParties(ctx context.Context, among []chain.Address) (map[chain.Hash][]chain.Address, error) {
	if b.update != nil || len(among) == 0 {
		return nil, nil
	}
	traces, err := b.Traces(ctx)
	if err != nil {
		return nil, err
	}
	var large []chain.Hash
	for i := range traces.Rows {
		if t := &traces.Rows[i]; t.Transactions > chain.MaxTraceTransactions {
			large = append(large, t.ID)
		}
	}
	if len(large) == 0 {
		return nil, nil
	}
	return b.index.AccountsOfLargeTraces(ctx, large, among) //nolint:wrapcheck // the store names the query
}

// maxOwn bounds the transactions that [Batch.OwnTransactions] returns, and maxOwnPages the pages of the accounts' transactions that it reads.
const (
	maxOwn      = chain.MaxTraceTransactions
	maxOwnPages = 50
)

// OwnTransactions returns the transactions of accounts in a trace of the batch that is too large to be read, with their messages; the newest, if there are
// too many.
func (b *Batch) OwnTransactions(ctx context.Context, t *chain.Trace, accounts []chain.Address) ([]chain.FullTransaction, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	var own []chain.Transaction
	p := chain.Page{Limit: page}
	f := chain.TransactionFilter{Accounts: accounts, StartLT: &t.StartLT, EndLT: &t.EndLT}
	for range maxOwnPages {
		rows, err := b.index.Transactions(ctx, f, p)
		if err != nil {
			return nil, err //nolint:wrapcheck // the store names the query
		}
		for i := range rows {
			if id := rows[i].TraceID; id != nil && *id == t.ID && len(own) < maxOwn {
				own = append(own, rows[i])
			}
		}
		if len(rows) < page || len(own) == maxOwn {
			break
		}
		c := rows[len(rows)-1].Cursor()
		p.After = &c
	}
	return b.index.WithMessages(ctx, own) //nolint:wrapcheck // as above
}

// Actions returns the actions of these traces, of all types.
func (b *Batch) Actions(ctx context.Context) (*List[chain.Action], error) {
	return read(ctx, b, &b.actions, func(ctx context.Context) (*List[chain.Action], error) {
		every := chain.ActionFilter{}.EveryType()
		all, err := listed(ctx, b, func(ctx context.Context, seqno uint32, p chain.Page) ([]chain.Action, error) {
			f := every
			f.McSeqno = &seqno
			return b.index.Actions(ctx, f, p) //nolint:wrapcheck // as above
		})
		return listOf(b, all, func(a *chain.Action) any { return a }), err
	})
}

// listed reads all pages of a list for each masterchain block of the batch.
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
