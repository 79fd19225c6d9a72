package days

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/big"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// dayVersion is the version of the definition of the sums per day. Increase it when they change without a change of the rows.
const dayVersion = 1

// dayStep is the number of masterchain blocks whose transactions are in memory at once while they are summed up.
const dayStep = 20

// shardLag is the number of masterchain blocks within which a shard block is committed. A shard without a block in so many stands still.
const shardLag = 64

const (
	markDays = `INSERT INTO day_ranges (number, token, target) VALUES ($1, $2, $3)
		ON CONFLICT (number) DO UPDATE SET token = excluded.token, target = excluded.target`
	// A writer that has changed rows of the blocks since the mark has deleted it.
	fillDays = `UPDATE day_ranges SET version = $3, first = $4, last = target, content = $5, from_utime = $6, until_utime = $7
		WHERE number = $1 AND token = $2`
	deleteDayTotals = `DELETE FROM day_totals WHERE number = $1`
	insertDayTotals = `INSERT INTO day_totals (number, day, transactions, fees) SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::text[]::numeric[])`
	// The days and all later ones have to be looked at again: holders of a day depend on all blocks before it.
	insertDayStates = `INSERT INTO day_states (day, settled) SELECT d, false FROM unnest($1::int[]) d ON CONFLICT DO NOTHING`
	unsettleDays    = `UPDATE day_states SET settled = false WHERE day >= (SELECT min(d) FROM unnest($1::int[]) d) AND settled`
	selectDayToken  = `SELECT count(*) FROM day_ranges WHERE number = $1 AND token = $2`

	selectDayRows = `SELECT t.account, t.lt, t.now, t.total_fees, CASE WHEN t.total_fees IS NULL THEN t.boc END FROM transactions t
		WHERE t.mc_seqno BETWEEN $1 AND $2`
	// Balances and transfers of Jettons are found after their transactions, too; sums of days that cover them follow this hash.
	selectDayContent = `SELECT ((SELECT COALESCE(sum(hashtextextended(h::text, 0)), 0) FROM transactions t
			JOIN jetton_balances h ON h.wallet = t.account AND h.lt = t.lt WHERE t.mc_seqno BETWEEN $1 AND $2)
		+ (SELECT COALESCE(sum(hashtextextended(o.jetton::text || o.amount || o.tx_aborted, o.tx_lt)), 0) FROM transactions t
			JOIN jetton_transfers o ON o.source_wallet = t.account AND o.tx_lt = t.lt WHERE t.mc_seqno BETWEEN $1 AND $2))::text`
	// The blocks of a shard follow each other in time, so later ones have no transaction before its latest block.
	selectDayTimes = `SELECT (SELECT min(b.gen_utime) FROM blocks b WHERE b.mc_seqno = $1 AND b.workchain = -1),
		least((SELECT min(b.gen_utime) FROM blocks b WHERE b.mc_seqno = $2 AND b.workchain = -1),
			(SELECT min(greatest(b.gen_utime, (SELECT min(m.gen_utime) FROM blocks m WHERE m.mc_seqno = $3 AND m.workchain = -1)))
				FROM shards s JOIN blocks b USING (workchain, shard, seqno) WHERE s.mc_seqno = $2))`
)

// daySums are the sums of masterchain blocks.
type daySums struct {
	within      chain.SeqnoRange
	totals      map[uint32]*dayTotal // by day
	keys        uint64               // sum of the hashes of the keys of transactions
	content     int64
	from, until int64
}

type dayTotal struct {
	transactions int64
	fees         *big.Int
}

// Store computes the sums per day of masterchain blocks and stores them in place of earlier ones. The blocks begin at a range of
// [chain.DigestRange] and end in it. stored is false when the rows changed meanwhile, or the reader's database does not have them yet.
func Store(ctx context.Context, pool *pgxpool.Pool, r *Reader, within chain.SeqnoRange) (stored bool, err error) {
	number := int64(within.First / chain.DigestBlocks)
	if within != chain.DayBlocks(uint32(number), within.Last) || within.First > within.Last {
		return false, chain.Invalidf("masterchain blocks %d to %d have no sums of their own", within.First, within.Last)
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	token := int64(binary.BigEndian.Uint64(random[:])>>2) + 1
	err = locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		locks.QueueApply(b)
		b.Queue(markDays, number, token, int64(within.Last))
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return false, sqlbuild.Fault(ctx, "mark of sums per day", err)
	}
	sums, err := r.daySums(ctx, within, token)
	if err != nil || sums == nil {
		return false, err
	}
	err = locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, fillDays, number, token, int16(dayVersion), int64(within.First), sums.content, sums.from, sums.until)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		stored = true
		var days []int32
		var counts []int64
		var fees []string
		for day, t := range sums.totals {
			days, counts, fees = append(days, int32(day)), append(counts, t.transactions), append(fees, t.fees.String())
		}
		b := &pgx.Batch{}
		b.Queue(deleteDayTotals, number)
		b.Queue(insertDayTotals, number, days, counts, fees)
		b.Queue(insertDayStates, days)
		b.Queue(unsettleDays, days)
		return tx.SendBatch(ctx, b).Close()
	})
	return stored && err == nil, sqlbuild.Fault(ctx, "sums per day", err)
}

