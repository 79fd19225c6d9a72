package days

import (
	"context"
	"math/big"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/locks"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
)

var (
	// daySpans are the times in which the sums have every transaction: each is of ranges that follow each other without a gap.
	daySpans = `SELECT (array_agg(from_utime ORDER BY number))[1] AS from_utime, (array_agg(until_utime ORDER BY number DESC))[1] AS until_utime
		FROM (SELECT *, count(*) FILTER (WHERE apart) OVER (ORDER BY number) AS island
			FROM (SELECT *, first IS DISTINCT FROM lag(last) OVER (ORDER BY number) + 1 AS apart FROM valid) v) v GROUP BY island`
	// dayContents are the hashes of what days are computed from: own is of the ranges with transactions of a day, earlier of these and all
	// before them. A range that still grows has none, because each of its blocks would make the days outdated.
	dayContents = `SELECT t.day, sum(v.content) AS own, max(v.earlier) AS earlier, bool_and(v.number = v.last / 1000 AND v.last % 1000 = 999) AS full_ranges
		FROM day_totals t JOIN (SELECT *, sum(content::numeric) OVER (ORDER BY number) AS earlier FROM valid) v USING (number) GROUP BY t.day`

	withValidDays = `WITH valid AS MATERIALIZED (` + validDays + `), spans AS (` + daySpans + `), contents AS (` + dayContents + `) `

	// Days whose own rows are not counted come first, newest first; then those whose earlier days have changed, oldest first.
	selectOutdatedDay = withValidDays + `SELECT c.day FROM contents c LEFT JOIN day_states s USING (day)
		WHERE ((SELECT x.gen_utime FROM dropped_blocks x WHERE x.singleton) >= c.day::bigint * 86400 - 86400) IS NOT TRUE AND c.full_ranges AND (s.own IS DISTINCT FROM c.own OR s.earlier IS DISTINCT FROM c.earlier) AND c.day <> ALL($1::int[])
			AND EXISTS (SELECT FROM spans p WHERE p.from_utime < (c.day::bigint + 1) * 86400 AND p.until_utime >= (c.day::bigint + 1) * 86400)
		ORDER BY s.own IS NOT DISTINCT FROM c.own, CASE WHEN s.own IS NOT DISTINCT FROM c.own THEN c.day ELSE -c.day END LIMIT 1`
	selectDayContents = withValidDays + `SELECT own::text, earlier::text, day = (SELECT min(day) FROM contents) FROM contents WHERE day = $1`
	selectActive      = `SELECT count(DISTINCT account) FROM transactions WHERE now >= $1 AND now < $2`
	selectJettonDay   = `WITH moved AS (
			SELECT o.jetton, count(*) AS transfers, sum(o.amount) AS amount FROM jetton_transfers o
			WHERE NOT o.tx_aborted AND o.tx_now >= $1 AND o.tx_now < $2 GROUP BY o.jetton
		), touched AS (
			SELECT h.wallet, min(h.lt) AS first_lt, max(h.lt) AS last_lt FROM transactions t
			JOIN jetton_balances h ON h.wallet = t.account AND h.lt = t.lt WHERE t.now >= $3 AND t.now < $2 GROUP BY h.wallet
		), changed AS (
			SELECT l.jetton, sum((l.balance > 0)::int - COALESCE(p.balance > 0, false)::int) AS holders, sum(l.balance - COALESCE(p.balance, 0)) AS supply
			FROM touched w JOIN jetton_balances l ON l.wallet = w.wallet AND l.lt = w.last_lt
			LEFT JOIN LATERAL (SELECT h.balance FROM jetton_balances h WHERE h.wallet = w.wallet AND h.lt < w.first_lt ORDER BY h.lt DESC LIMIT 1) p ON true
			GROUP BY l.jetton
		) SELECT jetton, COALESCE(m.transfers, 0), COALESCE(m.amount, 0), COALESCE(c.holders, 0), COALESCE(c.supply, 0)
		FROM moved m FULL JOIN changed c USING (jetton) ORDER BY jetton`

	// A state of rows that have changed meanwhile is not stored.
	storeDayState = withValidDays + `UPDATE day_states s SET own = c.own, earlier = c.earlier, active = $4, settled = true FROM contents c
		WHERE s.day = $1 AND c.day = $1 AND c.own = $2::text::numeric AND c.earlier = $3::text::numeric`
	// Blocks that were indexed again have the same rows.
	settleDays = withValidDays + `UPDATE day_states s SET settled = true FROM contents c
		WHERE NOT s.settled AND c.day = s.day AND c.own = s.own AND c.earlier = s.earlier`
	deleteJettonDays = `DELETE FROM jetton_days WHERE day = $1`
	insertJettonDays = `INSERT INTO jetton_days (jetton, day, transfers, amount, holders, supply)
		SELECT j, $1, t, a, h, s FROM unnest($2::bytea[], $3::bigint[], $4::text[]::numeric[], $5::bigint[], $6::text[]::numeric[]) r(j, t, a, h, s)`
)

