package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// Traits are read from stored metadata in a step of its own, after a try and in the background for metadata of earlier versions. So there is
// one way in which rows of nft_traits come from metadata, whatever arrived first.
const (
	selectTraitless = `SELECT m.address FROM metadata m WHERE m.kind = 4 AND m.indexed AND m.traits IS NULL ORDER BY m.address LIMIT $1`
	// lockTraitless locks these rows of metadata. The writer changes the record of an item only with this lock, so the collection that a
	// later statement reads is the newest.
	lockTraitless = selectTraitless + ` FOR UPDATE SKIP LOCKED`
	deleteTraits  = `DELETE FROM nft_traits WHERE item = ANY($1) AND kind = 4`
	insertTraits  = `INSERT INTO nft_traits (collection, name, value, item) SELECT COALESCE(i.collection, ''), t.name, t.value, t.item
		FROM unnest($1::bytea[], $2::text[], $3::text[]) t(item, name, value) LEFT JOIN nft_items i ON i.address = t.item`
	endTraits = `UPDATE metadata m SET traits = k.n FROM unnest($1::bytea[], $2::smallint[]) k(address, n) WHERE m.address = k.address AND m.kind = 4`
)

// ReadTraits reads the traits of at most limit items whose metadata was fetched, and returns the number of these items.
func (q *MetadataQueue) ReadTraits(ctx context.Context, limit int) (n int, err error) {
	err = pgx.BeginTxFunc(ctx, q.w.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		n, err = readTraits(ctx, tx, limit)
		return err
	})
	return n, sqlbuild.Fault(ctx, "traits of NFT items", err)
}

func readTraits(ctx context.Context, tx pgx.Tx, limit int) (int, error) {
	items, err := sqlbuild.Collect(ctx, tx, "traits of NFT items", limit, func(r *sqlbuild.Row, a *chain.Address) { *a = r.Address() }, lockTraitless, int64(limit))
	if err != nil || len(items) == 0 {
		return 0, err
	}
	addresses := sqlbuild.AddressArray(items)
	rows, err := sqlbuild.Collect(ctx, tx, "metadata", len(items), names.ScanMetadata, names.SelectMetadata, addresses)
	if err != nil {
		return 0, err
	}
	var of [][]byte
	var labels, values []string
	var ended []chain.Address
	var numbers []int16
	locked := make(map[chain.Address]bool, len(items))
	for _, item := range items {
		locked[item] = true
	}
	for i := range rows {
		// An item can be a Jetton wallet, too; with it comes the metadata of its master, which can be an item.
		if rows[i].Kind != chain.TokenNFTItem || !locked[rows[i].Address] {
			continue
		}
		traits := rows[i].SearchableTraits()
		for _, t := range traits {
			of, labels, values = append(of, rows[i].Address.Bytes()), append(labels, t.Name), append(values, t.Value)
		}
		ended, numbers = append(ended, rows[i].Address), append(numbers, int16(len(traits)))
	}
	b := &pgx.Batch{}
	b.Queue(deleteTraits, addresses)
	b.Queue(insertTraits, of, labels, values)
	b.Queue(endTraits, sqlbuild.AddressArray(ended), numbers)
	return len(items), tx.SendBatch(ctx, b).Close() //nolint:wrapcheck // of the caller
}