// daySums computes sums in one snapshot; nil when it lacks the mark with a token.
func (r *Reader) daySums(ctx context.Context, within chain.SeqnoRange, token int64) (sums *daySums, err error) {
	err = r.inSnapshot(ctx, func(tx pgx.Tx) error {
		var n int
		if err := tx.QueryRow(ctx, selectDayToken, int64(within.First/chain.DigestBlocks), token).Scan(&n); err != nil || n == 0 {
			return err
		}
		indexed, err := indexrange.Read(ctx, tx)
		if err == nil {
			err = indexrange.NotIndexed(within.MissingIn(indexed))
		}
		if err != nil {
			return err
		}
		sums = &daySums{within: within, totals: map[uint32]*dayTotal{}}
		return sums.read(ctx, tx, r)
	})
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "sums per day", err)
	}
	return sums, nil
}

func (s *daySums) read(ctx context.Context, tx pgx.Tx, r *Reader) error {
	for first := uint64(s.within.First); first <= uint64(s.within.Last); first += dayStep {
		last := min(first+dayStep-1, uint64(s.within.Last))
		rows, err := s.readRows(ctx, tx, int64(first), int64(last))
		if err == nil {
			err = r.readFees(ctx, tx, rows)
		}
		if err != nil {
			return err
		}
		s.add(rows)
	}
	var jettons string
	if err := tx.QueryRow(ctx, selectDayContent, int64(s.within.First), int64(s.within.Last)).Scan(&jettons); err != nil {
		return fmt.Errorf("read Jettons of the blocks: %w", err)
	}
	sum := fnv.New64a()
	_, _ = fmt.Fprint(sum, s.keys, jettons, s.within.First, s.within.Last)
	s.content = int64(sum.Sum64())
	var from, until *int64
	before := max(int64(s.within.Last)-shardLag, 1)
	if err := tx.QueryRow(ctx, selectDayTimes, int64(s.within.First), int64(s.within.Last), before).Scan(&from, &until); err != nil {
		return fmt.Errorf("times of the blocks: %w", err)
	}
	if from != nil && s.within.First > 1 { // nothing is before the first block
		s.from = *from
	}
	if until != nil {
		s.until = *until
	}
	return nil
}

// dayRow is a transaction as it is summed up.
type dayRow struct {
	now, fees int64
	boc       []byte // nil: fees is a column
}

// readRows reads the transactions of masterchain blocks, and adds their keys to the hash of the content.
func (s *daySums) readRows(ctx context.Context, tx pgx.Tx, first, last int64) ([]dayRow, error) {
	sum := fnv.New64a()
	found, err := tx.Query(ctx, selectDayRows, first, last)
	if err != nil {
		return nil, fmt.Errorf("transactions: %w", err)
	}
	rows, err := sqlbuild.ReadAll(found, 256, func(c *sqlbuild.Row, t *dayRow) {
		sum.Reset()
		_, _ = sum.Write(c.Next())
		var key [8]byte
		binary.BigEndian.PutUint64(key[:], uint64(c.Int8()))
		_, _ = sum.Write(key[:])
		s.keys += sum.Sum64()
		t.now, t.fees = c.Int8(), c.Int8OrZero()
		t.boc = c.Bytes()
	})
	if err != nil {
		return nil, fmt.Errorf("transactions: %w", err)
	}
	return rows, nil
}

// readFees replaces the fees of rows that have a raw transaction by those in it.
func (r *Reader) readFees(ctx context.Context, tx pgx.Tx, rows []dayRow) error {
	var stored [][]byte
	for i := range rows {
		if len(rows[i].boc) > 0 {
			stored = append(stored, rows[i].boc)
		}
	}
	if err := r.dictionaries.Decode(ctx, tx, stored); err != nil {
		return fmt.Errorf("raw transactions: %w", err)
	}
	var raw rawtx.Transaction
	for i := range rows {
		if len(rows[i].boc) == 0 {
			continue
		}
		var read chain.Transaction
		if raw.Parse(stored[0], nil) != nil || raw.Read(&read) != nil {
			read.TotalFees = 0 // tonql verify reports the row
		}
		rows[i].fees, stored = int64(read.TotalFees), stored[1:]
	}
	return nil
}

// add adds transactions to the sums of their days.
func (s *daySums) add(rows []dayRow) {
	var fees big.Int
	for i := range rows {
		day := uint32(rows[i].now / chain.SecondsPerDay)
		total := s.totals[day]
		if total == nil {
			total = &dayTotal{fees: new(big.Int)}
			s.totals[day] = total
		}
		total.transactions++
		total.fees.Add(total.fees, fees.SetInt64(rows[i].fees))
	}
}

