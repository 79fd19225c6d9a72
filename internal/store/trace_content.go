package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// contentsAtOnce bounds the transactions that are read back together.
const contentsAtOnce = 2 * chain.MaxTraceTransactions

// finishContents finds the transactions of complete traces, and reads those that are not in memory.
func finishContents(ctx context.Context, tx pgx.Tx, complete []*completion) error {
	var scattered []*completion
	byID := map[chain.Hash]*completion{}
	var roots []start
	for _, t := range complete {
		if t.whole {
			for i := range t.content {
				t.nodes = append(t.nodes, t.content[i].Key())
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
		t.nodes = append(t.nodes, nodes[i].key)
	}
	var batch []*completion
	size := 0
	for _, t := range scattered {
		t.sortNodes()
		if len(t.nodes) > chain.MaxTraceTransactions {
			continue
		}
		if size+len(t.nodes) > contentsAtOnce {
			if err := readContents(ctx, tx, batch); err != nil {
				return err
			}
			batch, size = nil, 0
		}
		batch, size = append(batch, t), size+len(t.nodes)
	}
	return readContents(ctx, tx, batch)
}

func (t *completion) sortNodes() {
	sortKeys(t.nodes)
	slices.SortFunc(t.content, func(a, b chain.TraceTransaction) int {
		return cmp.Or(cmp.Compare(a.LT, b.LT), a.Account.Compare(b.Account))
	})
}

// readContents reads the transactions and messages of traces whose nodes are known.
func readContents(ctx context.Context, tx pgx.Tx, batch []*completion) error {
	if len(batch) == 0 {
		return nil
	}
	keys := sqlbuild.NewKeyArrays(0)
	for _, t := range batch {
		for i := range t.nodes {
			keys.Add(&t.nodes[i].Account, t.nodes[i].LT)
		}
	}
	rows, err := tx.Query(ctx, selectTransactionsByKey, keys.Accounts, keys.LTs)
	if err != nil {
		return fmt.Errorf("transactions of traces: %w", err)
	}
	txs, err := sqlbuild.ReadAll(rows, keys.Len(), scanTransaction)
	if err != nil {
		return fmt.Errorf("transactions of traces: %w", err)
	}
	parts := partsOf(txs)
	var messages []chain.Message
	b := &pgx.Batch{}
	parts.queueMessages(b, &messages)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("messages of traces: %w", err)
	}
	contents := contentsOf(txs, messages)
	for _, t := range batch {
		t.content = make([]chain.TraceTransaction, 0, len(t.nodes))
		for _, k := range t.nodes {
			if c, ok := contents[k]; ok {
				t.content = append(t.content, c)
			}
		}
	}
	return nil
}

func contentsOf(txs []chain.Transaction, found []chain.Message) map[chain.TransactionKey]chain.TraceTransaction {
	messages := placesOf(found)
	contents := make(map[chain.TransactionKey]chain.TraceTransaction, len(txs))
	for i := range txs {
		c := chain.TraceTransaction{Transaction: &txs[i]}
		if k := txs[i].InMsg; k != nil {
			if place, ok := messages[*k]; ok {
				c.In = &found[place]
			}
		}
		for n := range uint64(txs[i].OutMsgCount) {
			if place, ok := messages[chain.MessageKey{Account: txs[i].Account, LT: txs[i].LT + 1 + n}]; ok {
				c.Out = append(c.Out, &found[place])
			}
		}
		contents[txs[i].Key()] = c
	}
	return contents
}

// classify says what complete traces meant.
func classify(ctx context.Context, tx pgx.Tx, classifier chain.TraceClassifier, ledger []chain.SeqnoRange, complete []*completion) error {
	if classifier == nil {
		return nil
	}
	const atOnce = 256
	for batch := range slices.Chunk(complete, atOnce) {
		if err := classifyBatch(ctx, tx, classifier, ledger, batch); err != nil {
			return err
		}
	}
	return nil
}

func classifyBatch(ctx context.Context, tx pgx.Tx, classifier chain.TraceClassifier, ledger []chain.SeqnoRange, batch []*completion) error {
	readings := make([]chain.TraceReading, len(batch))
	answers := map[chain.Hash]chain.TraceRecords{}
	for i, t := range batch {
		t.Classification, t.actions = chain.Unclassified, nil
		if len(t.nodes) <= chain.MaxTraceTransactions && len(t.content) == len(t.nodes) {
			readings[i] = classifier.Read(&chain.TraceContent{Trace: t.Trace, Transactions: t.content})
			answers[t.ID] = chain.TraceRecords{}
		}
	}
	for range 2 {
		recordSource := &recordQuestions{}
		for i, t := range batch {
			if readings[i] != nil {
				recordSource.add(&t.Trace, readings[i].Accounts(answers[t.ID]), readings[i].NeedsData(), answers[t.ID])
			}
		}
		if err := recordSource.answer(ctx, tx, answers); err != nil {
			return err
		}
	}
	for i, t := range batch {
		if readings[i] == nil {
			continue
		}
		var err error
		t.set, t.wanted = classifier.Version(), t.wants(ledger, answers[t.ID])
		t.actions, err = readings[i].Classify(answers[t.ID])
		if err != nil {
			t.Classification, t.actions = chain.ClassificationFailed, nil
			continue
		}
		t.Classification = chain.Classified
		slices.SortFunc(t.actions, func(a, b chain.Action) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	}
	return nil
}
