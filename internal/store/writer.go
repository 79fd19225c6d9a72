package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/blocks"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/contracts"
	"tonql/internal/store/dictionary"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/moves"
	"tonql/internal/store/payments"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
	"tonql/internal/store/verdicts"
)

// Writer puts blocks into the index. Safe for concurrent use; one transaction runs at a time.
type Writer struct {
	*moveRunner // moves rows of earlier versions, beside Apply

	pool *pgxpool.Pool

	mu     sync.Mutex // held during Apply; guards the following fields
	copies sqlbuild.CopyBuffer
	raw    rawWriter
	// details packs details of actions. Its dictionary is read with that of raw transactions.
	details traces.DetailWriter
	// dictionaries are those of raw transactions that were read. An id names the same content after any failover.
	dictionaries *dictionary.Cache
	// ranges are the indexed ranges as last read or written, nil while they have not been read. They only avoid lookups: rows
	// that cannot exist according to them are not looked up. When a duplicate key ends the transaction all the same, it runs
	// again with all lookups.
	ranges     []chain.SeqnoRange
	rangesRead bool
	// dropped is the newest masterchain block that was dropped, as last read or written with the ranges: blocks up to it are not written.
	dropped uint32
	// cells are hashes that are in the database for certain.
	cells *lru.Cache[chain.Hash, struct{}]
	// swept is the number of the newest sweep of cells as of the first blocks after RenewCells, nil before them. See [cellsweep.Sweep].
	swept *int64
	// codes are hashes of codes whose interfaces are in the database for certain.
	codes *lru.Cache[chain.Hash, struct{}]
	// open are the unfinished traces.
	open *traces.OpenCache
	// classifier derives the actions of complete traces; nil leaves traces unclassified.
	classifier chain.TraceClassifier
	// keys is the state of the entries that lead from accounts to traces.
	keys *traces.AccountKeys
	// matcher finds registered transfers in complete traces.
	matcher *payments.Matcher
	// origin is where ranges, cells, codes, open, keys and the newest dictionary come from.
	origin origin
}

// moveRunner is the part of the Writer that is defined in its own package.
type moveRunner = moves.Runner

// SetTestOnly sets whether addresses in webhook events carry the flag of test networks.
func (w *Writer) SetTestOnly(testOnly bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.matcher.SetTestOnly(testOnly)
}

// SetClassifier sets the classifier of the traces that are completed from now on.
func (w *Writer) SetClassifier(c chain.TraceClassifier) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.classifier = c
}

// maxCachedHashes bounds the memory for hashes of stored cells: mainly codes of common contracts repeat.
const maxCachedHashes = 1 << 16

func newWriter(pool *pgxpool.Pool, keys *traces.AccountKeys) *Writer {
	cells, err := lru.New[chain.Hash, struct{}](maxCachedHashes)
	if err != nil {
		panic(err) //nolint:forbidigo // the size is a positive constant
	}
	codes, err := lru.New[chain.Hash, struct{}](maxCachedHashes)
	if err != nil {
		panic(err) //nolint:forbidigo // as above
	}
	dictionaries := dictionary.NewCache(dictionary.Transactions)
	return &Writer{pool: pool, cells: cells, codes: codes, open: traces.NewOpenCache(), keys: keys,
		dictionaries: dictionaries, moveRunner: moves.New(pool, keys, dictionaries)}
}

// batchState is a batch with the state of each write step.
type batchState struct {
	*batch.Batch

	messages messageStep
	states   stateStep
	cells    cellStep
	raw      rawStep

	contracts contracts.Step
	codes     contracts.CodeStep
	traces    traces.Step
}

func (w *Writer) newBatchState(b *batch.Batch) *batchState {
	return &batchState{
		Batch:     b,
		raw:       rawStep{writer: &w.raw},
		contracts: contracts.Step{Batch: b},
		codes:     contracts.CodeStep{Batch: b},
		traces:    traces.Step{Batch: b, Open: w.open, Tables: w.traceTables(b.Outdated)},
	}
}

// traceTables returns the writer of the rows of traces.
func (w *Writer) traceTables(outdated batch.Outdated) traces.TableWriter {
	t := traces.TableWriter{Copies: &w.copies, Keys: w.keys, Dictionaries: w.dictionaries, Classifier: w.classifier, Outdated: outdated,
		Details: traces.DetailStep{Writer: &w.details, Dictionary: w.details.Present}}
	if w.matcher != nil {
		t.Settler = w.matcher
	}
	return t
}

