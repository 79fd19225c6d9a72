package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// Reader answers questions about the index. Safe for concurrent use. Lists that the index has nothing for are empty;
// rows asked by key come in any order, missing ones are left out.
type Reader struct {
	pool  source
	names *nameCache
}

// minorAddress is what a cursor of transactions, messages or accounts names beside its main value.
func minorAddress(c *chain.Cursor) []byte { return []byte(c.Minor) }

// bindMajor and bindMinor bind the two values of a cursor, bindKey both of them as a natural key (account, lt).
func bindMajor(c *chain.Cursor) []any { return []any{int64(c.Major)} }

func bindMinor(c *chain.Cursor) []any { return []any{minorAddress(c)} }

func bindKey(c *chain.Cursor) []any { return []any{minorAddress(c), int64(c.Major)} }

// pipeline sends statements together and waits for all answers.
func (r *Reader) pipeline(ctx context.Context, what string, b *pgx.Batch) error {
	return fault(ctx, what, r.pool.SendBatch(ctx, b).Close())
}

// queue adds a statement whose rows are read into place.
func queue[T any](b *pgx.Batch, place *[]T, expect int, scan func(*row, *T), text string, args ...any) {
	b.Queue(text, args...).Query(func(rows pgx.Rows) (err error) {
		*place, err = readAll(rows, expect, scan)
		return err
	})
}

// group files rows under a key, keeping their order.
func group[K comparable, V any](rows []V, key func(*V) K) map[K][]V {
	groups := make(map[K][]V)
	for i := range rows {
		k := key(&rows[i])
		groups[k] = append(groups[k], rows[i])
	}
	return groups
}
