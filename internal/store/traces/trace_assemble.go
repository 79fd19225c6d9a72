package traces

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

// How traces are assembled.
//
// A transaction belongs to a trace as soon as the trace's root is indexed, and never changes it. The in-message alone
// decides whether a transaction is a root. Any other transaction takes the trace of the transaction that sent its
// in-message; where that one is not indexed, or has no trace itself, it has none for the time being. So blocks in order
// give each transaction its trace as it is written. When a block brings the sender of messages whose receivers came
// before it, the trace spreads to everything that they caused: one walk, once for each transaction, whatever the order
// of blocks.
//
// A trace's row is the sum of its transactions. It is complete when every message to an account has been received; then
// its accounts and actions are written, too, in the database transaction that completed it.

// Step assembles the traces of a batch, in two phases: Assemble before rows are written, Write after all other steps.
type Step struct {
	*batch.Batch

	Open   *OpenCache
	Tables TableWriter

	received map[chain.TransactionKey]*chain.Message   // in-messages of the batch's transactions
	sent     map[chain.TransactionKey][]*chain.Message // their out-messages
	Parents  map[chain.MessageKey]chain.Hash           // messages of the batch that were sent earlier: the sender's trace
	Children map[chain.MessageKey]chain.TransactionKey // messages of the batch that were received by blocks indexed before

	Of      map[chain.TransactionKey]*Assembly // the trace of each of the batch's transactions that has one
	Touched map[chain.Hash]*Assembly
	spreads []start
}

// Assembly is a trace that a batch begins or continues.
type Assembly struct {
	chain.Trace

	stored bool // it has a row
	// full is set while content holds all transactions of the trace; otherwise they are read when they are needed.
	full    bool
	Content []chain.TraceTransaction
	// fresh are the transactions that the batch adds.
	fresh []chain.TraceTransaction
	// counted is the last masterchain block of which the row counts transactions.
	counted uint32
	// doubtful is set when the row may already count a transaction that is written now.
	doubtful bool
}

func (a *Assembly) add(now, mcSeqno uint32, lt uint64, outs, logs int) {
	a.Transactions++
	a.Messages += logs + 1
	a.PendingMessages += outs - 1
	a.EndLT, a.EndUtime, a.McSeqnoEnd = max(a.EndLT, lt), max(a.EndUtime, now), max(a.McSeqnoEnd, mcSeqno)
}

// begin makes the trace of a root.
func begin(tx *chain.Transaction, in *chain.Message) *Assembly {
	a := &Assembly{full: true, Trace: chain.Trace{
		ID: tx.Hash, Root: tx.Key(), StartLT: tx.LT, StartUtime: tx.Now, McSeqnoStart: tx.McSeqno, PendingMessages: 1,
	}}
	if in == nil {
		a.Messages = -1
		return a
	}
	hash := in.Hash
	a.ExternalHash = &hash
	if in.HashNorm != nil {
		norm := *in.HashNorm
		a.ExternalHashNorm = &norm
	}
	return a
}

// isRoot reports whether a trace begins with the transaction that received the message.
func isRoot(in *chain.Message) bool {
	return in == nil || in.Kind == chain.ExternalIn || in.Source != nil && *in.Source == chain.SystemAddress
}

// Assemble finds the traces of the batch's transactions, as far as they can be found before rows are written. messages
// are all messages of the batch.
func (t *Step) Assemble(ctx context.Context, messages ...[]*chain.Message) error {
	t.received, t.sent = map[chain.TransactionKey]*chain.Message{}, map[chain.TransactionKey][]*chain.Message{}
	t.Of, t.Touched, t.spreads = map[chain.TransactionKey]*Assembly{}, map[chain.Hash]*Assembly{}, nil
	t.sortMessages(messages)
	if err := t.resume(ctx); err != nil {
		return err
	}
	for _, tx := range causally(t.Blocks) {
		t.place(tx)
	}
	return nil
}

func (t *Step) sortMessages(messages [][]*chain.Message) {
	for _, list := range messages {
		for _, msg := range list {
			if msg.ReceivedBy != nil && msg.Destination != nil {
				t.received[chain.TransactionKey{Account: *msg.Destination, LT: msg.ReceivedBy.LT}] = msg
			}
			if msg.SentBy != nil && msg.Source != nil {
				sender := chain.TransactionKey{Account: *msg.Source, LT: msg.SentBy.LT}
				t.sent[sender] = append(t.sent[sender], msg)
			}
		}
	}
	for _, list := range t.sent {
		slices.SortFunc(list, func(a, b *chain.Message) int { return cmp.Compare(a.Key.LT, b.Key.LT) })
	}
}

