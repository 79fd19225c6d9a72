package store

import (
	"context"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	unverifiedTable = `account, lt, mc_seqno, hash, reason, allowed`

	insertUnverified = `INSERT INTO replay_unverified (` + unverifiedTable + `)
		SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[], $6::text[])
		ON CONFLICT (account, lt) DO UPDATE SET mc_seqno = excluded.mc_seqno, hash = excluded.hash, reason = excluded.reason,
			allowed = excluded.allowed`

	selectUnverified = `SELECT ` + unverifiedTable + ` FROM replay_unverified
		WHERE mc_seqno BETWEEN $1 AND $2 ORDER BY mc_seqno, account, lt LIMIT $3`

	selectUnverifiedByKey = `SELECT ` + unverifiedTable + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN replay_unverified USING (account, lt) ORDER BY account, lt`

	updateUnverified = `UPDATE replay_unverified SET reason = $3, allowed = $4 WHERE account = $1 AND lt = $2`

	deleteUnverified = `DELETE FROM replay_unverified u USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE u.account = k.account AND u.lt = k.lt`

	// Only a transaction that is unverified still gets another verdict: verdicts are final otherwise.
	updateVerification = `WITH changed AS (
			UPDATE transactions t SET verification = v.verification
			FROM unnest($1::bytea[], $2::bigint[], $3::smallint[]) v(account, lt, verification)
			WHERE t.account = v.account AND t.lt = v.lt AND t.verification = $4
			RETURNING t.account, t.lt, t.verification)
		SELECT account, lt, verification FROM changed ORDER BY account, lt`

	insertMismatch = `INSERT INTO replay_mismatches (` + mismatchTable + `) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
)

func finishUnverified(u *batchState, b *pgx.Batch) {
	var list []chain.UnverifiedTransaction
	for _, mb := range u.Blocks {
		list = append(list, mb.Unverified...)
	}
	if len(list) == 0 {
		return
	}
	keys := sqlbuild.NewKeyArrays(len(list))
	seqnos, hashes := make([]int64, len(list)), make([][]byte, len(list))
	reasons, limits := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		t := &list[i]
		keys.Add(&t.Account, t.LT)
		seqnos[i], hashes[i], reasons[i], limits[i] = int64(t.McSeqno), t.Hash[:], t.Reason, t.Limit
	}
	b.Queue(insertUnverified, keys.Accounts, keys.LTs, seqnos, hashes, reasons, limits)
}

func scanUnverified(r *sqlbuild.Row, t *chain.UnverifiedTransaction) {
	t.Account = r.Address()
	t.LT = r.LT()
	t.McSeqno = r.Uint32()
	t.Hash = r.Hash()
	t.Reason = r.Text()
	t.Limit = r.Text()
}

// Unverified lists up to limit transactions whose re-execution exceeded its budget, of a range of masterchain blocks,
// by masterchain seqno, account and LT.
func (r *Reader) Unverified(ctx context.Context, within chain.SeqnoRange, limit int) ([]chain.UnverifiedTransaction, error) {
	return sqlbuild.Collect(ctx, r.pool, "unverified transactions", 0, scanUnverified, selectUnverified,
		int64(within.First), int64(within.Last), int64(limit))
}

// UnverifiedByKey returns the budgets that the re-execution of transactions exceeded; those that have a verdict are left
// out.
func (r *Reader) UnverifiedByKey(ctx context.Context, keys []chain.TransactionKey) ([]chain.UnverifiedTransaction, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	k := transactions.TransactionKeys(sqlbuild.Unique(keys))
	return sqlbuild.Collect(sqlbuild.Checked(ctx), r.pool, "unverified transactions", len(keys), scanUnverified, selectUnverifiedByKey, k.Accounts, k.LTs)
}

