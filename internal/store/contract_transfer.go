package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/contracts"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// Transfers and burns belong to transactions of the batch, so they are new with these. Where that is not certain the rows
// to be written are removed first.

// orderTable is a table of transfers or burns.
type orderTable[T any] struct {
	name, account, columns string // account: the column of the account whose transaction the order is
	of                     func(*chain.MasterBlock) []T
	key                    func(*T) chain.TransactionKey
	write                  func(to *sqlbuild.CopyBuffer, order *T, trace *chain.Hash)
	trace                  func(*T) *chain.Hash // that the order has without a trace of the batch
}

func copyJettonTransfers(ctx context.Context, u *batchState) error {
	return orderTable[chain.JettonTransfer]{
		name: "jetton_transfers", account: "source_wallet", columns: contracts.JettonTransferTable,
		of: func(mb *chain.MasterBlock) []chain.JettonTransfer { return mb.JettonTransfers },
		key: func(t *chain.JettonTransfer) chain.TransactionKey {
			return chain.TransactionKey{Account: t.SourceWallet, LT: t.TxLT}
		},
		write: contracts.WriteJettonTransfer,
		trace: func(t *chain.JettonTransfer) *chain.Hash { return t.TraceID },
	}.copy(ctx, u)
}

func copyJettonBurns(ctx context.Context, u *batchState) error {
	return orderTable[chain.JettonBurn]{
		name: "jetton_burns", account: "jetton_wallet", columns: contracts.JettonBurnTable,
		of: func(mb *chain.MasterBlock) []chain.JettonBurn { return mb.JettonBurns },
		key: func(t *chain.JettonBurn) chain.TransactionKey {
			return chain.TransactionKey{Account: t.JettonWallet, LT: t.TxLT}
		},
		write: contracts.WriteJettonBurn,
		trace: func(t *chain.JettonBurn) *chain.Hash { return t.TraceID },
	}.copy(ctx, u)
}

func copyNFTTransfers(ctx context.Context, u *batchState) error {
	return orderTable[chain.NFTTransfer]{
		name: "nft_transfers", account: "nft", columns: contracts.NFTTransferTable,
		of: func(mb *chain.MasterBlock) []chain.NFTTransfer { return mb.NFTTransfers },
		key: func(t *chain.NFTTransfer) chain.TransactionKey {
			return chain.TransactionKey{Account: t.NFT, LT: t.TxLT}
		},
		write: contracts.WriteNFTTransfer,
		trace: func(t *chain.NFTTransfer) *chain.Hash { return t.TraceID },
	}.copy(ctx, u)
}

// copy writes the orders of a batch, the first one of each transaction.
func (t orderTable[T]) copy(ctx context.Context, u *batchState) error {
	seen := map[chain.TransactionKey]bool{}
	keys := sqlbuild.NewKeyArrays(0)
	for _, mb := range u.Blocks {
		list := t.of(mb)
		for i := range list {
			order := &list[i]
			k := t.key(order)
			if seen[k] {
				continue
			}
			seen[k] = true
			keys.Add(&k.Account, k.LT)
			trace := t.trace(order)
			if a := u.traces.Of[k]; a != nil {
				trace = &a.ID
			}
			t.write(u.Copies, order, trace)
		}
	}
	if u.Careful && keys.Len() > 0 {
		if err := removeOrders(ctx, u.Tx, t.name, t.account, keys); err != nil {
			return err
		}
	}
	return u.Copies.Send(ctx, u.Tx, t.name, t.columns)
}

func removeOrders(ctx context.Context, tx pgx.Tx, table, account string, keys sqlbuild.KeyArrays) error {
	_, err := tx.Exec(ctx, `DELETE FROM `+table+` t USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE t.`+account+` = k.account AND t.tx_lt = k.lt`, keys.Accounts, keys.LTs)
	if err != nil {
		return fmt.Errorf("earlier rows of %s: %w", table, err)
	}
	return nil
}

