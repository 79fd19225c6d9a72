package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// selectCounterparties reads the newest messages of an account in each direction, of which $2 are counted. One more shows that there are
// more. A row without an account has the time of the newest message that was not counted.
const selectCounterparties = `WITH sent AS MATERIALIZED (
		SELECT m.destination AS other, m.kind, m.source, m.value, m.created_at, row_number() OVER (ORDER BY m.lt DESC) AS n
		FROM (SELECT * FROM messages c WHERE c.account = $1 ORDER BY c.lt DESC LIMIT $2::bigint + 1) m
	), received AS MATERIALIZED (
		SELECT COALESCE(m.source, m.account) AS other, m.kind, m.destination, m.value, m.created_at, row_number() OVER (ORDER BY COALESCE(m.created_lt, m.lt) DESC) AS n
		FROM (SELECT * FROM messages c WHERE substr(sha256(c.destination), 1, 7) = substr(sha256($1), 1, 7) AND c.destination IS NOT NULL
			ORDER BY COALESCE(c.created_lt, c.lt) DESC LIMIT $2::bigint + 1) m
	), counted AS (
		SELECT other, 0 AS received, 1 AS sent, 0::bigint AS received_value, COALESCE(value, 0) AS sent_value FROM sent
			WHERE n <= $2 AND kind = 0 AND source IS NULL
		UNION ALL SELECT other, 1, 0, COALESCE(value, 0), 0 FROM received WHERE n <= $2 AND kind = 0 AND destination = $1
	)
	(SELECT NULL, 0, 0, 0::numeric, 0::numeric, max(created_at) FROM (SELECT * FROM sent UNION ALL SELECT * FROM received) m WHERE n > $2)
	UNION ALL (SELECT other, sum(received)::int, sum(sent)::int, sum(received_value), sum(sent_value), NULL FROM counted
		GROUP BY other ORDER BY count(*) DESC, other LIMIT $3)`

// Counterparties returns the accounts with which an account exchanged most messages, of its newest [chain.CountedMessages] in each direction.
func (r *Reader) Counterparties(ctx context.Context, account chain.Address, limit int) (*chain.Counterparties, error) {
	result := &chain.Counterparties{Accounts: []chain.Counterparty{}}
	err := sqlbuild.Each(ctx, r.pool, "counterparties", func(row *sqlbuild.Row) {
		var c chain.Counterparty
		other := row.SetAddress(&c.Address)
		c.Received, c.Sent, c.ReceivedValue, c.SentValue = int(row.Int4()), int(row.Int4()), row.Numeric(), row.Numeric()
		since := row.OptionalInt8()
		switch {
		case other != nil:
			result.Accounts = append(result.Accounts, c)
		case since != nil:
			at := uint32(*since)
			result.CompleteFrom = &at
		}
	}, selectCounterparties, sqlbuild.AddressArray([]chain.Address{account})[0], int64(chain.CountedMessages), int64(limit))
	return result, err
}
