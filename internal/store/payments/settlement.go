package payments

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
)

const (
	settlePayment = `UPDATE payments SET status = $2, matched = $3, paid = $4, paid_by = $5, paid_comment = $6, trace_id = $7,
		tx_hash = $8, tx_lt = $9, tx_now = $10, error_code = $11, error_message = $12, received = $13, deducted = $14 WHERE reference = $1`
	insertSurplus = `INSERT INTO payment_surplus (reference, tx_hash, trace_id, paid, paid_by, tx_lt, tx_now)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	insertRefund = `INSERT INTO payment_refunds (reference, tx_hash, trace_id, amount, receiver, tx_lt, tx_now)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	selectRefunded = `SELECT reference, tx_hash FROM payment_refunds WHERE reference = ANY($1) ORDER BY reference, tx_hash`
)

// settlement stores the outcomes of the payments that the traces of one database transaction may have paid, and collects their events.
type settlement struct {
	matcher *Matcher
	tx      pgx.Tx
	records map[string]*payment.Record
	now     time.Time
	events  []event
}

// take stores an outcome. The first success is final; a failure counts only while there is no other outcome. An amount that
// arrived with any other payment is stored as surplus.
func (s *settlement) take(ctx context.Context, f *payment.Outcome) error {
	r := s.records[f.Transfer.Reference]
	if r.TxHash != nil && *r.TxHash == f.TxHash && (r.Status == f.Status || r.Status == payment.Success) {
		return nil // seen before
	}
	if r.Status == payment.Success || r.Status == payment.Failed && f.Status == payment.Failed {
		return s.further(ctx, f.Transfer.Reference, payment.Surplus{
			TraceID: f.TraceID, TxHash: f.TxHash, Paid: f.Received, PaidBy: f.Sender, TxNow: f.Now,
		}, f.LT)
	}
	if r.Status == payment.Failed { // and paid now
		payer, _ := r.Payer()
		earlier := payment.Surplus{TraceID: *r.TraceID, TxHash: *r.TxHash, Paid: r.Received, PaidBy: payer, TxNow: r.TxNow}
		if err := s.further(ctx, f.Transfer.Reference, earlier, r.TxLT); err != nil {
			return err
		}
	}
	r.Status, r.TxHash, r.TraceID, r.TxLT, r.TxNow, r.Received = f.Status, &f.TxHash, &f.TraceID, f.LT, f.Now, f.Received
	var by []byte
	r.PaidBy = nil
	if f.OtherSender {
		by, r.PaidBy = f.Sender.Bytes(), &f.Sender
	}
	var deducted *string
	if f.Deducted != nil {
		deducted = new(f.Deducted.String())
	}
	_, err := s.tx.Exec(ctx, settlePayment, f.Transfer.Reference, statusNumber(f.Status), int16(f.By), f.Amount.String(), by,
		f.Comment, f.TraceID.Bytes(), f.TxHash.Bytes(), int64(f.LT), int64(f.Now), f.Code, f.Message, f.Received.String(), deducted)
	if err != nil {
		return err
	}
	r.By, r.Paid, r.Code, r.Message, r.Comment = f.By, f.Amount, f.Code, f.Message, f.Comment
	info := f.Info(s.matcher.testOnly)
	s.events = append(s.events, event{
		id: payment.EventID(f.Transfer.Reference, f.Status), merchant: r.Merchant, reference: f.Transfer.Reference,
		status: f.Status, body: payment.Event(s.now, &info), at: s.now,
	})
	return nil
}

// further stores the surplus of a payment that does not decide. A payment of nothing leaves none.
func (s *settlement) further(ctx context.Context, reference string, p payment.Surplus, lt uint64) error {
	if p.Paid == nil || p.Paid.Sign() == 0 {
		return nil
	}
	_, err := s.tx.Exec(ctx, insertSurplus, reference, p.TxHash.Bytes(), p.TraceID.Bytes(), p.Paid.String(), p.PaidBy.Bytes(), int64(lt), int64(p.TxNow))
	return err
}

// refunds stores the refunds in traces of payments that are settled.
func (s *settlement) refunds(ctx context.Context, contents []chain.TraceContent) error {
	var paid []*payment.Record
	var references []string
	for reference, r := range s.records {
		if _, ok := r.Payer(); ok {
			paid, references = append(paid, r), append(references, reference)
		}
	}
	if len(paid) == 0 {
		return nil
	}
	slices.SortFunc(paid, func(a, b *payment.Record) int {
		return cmp.Or(cmp.Compare(b.TxLT, a.TxLT), cmp.Compare(a.Reference, b.Reference))
	})
	rows, err := s.tx.Query(ctx, selectRefunded, references)
	if err != nil {
		return err
	}
	stored := map[chain.Hash]string{}
	if err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { reference := r.Text(); stored[r.Hash()] = reference }); err != nil {
		return err
	}
	for i := range contents {
		for _, f := range payment.FindRefunds(&contents[i], paid, stored) {
			_, err := s.tx.Exec(ctx, insertRefund, f.Reference, f.TxHash.Bytes(), f.TraceID.Bytes(), f.Amount.String(), f.To.Bytes(), int64(f.LT), int64(f.Now))
			if err != nil {
				return err
			}
			stored[f.TxHash] = f.Reference
			r := s.records[f.Reference]
			info := r.RefundInfo(&f, s.matcher.testOnly)
			s.events = append(s.events, event{
				id: payment.RefundEventID(f.Reference, f.TxHash), merchant: r.Merchant, reference: f.Reference, status: payment.Refunded,
				body: payment.RefundEvent(s.now, &info), at: s.now,
			})
		}
	}
	return nil
}