// verdictSteps are the steps of [Writer.ApplyVerdicts] that add what only execution yields.
var verdictSteps = []writeStep{
	{name: "states", prepare: prepareStates, lookup: queueStateLookup, copy: copyStates, finish: finishAccounts},
	{name: "cells", prepare: prepareCells, lookup: queueCellLookup, copy: copyCells},
	{name: "libraries", finish: finishLibraries},
}

// ApplyVerdicts writes, in one database transaction, the outcome of executing once more the unverified transactions of a
// masterchain block that is indexed: mb holds these transactions with their verification, and the states, cells,
// libraries and mismatches that go with them. It returns the transactions that got another verdict; transactions that
// had one already stay as they are.
func (w *Writer) ApplyVerdicts(ctx context.Context, mb *chain.MasterBlock) (changed map[chain.TransactionKey]chain.Verification, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	conn, err := w.acquire(ctx)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, fmt.Sprintf("verdicts of masterchain block %d", mb.Block.Seqno), err)
	}
	defer conn.Release()
	u := w.newBatchState(&batch.Batch{Copies: &w.copies, Blocks: []*chain.MasterBlock{mb}, Careful: true, Outdated: batch.Outdated{}})
	for _, n := range verdictSteps {
		if n.prepare != nil {
			n.prepare(w, u)
		}
	}
	u.cells = cellStep{missing: maps.Clone(mb.Cells)} // all that its states need: the block was executed by itself
	err = transaction(ctx, conn, func(tx pgx.Tx) (err error) {
		u.Tx = tx
		b := &pgx.Batch{}
		b.Queue(takeApplyLock, lockApply)
		u.Outdated.QueueBlocks(b, u.Blocks)
		b.Queue(selectSweep).Query(u.cells.sweep.scan)
		for _, n := range verdictSteps {
			if n.lookup != nil {
				n.lookup(u, b)
			}
		}
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("existing rows: %w", err)
		}
		if changed, err = changeVerdicts(ctx, tx, mb); err != nil {
			return err
		}
		return w.write(ctx, u, verdictSteps)
	})
	if err != nil {
		w.forget()
		return nil, sqlbuild.Fault(ctx, fmt.Sprintf("verdicts of masterchain block %d", mb.Block.Seqno), err)
	}
	w.rememberCells(u)
	return changed, nil
}

func changeVerdicts(ctx context.Context, tx pgx.Tx, mb *chain.MasterBlock) (map[chain.TransactionKey]chain.Verification, error) {
	keys, verdicts := sqlbuild.NewKeyArrays(len(mb.Transactions)), make([]int16, 0, len(mb.Transactions))
	for i := range mb.Transactions {
		t := &mb.Transactions[i]
		if t.Verification == chain.Unverified {
			continue
		}
		keys.Add(&t.Account, t.LT)
		verdicts = append(verdicts, int16(t.Verification))
	}
	changed := make(map[chain.TransactionKey]chain.Verification, len(verdicts))
	counts := [chain.Verifications]int64{}
	rows, err := tx.Query(ctx, updateVerification, keys.Accounts, keys.LTs, verdicts, int16(chain.Unverified))
	if err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		key := chain.TransactionKey{Account: r.Address(), LT: r.LT()}
		changed[key] = chain.Verification(r.Int2())
		counts[changed[key]]++
	})
	if err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	counts[chain.Unverified] = -int64(len(changed))
	b := &pgx.Batch{}
	b.Queue(deleteUnverified, keys.Accounts, keys.LTs)
	for i := range mb.Unverified {
		t := &mb.Unverified[i]
		b.Queue(updateUnverified, t.Account.Bytes(), int64(t.LT), t.Reason, t.Limit)
	}
	for i := range mb.Mismatches {
		m := &mb.Mismatches[i]
		if changed[m.TransactionKey] == chain.Mismatch {
			b.Queue(insertMismatch, m.Account.Bytes(), int64(m.LT), int64(m.McSeqno), m.Hash[:], sqlbuild.OptionalHash(m.Got), sqlbuild.OptionalHash(m.GotState), m.Reason)
		}
	}
	queueCounts(b, counts)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	return changed, nil
}
