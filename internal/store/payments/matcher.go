package payments

import (
	"context"
	"fmt"
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
func (m *Matcher) SetTestOnly(testOnly bool) { m.testOnly = testOnly }

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
)

// Settle looks for registered transfers in complete traces and in pieces of others. The results, the events about them and the jobs
// that deliver these are part of the transaction that writes the traces. What was settled before changes nothing.
func (m *Matcher) Settle(ctx context.Context, tx pgx.Tx, complete []*traces.Completion, pieces []*traces.Piece) error {
	if m == nil || len(complete)+len(pieces) == 0 {
		return nil
	}
	if !m.busy {
		if err := tx.QueryRow(ctx, anyPayment).Scan(&m.busy); err != nil {
			return fmt.Errorf("payments: %w", err)
		}
		if !m.busy {
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
	s := &settlement{matcher: m, tx: tx, records: records, now: time.Now()}
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
	return deliver(ctx, tx, m.jobs, s.events)
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