// OutdatedDay returns a complete day whose state is missing, or was computed from other rows, except days of skip.
func (r *Reader) OutdatedDay(ctx context.Context, skip []int32) (day uint32, outdated bool, err error) {
	err = pgx.BeginTxFunc(ctx, r.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := session.Unrestricted(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, selectOutdatedDay, append([]int32{}, skip...))
		if err != nil {
			return err
		}
		return sqlbuild.VisitRows(rows, func(row *sqlbuild.Row) { day, outdated = uint32(row.Int4()), true })
	})
	return day, outdated, sqlbuild.Fault(ctx, "outdated days", err)
}

// Settle finds the days whose state is that of the rows after a change of blocks, which needs no computation.
func Settle(ctx context.Context, pool *pgxpool.Pool) error {
	return sqlbuild.Fault(ctx, "states of days", locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		if err := session.Unrestricted(ctx, tx); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, settleDays)
		return err
	}))
}

// dayState is what is computed from all rows of a day.
type dayState struct {
	own, earlier string
	active       int64
	jettons      []jettonDay
}

type jettonDay struct {
	jetton             chain.Address
	transfers, holders int64
	amount, supply     *big.Int
}

// StoreState computes the state of a complete day in one snapshot and stores it in place of an earlier one. It has the hashes of its rows,
// so readers ignore it when the rows have changed since.
func StoreState(ctx context.Context, pool *pgxpool.Pool, r *Reader, day uint32) error {
	s, err := r.dayState(ctx, day)
	if err != nil || s == nil {
		return err
	}
	n := len(s.jettons)
	jettons, transfers, amounts := make([]chain.Address, n), make([]int64, n), make([]string, n)
	holders, supplies := make([]int64, n), make([]string, n)
	for i, j := range s.jettons {
		jettons[i], transfers[i], amounts[i], holders[i], supplies[i] = j.jetton, j.transfers, j.amount.String(), j.holders, j.supply.String()
	}
	err = locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, storeDayState, int32(day), s.own, s.earlier, s.active)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		b := &pgx.Batch{}
		b.Queue(deleteJettonDays, int32(day))
		b.Queue(insertJettonDays, int32(day), sqlbuild.AddressArray(jettons), transfers, amounts, holders, supplies)
		return tx.SendBatch(ctx, b).Close()
	})
	return sqlbuild.Fault(ctx, "state of a day", err)
}

// dayState computes the state of a day in one snapshot, nil for a day without rows.
func (r *Reader) dayState(ctx context.Context, day uint32) (s *dayState, err error) {
	err = r.inSnapshot(ctx, func(tx pgx.Tx) error {
		s, err = readDayState(ctx, tx, day)
		return err
	})
	return s, sqlbuild.Fault(ctx, "state of a day", err)
}

