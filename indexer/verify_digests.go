package indexer

import (
	"context"
	"fmt"

	"tonql/internal/chain"
	"tonql/internal/store"
)

// verifyDigests computes the digests of the full ranges again that are stored, and compares them: rows that are detected or classified do
// not follow from blocks alone, so a change of them by another program is only found by what they were. A range whose digest is not stored
// yet, or changes meanwhile, is not compared.
func verifyDigests(ctx context.Context, db *store.Reader, within chain.SeqnoRange, r *Report) error {
	for _, part := range chain.FullDigestRanges(within) {
		stored, err := storedDigest(ctx, db, part)
		if err != nil {
			return err
		}
		if stored == nil {
			continue
		}
		found, err := db.RangeDigest(ctx, part)
		if err != nil {
			return fmt.Errorf("digest of masterchain blocks %d to %d: %w", part.First, part.Last, err)
		}
		if found.Hash == stored.Hash && found.CrossingHash == stored.CrossingHash {
			r.Digests++
			continue
		}
		now, err := storedDigest(ctx, db, part)
		if err != nil {
			return err
		}
		if now == nil || now.Hash != stored.Hash || now.CrossingHash != stored.CrossingHash {
			continue
		}
		r.differ(Difference{
			McSeqno: part.First, Table: "range_digests", Key: fmt.Sprintf("%d to %d", part.First, part.Last),
			What: fmt.Sprintf("the rows of these blocks have the digest %s, and had %s when they were indexed", found.Hash.Hex(), stored.Hash.Hex()),
		})
	}
	return nil
}

// storedDigest returns the stored digest of a full range; nil when there is none.
func storedDigest(ctx context.Context, db *store.Reader, part chain.SeqnoRange) (*chain.RangeDigest, error) {
	list, err := db.StoredDigests(ctx, part, 1)
	if err != nil {
		return nil, fmt.Errorf("stored digests: %w", err)
	}
	if len(list) == 0 || list[0].Range != part {
		return nil, nil
	}
	return &list[0], nil
}