var (
	// validDays are the rows of day_ranges that are computed and whose blocks are indexed, or were until they were dropped.
	validDays = `SELECT d.number, d.first, d.last, d.content, d.from_utime, d.until_utime FROM day_ranges d
		WHERE d.version = ` + strconv.Itoa(dayVersion) + ` AND (d.last <= ` + indexrange.LastDropped + `
			OR EXISTS (SELECT FROM indexed_ranges i WHERE i.first <= greatest(d.first, ` + indexrange.LastDropped + ` + 1) AND i.last >= d.last))`
	// retainedDays is the condition that no block of a range d was dropped: its sums can be computed from its rows.
	retainedDays = `(d.first <= ` + indexrange.LastDropped + `) IS NOT TRUE`
	// The newest range comes first, so that the days of the head are the first to be there.
	selectMissingDays = `SELECT n FROM generate_series($1::bigint, $2::bigint) n
		WHERE n <> ALL($3::bigint[]) AND NOT EXISTS (SELECT FROM day_ranges d WHERE d.number = n AND d.version = $4 AND d.last >= least(n * $5 + $5 - 1, $6))
		ORDER BY n DESC LIMIT 1`
)

// MissingDays returns the newest masterchain blocks without sums per day, in a range that is indexed, except those whose numbers are in skip.
func (r *Reader) MissingDays(ctx context.Context, indexed chain.SeqnoRange, skip []int64) (within chain.SeqnoRange, missing bool, err error) {
	first := int64(indexed.First+chain.DigestBlocks-1) / chain.DigestBlocks
	if indexed.First <= 1 {
		first = 0
	}
	err = sqlbuild.Each(ctx, r.pool, "blocks without sums per day", func(row *sqlbuild.Row) {
		within, missing = chain.DayBlocks(uint32(row.Int8()), indexed.Last), true
	}, selectMissingDays, first, int64(indexed.Last)/chain.DigestBlocks, append([]int64{}, skip...), int64(dayVersion), int64(chain.DigestBlocks), int64(indexed.Last))
	return within, missing, err
}

// CompareDays computes the sums per day that are stored for blocks of a range again, and returns those that differ, as text by masterchain
// block. It can run beside a writer.
func (r *Reader) CompareDays(ctx context.Context, within chain.SeqnoRange, differ func(seqno uint32, key, what string)) error {
	var numbers []int64
	err := sqlbuild.Each(ctx, r.pool, "sums per day", func(row *sqlbuild.Row) { numbers = append(numbers, row.Int8()) },
		`SELECT number FROM (`+validDays+`) d WHERE number BETWEEN $1 AND $2 AND `+retainedDays+` ORDER BY number`,
		int64(within.First/chain.DigestBlocks), int64(within.Last/chain.DigestBlocks))
	if err != nil {
		return err
	}
	for _, number := range numbers {
		if err := r.inSnapshot(ctx, func(tx pgx.Tx) error { return r.compareDays(ctx, tx, number, differ) }); err != nil {
			return sqlbuild.Fault(ctx, "sums per day", err)
		}
	}
	return nil
}

// compareDays compares the sums of a range with its rows. All of them are of one snapshot, because the sums of the newest blocks are computed
// again as these grow.
func (r *Reader) compareDays(ctx context.Context, tx pgx.Tx, number int64, differ func(seqno uint32, key, what string)) error {
	var blocks chain.SeqnoRange
	var content int64
	valid := false
	err := sqlbuild.Each(ctx, tx, "sums per day", func(row *sqlbuild.Row) {
		row.Int8()
		blocks, content, valid = chain.SeqnoRange{First: row.Uint32(), Last: row.Uint32()}, row.Int8(), true
	}, `SELECT number, first, last, content FROM (`+validDays+`) d WHERE number = $1 AND `+retainedDays, number)
	if err != nil || !valid {
		return err
	}
	stored := map[uint32]*dayTotal{}
	err = sqlbuild.Each(ctx, tx, "sums per day", func(row *sqlbuild.Row) {
		stored[uint32(row.Int4())] = &dayTotal{row.Int8(), row.Numeric()}
	}, `SELECT day, transactions, fees FROM day_totals WHERE number = $1`, number)
	if err != nil {
		return err
	}
	want := &daySums{within: blocks, totals: map[uint32]*dayTotal{}}
	if err := want.read(ctx, tx, r); err != nil {
		return err
	}
	for day, t := range want.totals {
		got := stored[day]
		if got == nil || got.transactions != t.transactions || got.fees.Cmp(t.fees) != 0 {
			differ(blocks.First, fmt.Sprintf("day %d", day), "the sums are not those of the rows")
		}
		delete(stored, day)
	}
	for day := range stored {
		differ(blocks.First, fmt.Sprintf("day %d", day), "has no transactions")
	}
	if content != want.content {
		differ(blocks.First, fmt.Sprintf("range %d", number), "the rows have changed since the sums were computed")
	}
	return nil
}
