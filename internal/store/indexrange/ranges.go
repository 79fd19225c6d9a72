package indexrange

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Merge adds seqnos to ranges and returns the canonical form: ascending ranges that neither touch nor overlap.
func Merge(ranges []chain.SeqnoRange, seqnos []uint32) []chain.SeqnoRange {
	others := make([]chain.SeqnoRange, len(seqnos))
	for i, s := range seqnos {
		others[i] = chain.SeqnoRange{First: s, Last: s}
	}
	return MergeRanges(ranges, others...)
}

// MergeRanges is Merge of ranges.
func MergeRanges(ranges []chain.SeqnoRange, others ...chain.SeqnoRange) []chain.SeqnoRange {
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

// Holds reports whether canonical ranges contain seqno.
func Holds(ranges []chain.SeqnoRange, seqno uint32) bool {
	i, _ := slices.BinarySearchFunc(ranges, seqno, func(r chain.SeqnoRange, s uint32) int { return cmp.Compare(r.Last, s) })
	return i < len(ranges) && ranges[i].First <= seqno
}

// Contains reports whether canonical ranges contain all seqnos of others.
func Contains(ranges, others []chain.SeqnoRange) bool {
	for _, o := range others {
		i, _ := slices.BinarySearchFunc(ranges, o.First, func(r chain.SeqnoRange, s uint32) int { return cmp.Compare(r.Last, s) })
		if i == len(ranges) || ranges[i].First > o.First || ranges[i].Last < o.Last {
			return false
		}
	}
	return true
}

// Scan reads a row of [Select].
func Scan(r *sqlbuild.Row, s *chain.SeqnoRange) {
	s.First = r.Uint32()
	s.Last = r.Uint32()
}

const (
	// Select reads the indexed ranges, ascending.
	Select      = `SELECT first, last FROM indexed_ranges ORDER BY first`
	deleteRange = `DELETE FROM indexed_ranges WHERE first = $1`
	insertRange = `INSERT INTO indexed_ranges (first, last) VALUES ($1, $2)`
	growRange   = `UPDATE indexed_ranges SET last = $2 WHERE first = $1`
	selectHolds = `SELECT count(*) FROM (SELECT last FROM indexed_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r
		WHERE r.last >= $1`

	// The same with blocks whose rows are on cold servers.
	selectAllRanges = `SELECT first, last FROM indexed_ranges UNION ALL SELECT first, last FROM cold_ranges`
	selectAllHold   = `SELECT (SELECT count(*) FROM (SELECT last FROM indexed_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r WHERE r.last >= $1)
		+ (SELECT count(*) FROM (SELECT last FROM cold_ranges WHERE first <= $1 ORDER BY first DESC LIMIT 1) r WHERE r.last >= $1)`
)

// Queue queues the statements that change the stored ranges from before to after. Both are canonical.
func Queue(b *pgx.Batch, before, after []chain.SeqnoRange) {
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

// Read reads the indexed ranges, ascending.
func Read(ctx context.Context, q sqlbuild.Queryer) ([]chain.SeqnoRange, error) {
	rows, err := q.Query(ctx, Select)
	if err != nil {
		return nil, fmt.Errorf("indexed ranges: %w", err)
	}
	indexed, err := sqlbuild.ReadAll(rows, 4, Scan)
	if err != nil {
		return nil, fmt.Errorf("indexed ranges: %w", err)
	}
	return indexed, nil
}

// NotIndexed returns an error that names ranges that are not indexed, nil without any.
func NotIndexed(missing []chain.SeqnoRange) error {
	const named = 5
	if len(missing) == 0 {
		return nil
	}
	var names []string
	for i, m := range missing {
		if i == named {
			names = append(names, fmt.Sprintf("%d more ranges", len(missing)-named))
			break
		}
		if m.First == m.Last {
			names = append(names, fmt.Sprint(m.First))
			continue
		}
		names = append(names, fmt.Sprintf("%d to %d", m.First, m.Last))
	}
	return chain.NotFoundf("masterchain blocks %s are not in the index; a digest needs all blocks of its range", strings.Join(names, ", "))
}

// Reader reads which masterchain blocks the index contains. It is safe for concurrent use when its source is.
type Reader struct {
	pool       sqlbuild.Queryer
	unchanging func() sqlbuild.Queryer
}

// NewReader returns a Reader over a pool or a snapshot. unchanging returns the source of rows that never change.
func NewReader(pool sqlbuild.Queryer, unchanging func() sqlbuild.Queryer) Reader {
	return Reader{pool: pool, unchanging: unchanging}
}

// Ranges lists the indexed ranges of masterchain seqnos, ascending. Blocks between them are not indexed. In requests those whose rows are
// on cold servers count, too.
func (r *Reader) Ranges(ctx context.Context) ([]chain.SeqnoRange, error) {
	if sqlbuild.Divided(ctx) {
		list, err := sqlbuild.Collect(ctx, r.pool, "indexed ranges", 4, Scan, selectAllRanges)
		return MergeRanges(list), err
	}
	return sqlbuild.Collect(ctx, r.pool, "indexed ranges", 4, Scan, Select)
}

// IsIndexed reports whether masterchain block mcSeqno and everything it commits is in the index.
func (r *Reader) IsIndexed(ctx context.Context, mcSeqno uint32) (bool, error) {
	var n int64
	text := selectHolds
	if sqlbuild.Divided(ctx) {
		text = selectAllHold
	}
	err := sqlbuild.Each(ctx, r.pool, "indexed ranges", func(r *sqlbuild.Row) { n = r.Int8() }, text, int64(mcSeqno))
	return n > 0, err
}
