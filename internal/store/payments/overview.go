package payments

import (
	"context"
	"math/big"
	"time"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

// maxVolumes bounds the assets of an overview.
const maxVolumes = 20

const (
	selectVolumes = `SELECT p.master, p.ticker, p.decimals, count(*), sum(p.received) FROM payments p
		WHERE p.merchant_id = $1 AND p.status = 1 AND p.tx_now >= $2 GROUP BY p.master, p.ticker, p.decimals
		ORDER BY count(*) DESC, p.master NULLS FIRST, p.ticker, p.decimals LIMIT $3`
	selectCounts = `SELECT count(*) FILTER (WHERE p.status = 1), count(*) FILTER (WHERE p.status = 2),
		count(*) FILTER (WHERE p.status = 0 AND p.expires_at >= now()), count(*) FILTER (WHERE p.status = 0 AND p.expires_at < now())
		FROM payments p WHERE p.merchant_id = $1 AND p.created_at >= $2`
	selectRefunds = `SELECT f.reference, f.amount, f.receiver, f.trace_id, f.tx_hash, f.tx_lt, f.tx_now FROM payment_refunds f
		WHERE f.reference = $1 ORDER BY f.tx_lt, f.tx_hash LIMIT 100`
	selectRefundSums = `SELECT f.reference, sum(f.amount) FROM payment_refunds f WHERE f.reference = ANY($1) GROUP BY f.reference ORDER BY f.reference`
)

// Volume is what successful payments of one asset brought.
type Volume struct {
	Asset  payment.Asset
	Count  int
	Amount *big.Int // in the asset's smallest unit
}

// Volumes sums the payments that succeeded since a time by asset, the asset with most payments first.
func (s *Store) Volumes(ctx context.Context, merchant int64, since time.Time) ([]Volume, error) {
	rows, err := s.pool.Query(ctx, selectVolumes, merchant, since.Unix(), maxVolumes)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "volumes", err)
	}
	list, err := sqlbuild.ReadAll(rows, 4, func(r *sqlbuild.Row, v *Volume) {
		v.Asset.Master = r.SetAddress(new(chain.Address))
		v.Asset.Ticker, v.Asset.Decimals, v.Count, v.Amount = r.Text(), int(r.Int2()), int(r.Int8()), r.Numeric()
	})
	return list, sqlbuild.Fault(ctx, "volumes", err)
}

// Counts are numbers of payments by their status.
type Counts struct{ Success, Failed, Pending, Expired int }

// Ended is the number of payments that are not pending.
func (c Counts) Ended() int { return c.Success + c.Failed + c.Expired }

// Counts counts the payments that were registered since a time.
func (s *Store) Counts(ctx context.Context, merchant int64, since time.Time) (c Counts, err error) {
	err = s.pool.QueryRow(ctx, selectCounts, merchant, since).Scan(&c.Success, &c.Failed, &c.Pending, &c.Expired)
	return c, sqlbuild.Fault(ctx, "payments", err)
}

// Refunds lists the refunds of a payment, the first one first.
func (s *Store) Refunds(ctx context.Context, reference string) ([]payment.Refund, error) {
	rows, err := s.pool.Query(ctx, selectRefunds, reference)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "refunds", err)
	}
	list, err := sqlbuild.ReadAll(rows, 1, func(r *sqlbuild.Row, f *payment.Refund) {
		f.Reference, f.Amount, f.To, f.TraceID, f.TxHash, f.LT, f.Now = r.Text(), r.Numeric(), r.Address(), r.Hash(), r.Hash(), r.LT(), r.Uint32()
	})
	return list, sqlbuild.Fault(ctx, "refunds", err)
}

// Refunded returns the refunded amounts of those of the payments that have refunds.
func (s *Store) Refunded(ctx context.Context, references []string) (map[string]*big.Int, error) {
	rows, err := s.pool.Query(ctx, selectRefundSums, references)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "refunds", err)
	}
	sums := map[string]*big.Int{}
	err = sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { reference := r.Text(); sums[reference] = r.Numeric() })
	return sums, sqlbuild.Fault(ctx, "refunds", err)
}