// causally lists transactions so that each comes after the one that caused it.
func causally(blocks []*chain.MasterBlock) []*chain.Transaction {
	var all []*chain.Transaction
	for _, mb := range blocks {
		for i := range mb.Transactions {
			all = append(all, &mb.Transactions[i])
		}
	}
	slices.SortFunc(all, func(a, b *chain.Transaction) int { return cmp.Compare(a.LT, b.LT) })
	return all
}

// resume finds the traces that the batch continues, in memory or in the database.
func (t *Step) resume(ctx context.Context) error {
	var missing []chain.Hash
	for _, id := range t.Parents {
		if t.Touched[id] != nil {
			continue
		}
		if cached := t.Open.get(id); cached != nil {
			cached.counted = cached.McSeqnoEnd
			t.Touched[id] = cached
			continue
		}
		missing = append(missing, id)
	}
	missing = sqlbuild.Unique(missing)
	if len(missing) == 0 {
		return nil
	}
	rows, err := readTraces(ctx, t.Tx, missing)
	if err != nil {
		return err
	}
	for i := range rows {
		t.Touched[rows[i].ID] = &Assembly{Trace: rows[i], stored: true, counted: rows[i].McSeqnoEnd}
	}
	return nil
}

func readTraces(ctx context.Context, tx pgx.Tx, ids []chain.Hash) ([]chain.Trace, error) {
	rows, err := tx.Query(ctx, TextsAlone.ByID, sqlbuild.HashArray(ids))
	if err != nil {
		return nil, fmt.Errorf("open traces: %w", err)
	}
	traces, err := sqlbuild.ReadAll(rows, len(ids), ScanTrace)
	if err != nil {
		return nil, fmt.Errorf("open traces: %w", err)
	}
	return traces, nil
}

// place adds a transaction to its trace, if the trace has been found.
func (t *Step) place(tx *chain.Transaction) {
	in := t.received[tx.Key()]
	var a *Assembly
	switch {
	case isRoot(in) && (in != nil || tx.InMsg == nil):
		a = begin(tx, in)
		t.Touched[a.ID] = a
	case in == nil:
		return // its in-message is not in the batch
	case in.SentBy != nil && in.Source != nil:
		a = t.Of[chain.TransactionKey{Account: *in.Source, LT: in.SentBy.LT}]
	default:
		if id, found := t.Parents[in.Key]; found {
			a = t.Touched[id]
		}
	}
	if a == nil {
		return
	}
	t.Of[tx.Key()] = a
	a.doubtful = a.doubtful || tx.McSeqno <= a.counted
	outs, logs := 0, 0
	for _, m := range t.sent[tx.Key()] {
		if m.Destination == nil {
			logs++
			continue
		}
		outs++
		if child, found := t.Children[m.Key]; found {
			t.spreads = append(t.spreads, start{trace: a.ID, key: child})
		}
	}
	a.add(tx.Now, tx.McSeqno, tx.LT, outs, logs)
	content := chain.TraceTransaction{Transaction: tx, In: in, Out: t.sent[tx.Key()]}
	a.fresh = append(a.fresh, content)
	if a.full && len(a.Content) < chain.MaxTraceTransactions {
		a.Content = append(a.Content, content)
	} else {
		a.full, a.Content = false, nil
	}
}

// Statements that store the trace of earlier indexed transactions, and of their transfers and burns.
const (
	labelTransactions = `UPDATE transactions t SET trace_id = k.trace_id, trace_external_hash = k.external
		FROM unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bytea[]) k(account, lt, trace_id, external)
		WHERE t.account = k.account AND t.lt = k.lt`
	labelOrders = `UPDATE %s t SET trace_id = k.trace_id
		FROM unnest($1::bytea[], $2::bigint[], $3::bytea[]) k(account, lt, trace_id)
		WHERE t.%s = k.account AND t.tx_lt = k.lt`
)

// orderTables are the tables whose rows repeat the trace of their transaction, with the column of its account.
var orderTables = [...][2]string{{"jetton_transfers", "source_wallet"}, {"jetton_burns", "jetton_wallet"}, {"nft_transfers", "nft"}}

// spread adds earlier indexed transactions to the traces of the transactions that caused them. It runs after the rows
// of the batch are written.
func (t *Step) spread(ctx context.Context) error {
	if len(t.spreads) == 0 {
		return nil
	}
	return sumUp(ctx, t.Tx, t.spreads, t.Touched)
}

func label(ctx context.Context, tx pgx.Tx, keys sqlbuild.KeyArrays, traces, externals [][]byte) error {
	b := &pgx.Batch{}
	b.Queue(labelTransactions, keys.Accounts, keys.LTs, traces, externals)
	for _, table := range orderTables {
		b.Queue(fmt.Sprintf(labelOrders, table[0], table[1]), keys.Accounts, keys.LTs, traces)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("traces of earlier transactions: %w", err)
	}
	return nil
}