// writeStep writes one kind of row. Its functions run in this order; each may be nil.
type writeStep struct {
	name string
	// prepare sorts the block's rows: those that are certainly new, and those to be looked up.
	prepare func(w *Writer, u *batchState)
	// lookup queues queries for existing rows. All steps' lookups are sent together.
	lookup func(u *batchState, b *pgx.Batch)
	// copy writes the rows.
	copy func(ctx context.Context, u *batchState) error
	// finish queues statements that build on the rows written. They go out together.
	finish func(u *batchState, b *pgx.Batch)
	// last runs when everything else is written.
	last func(ctx context.Context, u *batchState) error
}

// writeSteps are the steps of [Writer.Apply], in order.
var writeSteps = []writeStep{
	{name: "traces", copy: func(ctx context.Context, u *batchState) error {
		return u.traces.Assemble(ctx, u.messages.fresh, u.messages.received, u.messages.sent)
	}, last: func(ctx context.Context, u *batchState) error { return u.traces.Write(ctx) }}, // first: transactions are written with their traces
	{name: "blocks", copy: func(ctx context.Context, u *batchState) error { return blocks.Copy(ctx, u.Batch) }},
	{name: "frames", finish: func(u *batchState, b *pgx.Batch) { blocks.QueueFrames(u.Batch, b) }},
	{name: "shards", copy: func(ctx context.Context, u *batchState) error { return blocks.CopyShards(ctx, u.Batch) }},
	{name: "transactions", copy: copyTransactions},
	{name: "messages", prepare: prepareMessages, lookup: queueMessageLookup, copy: copyMessages},
	{name: "states", prepare: prepareStates, lookup: queueStateLookup, copy: copyStates, finish: finishAccounts},
	{name: "cells", prepare: prepareCells, lookup: queueCellLookup, copy: copyCells},
	{name: "configs", finish: func(u *batchState, b *pgx.Batch) { blocks.QueueConfigs(u.Batch, b) }},
	{name: "libraries", finish: finishLibraries},
	{name: "mismatches", copy: func(ctx context.Context, u *batchState) error { return verdicts.CopyMismatches(ctx, u.Batch) }},
	{name: "unverified transactions", finish: func(u *batchState, b *pgx.Batch) { verdicts.QueueUnverified(u.Batch, b) }},
	{name: "counts", finish: func(u *batchState, b *pgx.Batch) { verdicts.QueueCountsOf(u.Batch, b) }},
	contractSteps[0], contractSteps[1], contractSteps[2],
	{name: "Jetton transfers", copy: copyJettonTransfers},
	{name: "Jetton burns", copy: copyJettonBurns},
	{name: "NFT transfers", copy: copyNFTTransfers},
	{name: "names", finish: finishNames},
	{name: "indexed ranges", finish: func(u *batchState, b *pgx.Batch) { indexrange.Queue(b, u.Before, u.After) }},
	{name: "digests", finish: func(u *batchState, b *pgx.Batch) { u.Outdated.QueueBlocks(b, u.Blocks) }},
	{name: "notification", finish: func(u *batchState, b *pgx.Batch) { queueNotification(b, u.Blocks) }},
}

// Apply writes masterchain blocks with everything they commit in one database transaction: all or nothing. Blocks that
// are indexed already are skipped, so applying again does nothing. Blocks may come in any order and with gaps; the
// tables do not depend on the order.
func (w *Writer) Apply(ctx context.Context, blocks ...*chain.MasterBlock) error {
	if len(blocks) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rangesRead && len(w.missing(blocks)) == 0 {
		w.forget() // a block that is applied again may have been removed by hand, or lost
	}
	err := w.apply(ctx, blocks, false)
	if isUniqueViolation(err) {
		w.open.Forget()
		err = w.apply(ctx, blocks, true)
	}
	if err != nil {
		w.forget()
		return sqlbuild.Fault(ctx, fmt.Sprintf("masterchain block %d", blocks[0].Block.Seqno), err)
	}
	return nil
}

func isUniqueViolation(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == sqlbuild.CodeUniqueViolation
}

// apply runs one transaction.
func (w *Writer) apply(ctx context.Context, blocks []*chain.MasterBlock, careful bool) error {
	conn, err := w.acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var u *batchState
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) (err error) {
		u, err = w.applyIn(ctx, tx, blocks, careful)
		return err
	})
	if err != nil || len(u.Blocks) == 0 {
		return err
	}
	w.ranges = u.After
	w.raw.present = u.raw.dictionary
	w.details.Present = u.traces.Tables.Details.Dictionary
	w.open.Keep(u.traces.Touched)
	w.rememberCells(u)
	w.rememberCodes(u)
	return nil
}

