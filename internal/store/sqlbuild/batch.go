package sqlbuild

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Queue adds a statement whose rows are read into place.
func Queue[T any](b *pgx.Batch, place *[]T, expect int, scan func(*Row, *T), text string, args ...any) {
	b.Queue(text, args...).Query(func(rows pgx.Rows) (err error) {
		*place, err = ReadAll(rows, expect, scan)
		return err
	})
}

// Group groups rows by a key and preserves their order.
func Group[K comparable, V any](rows []V, key func(*V) K) map[K][]V {
	groups := make(map[K][]V)
	for i := range rows {
		k := key(&rows[i])
		groups[k] = append(groups[k], rows[i])
	}
	return groups
}

// SendBatch sends statements together and reads all their results. what names the query in errors.
func SendBatch(ctx context.Context, from Source, what string, b *pgx.Batch) error {
	return Fault(ctx, what, from.SendBatch(ctx, b).Close())
}