// inSnapshot calls f in a transaction that reads one state of the database, with the plans of statements that read all rows of a range of blocks.
func (r *Reader) inSnapshot(ctx context.Context, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, r.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := session.Sorted(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

func readDayState(ctx context.Context, tx pgx.Tx, day uint32) (s *dayState, err error) {
	if err := session.Unrestricted(ctx, tx); err != nil { // for the hashes of all ranges
		return nil, err
	}
	var first bool
	rows, err := tx.Query(ctx, selectDayContents, int32(day))
	if err != nil {
		return nil, err
	}
	if err := sqlbuild.VisitRows(rows, func(row *sqlbuild.Row) { s, first = &dayState{own: row.Text(), earlier: row.Text()}, row.Bool() }); err != nil || s == nil {
		return nil, err
	}
	if err := session.Sorted(ctx, tx); err != nil {
		return nil, err
	}
	from, to := int64(day)*chain.SecondsPerDay, (int64(day)+1)*chain.SecondsPerDay
	if err := tx.QueryRow(ctx, selectActive, from, to).Scan(&s.active); err != nil {
		return nil, err
	}
	since := from
	if first { // the first blocks of an index that begin no range may be of the day before
		since = 0
	}
	rows, err = tx.Query(ctx, selectJettonDay, from, to, since)
	if err != nil {
		return nil, err
	}
	s.jettons, err = sqlbuild.ReadAll(rows, 64, func(row *sqlbuild.Row, j *jettonDay) {
		j.jetton, j.transfers, j.amount, j.holders, j.supply = row.Address(), row.Int8(), row.Numeric(), row.Int8(), row.Numeric()
	})
	return s, err
}

// CompareDayStates computes the state of each stored day of masterchain blocks again and reports those that differ. It can run beside a writer.
func (r *Reader) CompareDayStates(ctx context.Context, within chain.SeqnoRange, differ func(seqno uint32, key, what string)) error {
	days, err := sqlbuild.Collect(ctx, r.pool, "states of days", 16, func(row *sqlbuild.Row, day *uint32) { *day = uint32(row.Int4()) },
		`SELECT s.day FROM day_states s WHERE EXISTS (SELECT FROM day_totals t WHERE t.day = s.day AND t.number BETWEEN $1 AND $2) ORDER BY s.day`,
		int64(within.First/chain.DigestBlocks), int64(within.Last/chain.DigestBlocks))
	if err != nil {
		return err
	}
	for _, day := range days {
		err := r.inSnapshot(ctx, func(tx pgx.Tx) error { return compareDayState(ctx, tx, day, differ) })
		if err != nil {
			return sqlbuild.Fault(ctx, "states of days", err)
		}
	}
	return nil
}

// selectStoredDay reads the state of a day, if it is that of the sums that are there.
var selectStoredDay = withValidDays + `SELECT s.active, (SELECT min(v.first) FROM day_totals t JOIN valid v USING (number) WHERE t.day = s.day)
	FROM day_states s JOIN contents c USING (day) WHERE s.day = $1 AND s.own = c.own AND s.earlier = c.earlier`

// compareDayState compares the state of a day with the rows of one snapshot.
func compareDayState(ctx context.Context, tx pgx.Tx, day uint32, differ func(seqno uint32, key, what string)) error {
	if err := session.Unrestricted(ctx, tx); err != nil { // for the hashes of all ranges
		return err
	}
	var active int64
	var seqno uint32
	valid := false
	err := sqlbuild.Each(ctx, tx, "states of days", func(row *sqlbuild.Row) { active, seqno, valid = row.Int8(), row.Uint32(), true }, selectStoredDay, int32(day))
	if err != nil || !valid {
		return err
	}
	want, err := readDayState(ctx, tx, day)
	if err != nil || want == nil {
		return err
	}
	got := map[chain.Address]jettonDay{}
	err = sqlbuild.Each(ctx, tx, "Jettons of a day", func(row *sqlbuild.Row) {
		j := jettonDay{jetton: row.Address(), transfers: row.Int8(), amount: row.Numeric(), holders: row.Int8(), supply: row.Numeric()}
		got[j.jetton] = j
	}, `SELECT jetton, transfers, amount, holders, supply FROM jetton_days WHERE day = $1`, int32(day))
	if err != nil {
		return err
	}
	key := "day " + dayText(day)
	if active != want.active {
		differ(seqno, key, "the number of active accounts is not that of the rows")
	}
	for _, w := range want.jettons {
		g, ok := got[w.jetton]
		if !ok || g.transfers != w.transfers || g.holders != w.holders || g.amount.Cmp(w.amount) != 0 || g.supply.Cmp(w.supply) != 0 {
			differ(seqno, key+" "+w.jetton.String(), "the sums of the Jetton are not those of the rows")
		}
		delete(got, w.jetton)
	}
	for jetton := range got {
		differ(seqno, key+" "+jetton.String(), "the Jetton has no rows")
	}
	return nil
}
