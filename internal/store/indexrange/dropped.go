package indexrange

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	// SelectDropped reads the newest masterchain block that was dropped, for [ScanDroppedGap].
	SelectDropped = `SELECT last, end_lt, gen_utime, coalesce(gap_last, 0), coalesce(gap_lt, 0) FROM dropped_blocks WHERE singleton`
	// selectDroppedBefore leaves out what was dropped here because it moved to cold servers.
	selectDroppedBefore = SelectDropped + ` AND NOT EXISTS (SELECT FROM cold_blocks)
		UNION ALL SELECT c.dropped_last, c.dropped_end_lt, c.dropped_gen_utime, coalesce(d.gap_last, 0), coalesce(d.gap_lt, 0)
			FROM (SELECT * FROM cold_blocks ORDER BY step LIMIT 1) c, dropped_blocks d WHERE c.dropped_last IS NOT NULL`
	// LastDropped is an expression: the newest masterchain block that was dropped, NULL without one.
	LastDropped = `(SELECT x.last FROM dropped_blocks x WHERE x.singleton)`

	// Blocks of other shards are at most one in a second of each shard.
	selectOlder = `SELECT b.seqno FROM blocks b WHERE b.gen_utime < $1 AND b.workchain = -1
		ORDER BY b.gen_utime DESC, b.workchain DESC, b.shard DESC, b.seqno DESC LIMIT 1`
	selectNewestTime = `SELECT b.gen_utime FROM (SELECT max(last) AS last FROM indexed_ranges) i
		JOIN blocks b ON b.workchain = -1 AND b.shard = '-9223372036854775808'::bigint AND b.seqno = i.last`

	selectTransactionsOf = `SELECT COALESCE(sum(tx_count), 0)::bigint FROM blocks WHERE mc_seqno BETWEEN $1 AND $2`
)

// ScanDropped reads the position of a block that was dropped.
func ScanDropped(r *sqlbuild.Row) chain.Dropped {
	return chain.Dropped{Last: r.Uint32(), EndLT: r.LT(), GenUtime: r.Uint32()}
}

// ScanDroppedGap reads a row of [SelectDropped].
func ScanDroppedGap(r *sqlbuild.Row) chain.Dropped {
	d := ScanDropped(r)
	d.Gap, d.GapLT = r.Uint32(), r.LT()
	return d
}

// Dropped returns the newest masterchain block that was dropped. It is read outside of a snapshot, because responses about it are errors, which
// appear only after the last query.
func (r *Reader) Dropped(ctx context.Context) (d chain.Dropped, err error) {
	if sqlbuild.Divided(ctx) {
		err = sqlbuild.Each(ctx, r.unchanging(), "dropped blocks", func(r *sqlbuild.Row) { d = ScanDroppedGap(r) }, selectDroppedBefore)
		return d, err
	}
	err = sqlbuild.Each(ctx, r.unchanging(), "dropped blocks", func(r *sqlbuild.Row) { d = ScanDroppedGap(r) }, SelectDropped)
	return d, err
}

// NewestOlder returns the newest indexed masterchain block that is more than age seconds older than the newest one, or than now if that is
// earlier; 0 without one.
func (r *Reader) NewestOlder(ctx context.Context, now time.Time, age int64) (seqno uint32, err error) {
	var newest int64
	err = sqlbuild.Each(ctx, r.pool, "newest block", func(r *sqlbuild.Row) { newest = r.Int8() }, selectNewestTime)
	newest = min(newest, now.Unix())
	if err != nil || newest <= age {
		return 0, err
	}
	err = sqlbuild.Each(ctx, r.pool, "older blocks", func(r *sqlbuild.Row) { seqno = r.Uint32() }, selectOlder, newest-age)
	return seqno, err
}

// TransactionsOf returns the number of transactions that indexed masterchain blocks of a range commit.
func (r *Reader) TransactionsOf(ctx context.Context, within chain.SeqnoRange) (n uint64, err error) {
	err = sqlbuild.Each(ctx, r.pool, "number of transactions", func(r *sqlbuild.Row) { n = uint64(r.Int8()) }, selectTransactionsOf,
		int64(within.First), int64(within.Last))
	return n, err
}
