package days

import (
	"context"
	"math/big"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

var (
	// withDaysOf has the ranges of the days of a chart, and of a day before and after them: shards are not equally far.
	withDaysOf = `WITH valid AS MATERIALIZED (` + validDays + ` AND d.until_utime >= ($1::bigint - 1) * 86400 AND d.from_utime < ($2::bigint + 2) * 86400), spans AS MATERIALIZED (` + daySpans + `) `

	// ownDays are the sums of days, and of the hashes of their ranges.
	ownDays = `SELECT t.day, sum(t.transactions)::bigint AS transactions, sum(t.fees) AS fees, sum(v.content) AS own
			FROM day_totals t CROSS JOIN LATERAL (` + validDays + ` AND d.number = t.number) v WHERE t.day BETWEEN $1 AND $2 GROUP BY t.day`

	// SelectSpans reads the times in which the sums have every transaction.
	SelectSpans = withDaysOf + `SELECT from_utime, until_utime FROM spans ORDER BY from_utime`
	// SelectTotals reads the sums of days.
	SelectTotals = withDaysOf + `SELECT t.day, t.transactions, t.fees, CASE WHEN s.own = t.own THEN s.active END FROM (` + ownDays + `) t
		LEFT JOIN day_states s USING (day) ORDER BY t.day`
	// SelectJettonDays reads the sums of a Jetton. Holders and supply are sums of the changes of all days up to one, so all of these have to be settled.
	SelectJettonDays = withDaysOf + `, own AS MATERIALIZED (` + ownDays + `),
		days AS (SELECT s.day, s.own, bool_and(s.settled) OVER (ORDER BY s.day) AS settled FROM day_states s WHERE s.day <= $2),
		sums AS MATERIALIZED (SELECT j.day, j.transfers, j.amount, sum(j.holders) OVER (ORDER BY j.day)::bigint AS holders, sum(j.supply) OVER (ORDER BY j.day) AS supply
			FROM jetton_days j WHERE j.jetton = $3 AND j.day <= $2)
		SELECT d.day, CASE WHEN j.day = d.day THEN j.transfers ELSE 0 END, CASE WHEN j.day = d.day THEN j.amount ELSE 0 END,
			CASE WHEN d.settled THEN COALESCE(j.holders, 0) END, CASE WHEN d.settled THEN COALESCE(j.supply, 0) END
		FROM days d JOIN own o ON o.day = d.day AND o.own = d.own
		LEFT JOIN LATERAL (SELECT * FROM sums WHERE sums.day <= d.day ORDER BY sums.day DESC LIMIT 1) j ON true
		WHERE d.day BETWEEN $1 AND $2 AND EXISTS (SELECT FROM spans p WHERE p.from_utime < d.day::bigint * 86400 AND p.until_utime >= (d.day::bigint + 1) * 86400)
		ORDER BY d.day`
)

// NetworkDays returns the sums of days. Days without transactions are among them when they are complete.
func (r *Reader) NetworkDays(ctx context.Context, within chain.DayRange) (*chain.NetworkDays, error) {
	var spans []chain.DaySpan
	first, last := int64(within.First), int64(within.Last)
	err := sqlbuild.Each(ctx, r.pool, "times of sums per day", func(row *sqlbuild.Row) {
		spans = append(spans, chain.DaySpan{From: row.Uint32(), Until: row.Uint32()})
	}, SelectSpans, first, last)
	if err != nil {
		return nil, err
	}
	found := map[uint32]chain.NetworkDay{}
	err = sqlbuild.Each(ctx, r.pool, "sums per day", func(row *sqlbuild.Row) {
		day := uint32(row.Int4())
		d := chain.NetworkDay{Transactions: row.Int8(), Fees: row.Numeric()}
		d.ActiveAccounts = row.OptionalInt8()
		found[day] = d
	}, SelectTotals, first, last)
	if err != nil {
		return nil, err
	}
	result := &chain.NetworkDays{Days: []chain.NetworkDay{}}
	if n := len(spans); n > 0 {
		result.CompleteFrom, result.CompleteUntil = &spans[n-1].From, &spans[n-1].Until
	}
	for day := uint64(within.First); day <= uint64(within.Last); day++ {
		d, ok := found[uint32(day)]
		d.Date = uint32(day * chain.SecondsPerDay)
		for _, s := range spans {
			d.Complete = d.Complete || s.Holds(uint32(day))
		}
		if !d.Complete {
			d.ActiveAccounts = nil
		}
		if !ok {
			if !d.Complete || len(result.Days) == 0 && spans[0].From == 0 { // before the chain
				continue
			}
			d.Fees, d.ActiveAccounts = new(big.Int), new(int64)
		}
		result.Days = append(result.Days, d)
	}
	return result, nil
}

// JettonDays returns the sums of a Jetton on complete days.
func (r *Reader) JettonDays(ctx context.Context, jetton chain.Address, within chain.DayRange) (*chain.JettonDays, error) {
	days, err := sqlbuild.Collect(ctx, r.pool, "sums of a Jetton per day", 32, func(row *sqlbuild.Row, d *chain.JettonDay) {
		d.Date = uint32(row.Int4()) * chain.SecondsPerDay
		d.Transfers, d.Amount, d.Holders = row.Int8(), row.Numeric(), row.OptionalInt8()
		d.Supply = row.Numeric()
	}, SelectJettonDays, int64(within.First), int64(within.Last), sqlbuild.AddressArray([]chain.Address{jetton})[0])
	if err != nil {
		return nil, err
	}
	result := &chain.JettonDays{Days: days}
	if n := len(days); n > 0 {
		until := days[n-1].Date + chain.SecondsPerDay
		result.CompleteUntil = &until
	}
	return result, nil
}

func dayText(day uint32) string {
	return time.Unix(int64(day)*chain.SecondsPerDay, 0).UTC().Format(time.DateOnly)
}
