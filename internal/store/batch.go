package store

import "github.com/jackc/pgx/v5"

// queue adds a statement whose rows are read into place.
func queue[T any](b *pgx.Batch, place *[]T, expect int, scan func(*row, *T), text string, args ...any) {
	b.Queue(text, args...).Query(func(rows pgx.Rows) (err error) {
		*place, err = readAll(rows, expect, scan)
		return err
	})
}

// group groups rows by a key and preserves their order.
func group[K comparable, V any](rows []V, key func(*V) K) map[K][]V {
	groups := make(map[K][]V)
	for i := range rows {
		k := key(&rows[i])
		groups[k] = append(groups[k], rows[i])
	}
	return groups
}
