package payments

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	insertPayment = `INSERT INTO payments (reference, merchant_id, master, ticker, decimals, amount, sender, recipient, sender_wallet,
		recipient_wallet, query_id, body_hash, sender_text, recipient_text, asset_text, comment_to_sender, comment_to_recipient,
		created_at, expires_at, key_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
		nullif($20::bigint, 0))`

	selectPayments = `SELECT ` + paymentColumns + ` FROM payments p`

	selectPaymentByReference = selectPayments + ` WHERE p.reference = $1`
	selectPaymentByBodyHash  = selectPayments + ` WHERE p.body_hash = $1`
)

// RegisterPayment stores a transfer before its message leaves the process. A [payment.FullError] when the merchant, or the
// key that registers, has as many open registrations as it may have: pending ones before their expiry.
func (s *Store) RegisterPayment(ctx context.Context, merchant int64, t *payment.Transfer) error {
	_, err := s.pool.Exec(ctx, insertPayment, paymentArgs(merchant, t)...)
	return sqlbuild.Fault(ctx, "payment", openFault(err))
}

// paymentArgs are the arguments of [insertPayment].
func paymentArgs(merchant int64, t *payment.Transfer) []any {
	var master, from, to []byte
	if t.Asset.Master != nil {
		master = t.Asset.Master.Bytes()
	}
	if t.Wallets != nil {
		from, to = t.Wallets.Sender.Bytes(), t.Wallets.Recipient.Bytes()
	}
	return []any{
		t.Reference, merchant, master, t.Asset.Ticker, t.Asset.Decimals, t.Amount.String(), t.Sender.Bytes(), t.Recipient.Bytes(), from, to,
		int64(t.QueryID), t.BodyHash.Bytes(), t.SenderText, t.RecipientText, t.AssetText, t.CommentToSender, t.CommentToRecipient, t.CreatedAt,
		t.ExpiresAt, t.KeyID,
	}
}

// Payment finds a registered transfer. NotFound when there is none.
func (s *Store) Payment(ctx context.Context, reference string) (*payment.Record, error) {
	return s.onePayment(ctx, selectPaymentByReference, reference)
}

// PaymentByBodyHash finds a registered transfer. NotFound when there is none.
func (s *Store) PaymentByBodyHash(ctx context.Context, hash chain.Hash) (*payment.Record, error) {
	return s.onePayment(ctx, selectPaymentByBodyHash, hash.Bytes())
}

func (s *Store) onePayment(ctx context.Context, query string, args ...any) (*payment.Record, error) {
	list, err := s.payments(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, chain.NotFoundf("there is no such transfer")
	}
	return &list[0], nil
}

func (s *Store) payments(ctx context.Context, query string, args ...any) ([]payment.Record, error) {
	rows, err := s.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "payments", err)
	}
	list, err := readPayments(rows)
	return list, sqlbuild.Fault(ctx, "payments", err)
}

// Filter selects payments of a merchant. Empty fields do not restrict, except Merchant and Limit.
type Filter struct {
	Merchant int64
	Status   payment.Status // pending, success, failed
	Expired  bool           // with Pending: those whose expiry is before Now; without, the others. A zero Now: both
	Now      time.Time
	// Text is a part of the reference, of a comment or of the sender as registered, in any case; or a complete hash of the transaction or of
	// the trace that paid, or the address that paid, in any form.
	Text     string
	From, To time.Time // registered at or after the one, and before the other
	// Before is the reference of the last payment of the previous page.
	Before string
	Limit  int
}

