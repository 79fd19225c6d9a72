package verdicts

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

const (
	addVerified = `INSERT INTO verification_counts AS c (verification, transactions)
		SELECT * FROM unnest($1::smallint[], $2::bigint[])
		ON CONFLICT (verification) DO UPDATE SET transactions = c.transactions + excluded.transactions`
	selectVerified = `SELECT verification, transactions FROM verification_counts ORDER BY verification`
)

// QueueCountsOf adds the transactions of a batch to the counts.
func QueueCountsOf(u *batch.Batch, b *pgx.Batch) {
	var counts [chain.Verifications]int64
	for _, mb := range u.Blocks {
		for i := range mb.Transactions {
			counts[mb.Transactions[i].Verification]++
		}
	}
	QueueCounts(b, counts)
}

// QueueCounts adds to the counts, by verification.
func QueueCounts(b *pgx.Batch, counts [chain.Verifications]int64) {
	var kinds []int16
	var numbers []int64
	for kind, n := range counts {
		if n != 0 {
			kinds, numbers = append(kinds, int16(kind)), append(numbers, n)
		}
	}
	if len(kinds) > 0 {
		b.Queue(addVerified, kinds, numbers)
	}
}

// VerificationCounts returns the number of indexed transactions by verification.
func (r *Reader) VerificationCounts(ctx context.Context) (chain.VerificationCounts, error) {
	var counts chain.VerificationCounts
	err := sqlbuild.Each(ctx, r.pool, "counts of checked transactions", func(r *sqlbuild.Row) {
		kind, n := chain.Verification(r.Int2()), uint64(r.Int8())
		switch kind {
		case chain.Replayed:
			counts.Replayed = n
		case chain.Mismatch:
			counts.Mismatch = n
		case chain.Proven:
			counts.Proven = n
		case chain.Unverified:
			counts.Unverified = n
		case chain.OldRules:
			counts.OldRules = n
		}
	}, selectVerified)
	return counts, err
}
