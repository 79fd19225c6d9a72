package payments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
)

// Matcher finds registered transfers in traces and creates the events for their merchants. It is for one goroutine:
// the mutex of its writer guards it.
type Matcher struct {
	jobs *river.Client[pgx.Tx]
	// busy is set once a registered transfer exists. Before that, traces are not searched.
	busy bool
	// testOnly is the flag of addresses that were not registered as text.
	testOnly bool
}

// NewMatcher returns a Matcher, which inserts its jobs through p.
func NewMatcher(p *Store) *Matcher { return &Matcher{jobs: p.jobs} }

// SetTestOnly sets the flag of addresses that were not registered as text.
func (d *Matcher) SetTestOnly(testOnly bool) { d.testOnly = testOnly }

const (
	anyPayment = `SELECT EXISTS (SELECT FROM payments)`

	selectMatching = selectPayments + ` WHERE p.reference = ANY($1)
		UNION SELECT ` + paymentColumns + ` FROM payments p WHERE p.body_hash = ANY($2)
		UNION SELECT ` + paymentColumns + ` FROM unnest($3::bigint[], $4::bytea[]) k(query_id, sender)
			JOIN payments p ON p.query_id = k.query_id AND p.sender = k.sender AND p.query_id < 0
		UNION SELECT ` + paymentColumns + ` FROM unnest($5::bytea[], $6::bytea[]) k(recipient, payer) CROSS JOIN LATERAL (
			SELECT * FROM payments x WHERE x.recipient = k.recipient AND coalesce(x.paid_by, x.sender) = k.payer AND x.status = 1
			ORDER BY x.tx_lt DESC LIMIT 20) p`
	lockPayments = `SELECT FROM payments WHERE reference = ANY($1) ORDER BY reference FOR UPDATE`

	settlePayment = `UPDATE payments SET status = $2, matched = $3, paid = $4, paid_by = $5, paid_comment = $6, trace_id = $7,
		tx_hash = $8, tx_lt = $9, tx_now = $10, error_code = $11, error_message = $12, received = $13, deducted = $14 WHERE reference = $1`
	insertSurplus = `INSERT INTO payment_surplus (reference, tx_hash, trace_id, paid, paid_by, tx_lt, tx_now)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	insertRefund = `INSERT INTO payment_refunds (reference, tx_hash, trace_id, amount, receiver, tx_lt, tx_now)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`
	selectRefunded = `SELECT reference, tx_hash FROM payment_refunds WHERE reference = ANY($1) ORDER BY reference, tx_hash`
)

// Settle looks for registered transfers in complete traces and in pieces of others. The results, the events about them and the jobs
// that deliver these are part of the transaction that writes the traces. What was settled before changes nothing.
func (d *Matcher) Settle(ctx context.Context, tx pgx.Tx, complete []*traces.Completion, pieces []*traces.Piece) error {
	if d == nil || len(complete)+len(pieces) == 0 {
		return nil
	}
	if !d.busy {
		if err := tx.QueryRow(ctx, anyPayment).Scan(&d.busy); err != nil {
			return fmt.Errorf("payments: %w", err)
		}
		if !d.busy {
			return nil
		}
	}
	contents, matchKeys := matchKeysOf(complete)
	ofPieces := keysOfPieces(pieces, matchKeys)
	records, err := matchingRecords(ctx, tx, matchKeys)
	if err != nil || len(records) == 0 {
		return err
	}
	if contents, err = withPieces(ctx, tx, contents, pieces, ofPieces, records); err != nil {
		return err
	}
	transfers := make([]*payment.Transfer, 0, len(records))
	for _, r := range records {
		transfers = append(transfers, &r.Transfer)
	}
	register := payment.NewRegister(transfers)
	s := &settlement{matcher: d, tx: tx, records: records, now: time.Now()}
	for i := range contents {
		for _, f := range register.Recognise(&contents[i]) {
			if err := s.take(ctx, &f); err != nil {
				return fmt.Errorf("payment %s: %w", f.Transfer.Reference, err)
			}
		}
	}
	if err := s.refunds(ctx, contents); err != nil {
		return fmt.Errorf("refunds: %w", err)
	}
	return deliver(ctx, tx, d.jobs, s.events)
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

func matchKeysOf(complete []*traces.Completion) ([]chain.TraceContent, *payment.MatchKeys) {
	contents, matchKeys := make([]chain.TraceContent, 0, len(complete)), &payment.MatchKeys{}
	for _, t := range complete {
		if len(t.Content) == 0 || len(t.Content) != len(t.Nodes) {
			continue // too large to be read; its pieces are searched as they are written
		}
		contents = append(contents, chain.TraceContent{Trace: t.Trace, Transactions: t.Content})
		matchKeys.Add(&contents[len(contents)-1])
	}
	return contents, matchKeys
}

// keysOfPieces returns the match keys of each piece, and adds them to all.
func keysOfPieces(pieces []*traces.Piece, all *payment.MatchKeys) []payment.MatchKeys {
	list := make([]payment.MatchKeys, len(pieces))
	for i, p := range pieces {
		list[i].Add(&chain.TraceContent{Trace: p.Trace, Transactions: p.Fresh})
		all.Merge(&list[i])
	}
	return list
}

// withPieces appends the pieces that have a match key of a record to complete traces. keys are those of each piece.
func withPieces(
	ctx context.Context, tx pgx.Tx, contents []chain.TraceContent, pieces []*traces.Piece, keys []payment.MatchKeys, records map[string]*payment.Record,
) ([]chain.TraceContent, error) {
	if len(pieces) == 0 {
		return contents, nil
	}
	wanted := payment.KeysOf(records)
	for i, p := range pieces {
		if !wanted.Match(&keys[i]) {
			continue
		}
		transactions, err := p.Content(ctx, tx)
		if err != nil {
			return nil, err
		}
		contents = append(contents, chain.TraceContent{Trace: p.Trace, Transactions: transactions})
	}
	return contents, nil
}

// matchingRecords reads the transfers that traces may have paid, and locks them.
func matchingRecords(ctx context.Context, tx pgx.Tx, c *payment.MatchKeys) (map[string]*payment.Record, error) {
	ids, senders := make([]int64, len(c.Queries)), make([]chain.Address, len(c.Queries))
	for i, q := range c.Queries {
		ids[i], senders[i] = int64(q.ID), q.Sender
	}
	pairs := sqlbuild.Unique(c.Pairs)
	recipients, payers := make([]chain.Address, len(pairs)), make([]chain.Address, len(pairs))
	for i, p := range pairs {
		recipients[i], payers[i] = p.From, p.To
	}
	names, bodies, froms := sqlbuild.Unique(c.References), sqlbuild.HashArray(sqlbuild.Unique(c.BodyHashes)), sqlbuild.AddressArray(senders)
	read := func() ([]payment.Record, error) {
		rows, err := tx.Query(ctx, selectMatching, names, bodies, ids, froms, sqlbuild.AddressArray(recipients), sqlbuild.AddressArray(payers))
		if err != nil {
			return nil, err
		}
		return readPayments(rows)
	}
	list, err := read()
	if err != nil || len(list) == 0 {
		return nil, err
	}
	references := make([]string, len(list))
	for i := range list {
		references[i] = list[i].Reference
	}
	if _, err := tx.Exec(ctx, lockPayments, references); err != nil {
		return nil, err
	}
	if list, err = read(); err != nil { // read again under the lock
		return nil, err
	}
	found := make(map[string]*payment.Record, len(list))
	for i := range list {
		found[list[i].Reference] = &list[i]
	}
	return found, nil
}

// further stores the surplus of a payment that does not decide. A payment of nothing leaves none.
func (s *settlement) further(ctx context.Context, reference string, p payment.Surplus, lt uint64) error {
	if p.Paid == nil || p.Paid.Sign() == 0 {
		return nil
	}
	_, err := s.tx.Exec(ctx, insertSurplus, reference, p.TxHash.Bytes(), p.TraceID.Bytes(), p.Paid.String(), p.PaidBy.Bytes(), int64(lt), int64(p.TxNow))
	return err
}

// settlement is the state of one transaction.
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
