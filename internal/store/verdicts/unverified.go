package verdicts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

const (
	// UnverifiedTable lists the columns of an unverified transaction in the order in which they are written and read.
	UnverifiedTable = `account, lt, mc_seqno, hash, reason, allowed`

	insertUnverified = `INSERT INTO replay_unverified (` + UnverifiedTable + `)
		SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::text[], $6::text[])
		ON CONFLICT (account, lt) DO UPDATE SET mc_seqno = excluded.mc_seqno, hash = excluded.hash, reason = excluded.reason,
			allowed = excluded.allowed`

	selectUnverified = `SELECT ` + UnverifiedTable + ` FROM replay_unverified
		WHERE mc_seqno BETWEEN $1 AND $2 ORDER BY mc_seqno, account, lt LIMIT $3`

	selectUnverifiedByKey = `SELECT ` + UnverifiedTable + ` FROM unnest($1::bytea[], $2::bigint[]) k(account, lt)
		JOIN replay_unverified USING (account, lt) ORDER BY account, lt`

	updateUnverified = `UPDATE replay_unverified SET reason = $3, allowed = $4 WHERE account = $1 AND lt = $2`

	deleteUnverified = `DELETE FROM replay_unverified u USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE u.account = k.account AND u.lt = k.lt`

	// The range bounds the rows that are read.
	selectVerdicts = `SELECT account, lt, mc_seqno, hash, '', '' FROM transactions
		WHERE mc_seqno BETWEEN $1 AND $2 AND verification = ANY($4::smallint[]) ORDER BY mc_seqno, account, lt LIMIT $3`

	// Verdicts are final but for those that $4 names.
	updateVerification = `WITH old AS (
			SELECT account, lt, t.verification AS was, v.verification FROM unnest($1::bytea[], $2::bigint[], $3::smallint[]) v(account, lt, verification)
			JOIN transactions t USING (account, lt) WHERE t.verification = ANY($4::smallint[]) AND t.verification <> v.verification),
		changed AS (
			UPDATE transactions t SET verification = old.verification FROM old WHERE t.account = old.account AND t.lt = old.lt
			RETURNING t.account, t.lt, t.verification, old.was)
		SELECT account, lt, verification, was FROM changed ORDER BY account, lt`

	deleteMismatches = `DELETE FROM replay_mismatches m USING unnest($1::bytea[], $2::bigint[]) k(account, lt)
		WHERE m.account = k.account AND m.lt = k.lt`

	insertMismatch = `INSERT INTO replay_mismatches (` + MismatchTable + `) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
)

// QueueUnverified writes the transactions of a batch whose re-execution exceeded its budget.
func QueueUnverified(u *batch.Batch, b *pgx.Batch) {
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

// Verdicts lists up to limit transactions of a range of masterchain blocks that have one of some verifications, by masterchain seqno, account and
// LT. All transactions of the range are read.
func (r *Reader) Verdicts(ctx context.Context, within chain.SeqnoRange, of []chain.Verification, limit int) ([]chain.UnverifiedTransaction, error) {
	return sqlbuild.Collect(ctx, r.pool, "transactions by verification", 0, scanUnverified, selectVerdicts,
		int64(within.First), int64(within.Last), int64(limit), numbersOf(of))
}

func numbersOf(verifications []chain.Verification) []int16 {
	numbers := make([]int16, len(verifications))
	for i, v := range verifications {
		numbers[i] = int16(v)
	}
	return numbers
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

// Change writes the verdicts of executed transactions that had one of some verifications, and returns those that have another one now.
func Change(ctx context.Context, tx pgx.Tx, mb *chain.MasterBlock, of []chain.Verification) (map[chain.TransactionKey]chain.Verification, error) {
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
	rows, err := tx.Query(ctx, updateVerification, keys.Accounts, keys.LTs, verdicts, numbersOf(of))
	if err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	resolved := sqlbuild.NewKeyArrays(0) // mismatches
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		key := chain.TransactionKey{Account: r.Address(), LT: r.LT()}
		changed[key] = chain.Verification(r.Int2())
		counts[changed[key]]++
		was := chain.Verification(r.Int2())
		if counts[was]--; was == chain.Mismatch {
			resolved.Add(&key.Account, key.LT)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	b := &pgx.Batch{}
	if resolved.Len() > 0 {
		b.Queue(deleteMismatches, resolved.Accounts, resolved.LTs)
	}
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
	QueueCounts(b, counts)
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return nil, fmt.Errorf("verdicts: %w", err)
	}
	return changed, nil
}

// QueueDrop removes the rows of transactions.
func QueueDrop(b *pgx.Batch, keys sqlbuild.KeyArrays) {
	b.Queue(deleteUnverified, keys.Accounts, keys.LTs)
	b.Queue(deleteMismatches, keys.Accounts, keys.LTs)
}
