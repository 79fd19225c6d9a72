package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// merge adds seqnos to ranges and returns the canonical form: ascending ranges that neither touch nor overlap.
func merge(ranges []chain.SeqnoRange, seqnos []uint32) []chain.SeqnoRange {
	others := make([]chain.SeqnoRange, len(seqnos))
	for i, s := range seqnos {
		others[i] = chain.SeqnoRange{First: s, Last: s}
	}
	return mergeRanges(ranges, others...)
}

// mergeRanges is merge of ranges.
func mergeRanges(ranges []chain.SeqnoRange, others ...chain.SeqnoRange) []chain.SeqnoRange {
	runs := append(slices.Clone(ranges), others...)
	slices.SortFunc(runs, func(a, b chain.SeqnoRange) int { return cmp.Compare(a.First, b.First) })
	merged := runs[:0]
	for _, r := range runs {
		if n := len(merged); n > 0 && uint64(r.First) <= uint64(merged[n-1].Last)+1 {
			merged[n-1].Last = max(merged[n-1].Last, r.Last)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// holds reports whether canonical ranges contain seqno.
func holds(ranges []chain.SeqnoRange, seqno uint32) bool {
	i, _ := slices.BinarySearchFunc(ranges, seqno, func(r chain.SeqnoRange, s uint32) int { return cmp.Compare(r.Last, s) })
	return i < len(ranges) && ranges[i].First <= seqno
}

// contains reports whether canonical ranges contain all seqnos of others.
func contains(ranges, others []chain.SeqnoRange) bool {
	for _, o := range others {
		i, _ := slices.BinarySearchFunc(ranges, o.First, func(r chain.SeqnoRange, s uint32) int { return cmp.Compare(r.Last, s) })
		if i == len(ranges) || ranges[i].First > o.First || ranges[i].Last < o.Last {
			return false
		}
	}
	return true
}

func scanRange(r *sqlbuild.Row, s *chain.SeqnoRange) {
	s.First = r.Uint32()
	s.Last = r.Uint32()
}

const (
	selectRanges = `SELECT first, last FROM indexed_ranges ORDER BY first`
	deleteRange  = `DELETE FROM indexed_ranges WHERE first = $1`
	insertRange  = `INSERT INTO indexed_ranges (first, last) VALUES ($1, $2)`
	growRange    = `UPDATE indexed_ranges SET last = $2 WHERE first = $1`
	selectHolds  = `SELECT count(*) FROM (SELECT last FROM indexed_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r
		WHERE r.last >= $1`

	// The same with blocks whose rows are on cold servers.
	selectAllRanges = `SELECT first, last FROM indexed_ranges UNION ALL SELECT first, last FROM cold_ranges`
	selectAllHold   = `SELECT (SELECT count(*) FROM (SELECT last FROM indexed_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r WHERE r.last >= $1)
		+ (SELECT count(*) FROM (SELECT last FROM cold_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r WHERE r.last >= $1)`
)

// queueRanges queues the statements that change the stored ranges from before to after. Both are canonical.
func queueRanges(b *pgx.Batch, before, after []chain.SeqnoRange) {
	was := make(map[uint32]uint32, len(before))
	for _, r := range before {
		was[r.First] = r.Last
	}
	for _, r := range after {
		last, found := was[r.First]
		delete(was, r.First)
		switch {
		case !found:
			b.Queue(insertRange, int64(r.First), int64(r.Last))
		case last != r.Last:
			b.Queue(growRange, int64(r.First), int64(r.Last))
		}
	}
	for first := range was {
		b.Queue(deleteRange, int64(first))
	}
}

// Ranges lists the indexed ranges of masterchain seqnos, ascending. Blocks between them are not indexed. In requests those whose rows are
// on cold servers count, too.
func (r *Reader) Ranges(ctx context.Context) ([]chain.SeqnoRange, error) {
	if divided(ctx) {
		list, err := sqlbuild.Collect(ctx, r.pool, "indexed ranges", 4, scanRange, selectAllRanges)
		return mergeRanges(list), err
	}
	return sqlbuild.Collect(ctx, r.pool, "indexed ranges", 4, scanRange, selectRanges)
}

// IsIndexed reports whether masterchain block mcSeqno and everything it commits is in the index.
func (r *Reader) IsIndexed(ctx context.Context, mcSeqno uint32) (bool, error) {
	var n int64
	text := selectHolds
	if divided(ctx) {
		text = selectAllHold
	}
	err := sqlbuild.Each(ctx, r.pool, "indexed ranges", func(r *sqlbuild.Row) { n = r.Int8() }, text, int64(mcSeqno))
	return n > 0, err
}
