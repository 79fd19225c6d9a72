package traces

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// contentsAtOnce is the largest number of transactions that are read together.
const contentsAtOnce = 2 * chain.MaxTraceTransactions

// finishContents finds the transactions of complete traces, and reads those that are not in memory.
func (w *TableWriter) finishContents(ctx context.Context, tx pgx.Tx, complete []*Completion) error {
	var scattered []*Completion
	byID := map[chain.Hash]*Completion{}
	var roots []start
	for _, t := range complete {
		if t.full {
			for i := range t.Content {
				t.Nodes = append(t.Nodes, t.Content[i].Key())
			}
			t.sortNodes()
			continue
		}
		byID[t.ID] = t
		scattered = append(scattered, t)
		roots = append(roots, start{trace: t.ID, key: t.Root})
	}
	if len(scattered) == 0 {
		return nil
	}
	nodes, err := walk(ctx, tx, roots)
	if err != nil {
		return err
	}
	for i := range nodes {
		t := byID[nodes[i].trace]
		t.Nodes = append(t.Nodes, nodes[i].key)
	}
	var batch []*Completion
	size := 0
	for _, t := range scattered {
		t.sortNodes()
		if len(t.Nodes) > chain.MaxTraceTransactions {
			continue
		}
		if size+len(t.Nodes) > contentsAtOnce {
			if err := w.readContents(ctx, tx, batch); err != nil {
				return err
			}
			batch, size = nil, 0
		}
		batch, size = append(batch, t), size+len(t.Nodes)
	}
	return w.readContents(ctx, tx, batch)
}

func (t *Completion) sortNodes() {
	sortKeys(t.Nodes)
	slices.SortFunc(t.Content, func(a, b chain.TraceTransaction) int {
		return cmp.Or(cmp.Compare(a.LT, b.LT), a.Account.Compare(b.Account))
	})
}

// readContents reads the transactions and messages of traces whose nodes are known.
func (w *TableWriter) readContents(ctx context.Context, tx pgx.Tx, batch []*Completion) error {
	if len(batch) == 0 {
		return nil
	}
	keys := sqlbuild.NewKeyArrays(0)
	for _, t := range batch {
		for i := range t.Nodes {
			keys.Add(&t.Nodes[i].Account, t.Nodes[i].LT)
		}
	}
	rows, err := tx.Query(ctx, transactions.SelectTransactionsByKey, keys.Accounts, keys.LTs)
	if err != nil {
		return fmt.Errorf("transactions of traces: %w", err)
	}
	txs, err := transactions.ReadAll(ctx, tx, w.Dictionaries, rows, keys.Len())
	if err != nil {
		return fmt.Errorf("transactions of traces: %w", err)
	}
	full, err := w.withMessages(ctx, tx, txs)
	if err != nil {
		return err
	}
	contents := contentsOf(full)
	for _, t := range batch {
		t.Content = make([]chain.TraceTransaction, 0, len(t.Nodes))
		for _, k := range t.Nodes {
			if c, ok := contents[k]; ok {
				t.Content = append(t.Content, c)
			}
		}
	}
	return nil
}

// withMessages returns transactions with their messages, without states.
func (w *TableWriter) withMessages(ctx context.Context, tx pgx.Tx, txs []chain.Transaction) ([]chain.FullTransaction, error) {
	var messages transactions.Messages
	if err := messages.Read(ctx, txs); err != nil {
		return nil, fmt.Errorf("messages of transactions: %w", err)
	}
	b := &pgx.Batch{}
	messages.Queue(b, w.Dictionaries)
	if b.Len() > 0 {
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return nil, fmt.Errorf("messages of transactions: %w", err)
		}
	}
	full, err := messages.Assemble(ctx, func() sqlbuild.Queryer { return tx })
	if err != nil {
		return nil, fmt.Errorf("messages of transactions: %w", err)
	}
	return full, nil
}

func contentsOf(full []chain.FullTransaction) map[chain.TransactionKey]chain.TraceTransaction {
	contents := make(map[chain.TransactionKey]chain.TraceTransaction, len(full))
	for i := range full {
		f := &full[i]
		c := chain.TraceTransaction{Transaction: &f.Transaction, In: f.InMessage}
		for k := range f.OutMessages {
			c.Out = append(c.Out, &f.OutMessages[k])
		}
		contents[f.Key()] = c
	}
	return contents
}

// classify derives the actions of complete traces.
func classify(ctx context.Context, tx pgx.Tx, classifier chain.TraceClassifier, ranges []chain.SeqnoRange, complete []*Completion) error {
	if classifier == nil {
		return nil
	}
	const atOnce = 256
	for batch := range slices.Chunk(complete, atOnce) {
		if err := classifyBatch(ctx, tx, classifier, ranges, batch); err != nil {
			return err
		}
	}
	return nil
}

func classifyBatch(ctx context.Context, tx pgx.Tx, classifier chain.TraceClassifier, ranges []chain.SeqnoRange, batch []*Completion) error {
	readings := make([]chain.TraceReading, len(batch))
	records := map[chain.Hash]chain.TraceRecords{}
	for i, t := range batch {
		t.Classification, t.actions = chain.Unclassified, nil
		if len(t.Nodes) <= chain.MaxTraceTransactions && len(t.Content) == len(t.Nodes) {
			readings[i] = classifier.Read(&chain.TraceContent{Trace: t.Trace, Transactions: t.Content})
			records[t.ID] = chain.TraceRecords{}
		}
	}
	for range chain.RecordRounds {
		requests := &RecordRequests{}
		for i, t := range batch {
			if readings[i] != nil {
				requests.Add(&t.Trace, readings[i].Accounts(records[t.ID]), readings[i].NeedsData(), records[t.ID])
			}
		}
		if err := requests.Read(ctx, tx, records); err != nil {
			return err
		}
	}
	for i, t := range batch {
		if readings[i] == nil {
			continue
		}
		var err error
		t.set, t.wanted = classifier.Version(), t.wants(ranges, records[t.ID])
		t.actions, err = readings[i].Classify(records[t.ID])
		if err != nil {
			t.Classification, t.actions = chain.ClassificationFailed, nil
			continue
		}
		t.Classification = chain.Classified
		slices.SortFunc(t.actions, func(a, b chain.Action) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	}
	return nil
}
