package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/days"
	"tonql/internal/store/digests"
)

// What is computed from rows of the index beside its writer is read by the Reader and stored by the DB.

// StoreDigest computes the digest of a range of [chain.DigestRange] and stores it, in place of an earlier one. See [digests.Store].
func (db *DB) StoreDigest(ctx context.Context, within chain.SeqnoRange) (d digests.Range, stored bool, err error) {
	return digests.Store(ctx, db.write, &db.reader.digestReader, within)
}

// StoreDays computes the sums per day of masterchain blocks and stores them in place of earlier ones. See [days.Store].
func (db *DB) StoreDays(ctx context.Context, within chain.SeqnoRange) (stored bool, err error) {
	return days.Store(ctx, db.write, &db.reader.dayReader, within)
}

// StoreDay computes the state of a day and stores it. See [days.StoreState].
func (db *DB) StoreDay(ctx context.Context, day uint32) error {
	return days.StoreState(ctx, db.write, &db.reader.dayReader, day)
}

// SettleDays records which days need not be computed again. See [days.Settle].
func (db *DB) SettleDays(ctx context.Context) error { return days.Settle(ctx, db.write) }