// List lists the payments that match f, newest registration first, at most f.Limit.
func (s *Store) List(ctx context.Context, f Filter) ([]payment.Record, error) {
	query, args := selectPayments+` WHERE p.merchant_id = $1`, []any{f.Merchant}
	add := func(clause string, value any) {
		args = append(args, value)
		query += ` AND ` + clause + `$` + strconv.Itoa(len(args))
	}
	if f.Status != "" {
		add(`p.status = `, statusNumber(f.Status))
	}
	switch {
	case f.Now.IsZero():
	case f.Expired:
		add(`p.expires_at < `, f.Now)
	default:
		add(`p.expires_at >= `, f.Now)
	}
	if !f.From.IsZero() {
		add(`p.created_at >= `, f.From)
	}
	if !f.To.IsZero() {
		add(`p.created_at < `, f.To)
	}
	if f.Text != "" {
		add(`(strpos(lower(p.reference || ' ' || p.comment_to_recipient || ' ' || p.sender_text), lower(`, f.Text)
		query += `)) > 0`
		if h, err := chain.ParseHash(f.Text); err == nil {
			args = append(args, h.Bytes())
			n := strconv.Itoa(len(args))
			query += ` OR p.tx_hash = $` + n + ` OR p.trace_id = $` + n
		}
		if a, err := chain.ParseAddress(f.Text); err == nil {
			args = append(args, a.Bytes())
			query += ` OR coalesce(p.paid_by, p.sender) = $` + strconv.Itoa(len(args))
		}
		query += `)`
	}
	if f.Before != "" {
		add(`(p.created_at, p.reference) < (SELECT b.created_at, b.reference FROM payments b WHERE b.merchant_id = $1 AND b.reference = `, f.Before)
		query += `)`
	}
	args = append(args, f.Limit)
	query += ` ORDER BY p.created_at DESC, p.reference DESC LIMIT $` + strconv.Itoa(len(args))
	return s.payments(ctx, query, args...)
}

// Day is a day's payments of a merchant, in UTC.
type Day struct {
	Date                     string // 2006-01-02
	Success, Failed, Pending int
}

const selectDays = `SELECT to_char(d, 'YYYY-MM-DD'), count(*) FILTER (WHERE p.status = 1), count(*) FILTER (WHERE p.status = 2),
	count(*) FILTER (WHERE p.status = 0)
	FROM generate_series(date_trunc('day', now() AT TIME ZONE 'UTC') - ($2 - 1) * interval '1 day',
		date_trunc('day', now() AT TIME ZONE 'UTC'), interval '1 day') d
	LEFT JOIN payments p ON p.merchant_id = $1 AND p.created_at >= d AT TIME ZONE 'UTC' AND p.created_at < (d + interval '1 day') AT TIME ZONE 'UTC'
	GROUP BY d ORDER BY d`

// PaymentDays counts the payments that were registered on each of the last days, the oldest day first.
func (s *Store) PaymentDays(ctx context.Context, merchant int64, days int) ([]Day, error) {
	return listOf(ctx, s, "payments", func(r pgx.CollectableRow) (d Day, err error) {
		err = r.Scan(&d.Date, &d.Success, &d.Failed, &d.Pending)
		return d, err
	}, selectDays, merchant, days)
}

const selectSurplus = `SELECT s.trace_id, s.tx_hash, s.paid, s.paid_by, s.tx_now FROM (SELECT * FROM payment_surplus WHERE reference = $1
	ORDER BY paid DESC, tx_lt, tx_hash LIMIT 100) s ORDER BY s.tx_lt, s.tx_hash`

// Surplus lists the payments of a transfer besides the one that decided, by LT: the hundred largest, because anyone can send small ones.
func (s *Store) Surplus(ctx context.Context, reference string) ([]payment.Surplus, error) {
	rows, err := s.pool.Query(ctx, selectSurplus, reference)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "surplus", err)
	}
	list, err := sqlbuild.ReadAll(rows, 1, func(r *sqlbuild.Row, s *payment.Surplus) {
		s.TraceID, s.TxHash, s.Paid, s.PaidBy, s.TxNow = r.Hash(), r.Hash(), r.Numeric(), r.Address(), r.Uint32()
	})
	return list, sqlbuild.Fault(ctx, "surplus", err)
}
