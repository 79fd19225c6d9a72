package digests

import (
	"context"
	"crypto/rand"
	"encoding/binary"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

const (
	markDigest = `INSERT INTO range_digests (number, token) VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET token = excluded.token`
	// A writer that has changed rows since the mark has deleted it.
	fillDigest = `UPDATE range_digests SET version = $3, hash = $4, crossing = $5, row_count = $6, crossing_traces = $7, wanting = $8,
		action_sets = $9 WHERE number = $1 AND token = $2`
	// SelectStored reads the digests of ranges.
	SelectStored = `SELECT number, hash, crossing, row_count, crossing_traces, wanting, action_sets FROM range_digests
		WHERE number BETWEEN $1 AND $2 AND version = $3 ORDER BY number LIMIT $4`
)

// Store computes the digest of a range of [chain.DigestRange] and stores it, in place of an earlier one. stored is false when the
// rows changed meanwhile, or the reader's database does not have them yet; then the digest may be that of earlier rows, or empty.
//
// The mark is written beside no other writer, so the rows of transactions before it are in the snapshot of the computation, and those
// after it delete the mark.
func Store(ctx context.Context, pool *pgxpool.Pool, r *Reader, within chain.SeqnoRange) (d Range, stored bool, err error) {
	if within != chain.DigestRange(within.First) {
		return d, false, chain.Invalidf("masterchain blocks %d to %d have no digest of their own; it should be %d to %d", within.First, within.Last,
			chain.DigestRange(within.First).First, chain.DigestRange(within.First).Last)
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	number, token := int64(within.First/chain.DigestBlocks), int64(binary.BigEndian.Uint64(random[:])>>2)+1
	err = locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		locks.QueueApply(b)
		b.Queue(markDigest, number, token)
		return tx.SendBatch(ctx, b).Close()
	})
	if err != nil {
		return d, false, sqlbuild.Fault(ctx, "mark of a digest", err)
	}
	d, marked, err := r.rangeDigest(ctx, within, token)
	if err != nil || !marked {
		return d, false, err
	}
	err = locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, fillDigest, number, token, int16(digestVersion), d.Hash[:], d.CrossingHash[:], d.Rows, d.CrossingTraces,
			d.WantingTraces, append([]int{}, d.ActionSets...))
		stored = tag.RowsAffected() > 0
		return err
	})
	return d, stored && err == nil, sqlbuild.Fault(ctx, "digest of a range", err)
}

// StoredDigests lists the digests of the ranges that have one in the database, in the order of their blocks: of those that contain
// blocks of a range, at most limit.
func (r *Reader) StoredDigests(ctx context.Context, within chain.SeqnoRange, limit int) ([]chain.RangeDigest, error) {
	return sqlbuild.Collect(ctx, r.pool, "digests", min(limit, chain.MaxDigests), scanDigest, SelectStored,
		int64(within.First/chain.DigestBlocks), int64(within.Last/chain.DigestBlocks), int64(digestVersion), int64(limit))
}

func scanDigest(r *sqlbuild.Row, d *chain.RangeDigest) {
	d.Range = chain.DigestRange(uint32(r.Int8()) * chain.DigestBlocks)
	d.Hash = r.Hash()
	d.CrossingHash = r.Hash()
	d.Rows = r.Int8()
	d.CrossingTraces = r.Int8()
	d.WantingTraces = r.Int8()
	for _, set := range r.Int8s() {
		d.ActionSets = append(d.ActionSets, int(set))
	}
}

// Digests returns the stored digests of the ranges of [chain.DigestRange] in a range, all of which must be indexed and have one.
func (r *Reader) Digests(ctx context.Context, within chain.SeqnoRange) ([]chain.RangeDigest, error) {
	if within.First > within.Last {
		return nil, chain.Invalidf("the range %d to %d is empty; the first block comes first", within.First, within.Last)
	}
	if n := (within.Last - within.First) / chain.DigestBlocks; n > chain.MaxDigests {
		return nil, chain.Invalidf("masterchain blocks %d to %d have more than %d digests; a request takes at most %d", within.First, within.Last,
			n-1, chain.MaxDigests)
	}
	full := chain.FullDigestRanges(within)
	switch {
	case len(full) == 0:
		d := chain.DigestRange(within.First)
		return nil, chain.Invalidf("masterchain blocks %d to %d contain no range with a digest; the first blocks are in %d to %d", within.First, within.Last, d.First, d.Last)
	case len(full) > chain.MaxDigests:
		return nil, chain.Invalidf("masterchain blocks %d to %d have %d digests; a request takes at most %d", within.First, within.Last, len(full), chain.MaxDigests)
	}
	covered := chain.SeqnoRange{First: full[0].First, Last: full[len(full)-1].Last}
	indexed, err := r.ranges.Ranges(ctx)
	if err != nil {
		return nil, err
	}
	if err := indexrange.NotIndexed(covered.MissingIn(indexed)); err != nil {
		return nil, err
	}
	digests, err := r.StoredDigests(ctx, covered, len(full))
	if err != nil {
		return nil, err
	}
	if len(digests) < len(full) {
		var stored []chain.SeqnoRange
		for _, d := range digests {
			stored = append(stored, d.Range)
		}
		missing := covered.MissingIn(stored)
		return nil, chain.Unavailablef(nil, "the digests of masterchain blocks %d to %d are not computed yet; the indexer does that beside its work",
			missing[0].First, missing[0].Last)
	}
	for i := range digests {
		settle(&digests[i], indexed)
	}
	return digests, nil
}