// Detections are results of analysing contracts apart from the blocks that changed them.
type Detections struct {
	Contracts       []chain.Contract
	JettonTransfers []chain.JettonTransfer
	JettonBurns     []chain.JettonBurn
	NFTTransfers    []chain.NFTTransfer
}

// detectionSteps are the steps of [Writer.ApplyDetections]: the write steps that store detections.
var detectionSteps = []writeStep{
	contractSteps[0], contractSteps[1], contractSteps[2],
	{name: "Jetton transfers", copy: copyJettonTransfers},
	{name: "Jetton burns", copy: copyJettonBurns},
	{name: "NFT transfers", copy: copyNFTTransfers},
	{name: "names", finish: finishNames},
}

// deleteDigestsOf deletes the digests that cover rows of transactions.
const deleteDigestsOf = `DELETE FROM range_digests WHERE number IN (SELECT t.mc_seqno / $3
	FROM unnest($1::bytea[], $2::bigint[]) k(account, lt) JOIN transactions t ON t.account = k.account AND t.lt = k.lt)`

// deleteDaysOf deletes the sums per day that cover transactions.
const deleteDaysOf = `DELETE FROM day_ranges d USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
	JOIN transactions t ON t.account = k.account AND t.lt = k.lt
	WHERE d.number = t.mc_seqno / $3 AND t.mc_seqno <= greatest(d.target, d.last)`

// queueOutdated queues the deletion of the digests and the sums per day of the masterchain blocks that the detections are about.
func queueOutdated(b *pgx.Batch, f Detections) {
	keys := sqlbuild.NewKeyArrays(len(f.Contracts))
	for i := range f.Contracts {
		keys.Add(&f.Contracts[i].Account, f.Contracts[i].LT)
	}
	for i := range f.JettonTransfers {
		keys.Add(&f.JettonTransfers[i].SourceWallet, f.JettonTransfers[i].TxLT)
	}
	for i := range f.JettonBurns {
		keys.Add(&f.JettonBurns[i].JettonWallet, f.JettonBurns[i].TxLT)
	}
	for i := range f.NFTTransfers {
		keys.Add(&f.NFTTransfers[i].NFT, f.NFTTransfers[i].TxLT)
	}
	b.Queue(deleteDigestsOf, keys.Accounts, keys.LTs, int64(chain.DigestBlocks))
	b.Queue(deleteDaysOf, keys.Accounts, keys.LTs, int64(chain.DigestBlocks))
}

// ApplyDetections writes detections about indexed states and transactions, in one database transaction. A detection about
// the stored state replaces the earlier one; a detection about an older state only becomes part of the history.
func (w *Writer) ApplyDetections(ctx context.Context, f Detections) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return sqlbuild.Fault(ctx, "detections about contracts", err)
	}
	defer conn.Release()
	mb := &chain.MasterBlock{
		Contracts: f.Contracts, JettonTransfers: f.JettonTransfers, JettonBurns: f.JettonBurns, NFTTransfers: f.NFTTransfers,
	}
	u := w.newBatchState(&batch.Batch{Copies: &w.copies, Blocks: []*chain.MasterBlock{mb}, Careful: true, Forced: true, Outdated: batch.Outdated{}})
	for _, n := range detectionSteps {
		if n.prepare != nil {
			n.prepare(w, u)
		}
	}
	err = locks.Transaction(ctx, conn, func(tx pgx.Tx) error {
		u.Tx = tx
		b := &pgx.Batch{}
		locks.QueueApply(b)
		queueOutdated(b, f)
		u.contracts.QueueLookup(b)
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("existing rows: %w", err)
		}
		return w.write(ctx, u, detectionSteps)
	})
	if err != nil {
		w.forget()
		return sqlbuild.Fault(ctx, "detections about contracts", err)
	}
	w.rememberCodes(u)
	return nil
}