// applyIn writes, in a transaction, those of blocks that the index lacks.
func (w *Writer) applyIn(ctx context.Context, tx pgx.Tx, blocks []*chain.MasterBlock, careful bool) (*batchState, error) {
	for {
		u := w.newBatchState(&batch.Batch{
			Tx: tx, Copies: &w.copies, Before: w.ranges, Dropped: w.dropped > 0, Blocks: w.missing(blocks), Careful: careful,
			Outdated: batch.Outdated{},
		})
		if len(u.Blocks) == 0 {
			return u, nil
		}
		for _, step := range writeSteps {
			if step.prepare != nil {
				step.prepare(w, u)
			}
		}
		ranges, dropped, err := w.lookup(ctx, u)
		if err != nil {
			return nil, err
		}
		if w.rangesRead && slices.Equal(ranges, w.ranges) && dropped == w.dropped {
			u.After = indexrange.Merge(ranges, seqnos(u.Blocks))
			return u, w.write(ctx, u, writeSteps)
		}
		w.dropped = dropped
		w.adopt(ranges) // and look up again: other rows can exist than those that were looked up
	}
}

// lookup takes the lock, reads the indexed ranges and the dropped blocks and runs the lookups of all steps in one round trip.
func (w *Writer) lookup(ctx context.Context, u *batchState) (ranges []chain.SeqnoRange, dropped uint32, err error) {
	b := &pgx.Batch{}
	locks.QueueApply(b)
	b.Queue(indexrange.Select).Query(func(rows pgx.Rows) (err error) {
		ranges, err = sqlbuild.ReadAll(rows, 4, indexrange.Scan)
		return err
	})
	b.Queue(cellsweep.SelectRemoved).Query(func(rows pgx.Rows) (err error) {
		dropped, err = u.cells.sweep.ScanRemoved(rows)
		return err
	})
	if !w.rangesRead {
		w.raw.queueNewest(b)
		w.details.QueueNewest(b)
	} else {
		for _, step := range writeSteps {
			if step.lookup != nil {
				step.lookup(u, b)
			}
		}
	}
	if err := u.Tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, 0, fmt.Errorf("existing rows: %w", err)
	}
	return ranges, dropped, nil
}

func (w *Writer) write(ctx context.Context, u *batchState, steps []writeStep) error {
	b := &pgx.Batch{}
	for _, step := range steps {
		if step.copy != nil {
			u.Copies.Reset()
			if err := step.copy(ctx, u); err != nil {
				return fmt.Errorf("%s: %w", step.name, err)
			}
		}
		if step.finish != nil {
			step.finish(u, b)
		}
	}
	if b.Len() > 0 {
		if err := u.Tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("accounts, configs, libraries, contracts and indexed ranges: %w", err)
		}
	}
	for _, step := range steps {
		if step.last == nil {
			continue
		}
		if err := step.last(ctx, u); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// missing returns the blocks that are not indexed and were not dropped, each once.
func (w *Writer) missing(blocks []*chain.MasterBlock) []*chain.MasterBlock {
	left := make([]*chain.MasterBlock, 0, len(blocks))
	seen := make(map[uint32]bool, len(blocks))
	for _, b := range blocks {
		if s := b.Block.Seqno; s > w.dropped && !seen[s] && !indexrange.Holds(w.ranges, s) {
			seen[s] = true
			left = append(left, b)
		}
	}
	return left
}

func seqnos(blocks []*chain.MasterBlock) []uint32 {
	list := make([]uint32, len(blocks))
	for i, b := range blocks {
		list[i] = b.Block.Seqno
	}
	return list
}

// contractSteps write what was detected about contracts.
var contractSteps = [...]writeStep{
	{
		name:    "contracts",
		prepare: func(_ *Writer, u *batchState) { u.contracts.Prepare() },
		lookup:  func(u *batchState, b *pgx.Batch) { u.contracts.QueueLookup(b) },
		copy:    func(ctx context.Context, u *batchState) error { return u.contracts.Write(ctx) },
		finish:  func(u *batchState, b *pgx.Batch) { u.contracts.Finish(b) },
	},
	{
		name:    "codes",
		prepare: func(w *Writer, u *batchState) { u.codes.Prepare(w.codes.Contains) },
		finish:  func(u *batchState, b *pgx.Batch) { u.codes.Finish(b) },
	},
	{name: "history of contracts", finish: func(u *batchState, b *pgx.Batch) { contracts.QueueHistory(b, u.Batch) }},
}

// rememberCodes records the codes of a committed batch as stored.
func (w *Writer) rememberCodes(u *batchState) {
	for hash, k := range u.codes.Contracts {
		if k.Methods != nil {
			w.codes.Add(hash, struct{}{})
		}
	}
}
