package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
)

// Reader reads the index. It is safe for concurrent use, except a Reader of a snapshot. Lists without matching rows are
// empty. Rows looked up by key come in any order, and missing rows are left out.
type Reader struct {
	pool  source
	names *nameCache
}

// source is where a [Reader] sends its queries: the pool, where each query reads the newest state of the index, or a
// snapshot, where all queries read one state.
type source interface {
	queryer
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error)

	// open starts a snapshot. A snapshot returns itself.
	open(names *nameCache, asOf func(mcSeqno uint32)) (at source, done func())
	// final returns the source for the last query, which ends a snapshot.
	final() source
	// immutable returns the source for rows that never change.
	immutable() queryer
	// named reads parts of the names of addresses.
	named(ctx context.Context, what string, addresses []chain.Address, want nameParts) ([]chain.AddressBookRow, []chain.Metadata, error)
	// prefetchBook adds the address book of transactions to the batch b that reads their messages, if that saves a round
	// trip. It returns the source for the batch, and nil when nothing was added.
	prefetchBook(b *pgx.Batch, txs []chain.Transaction, p *parts) (source, *prefetchedBook)
}

// poolSource is the pool as a source. Each query reads the newest state.
type poolSource struct{ *pgxpool.Pool }

func (p poolSource) open(names *nameCache, asOf func(mcSeqno uint32)) (source, func()) {
	s := &snapshot{pool: p.Pool, asOf: asOf, names: names}
	return s, s.done
}

func (p poolSource) final() source { return p }

func (p poolSource) immutable() queryer { return p }

func (p poolSource) prefetchBook(*pgx.Batch, []chain.Transaction, *parts) (source, *prefetchedBook) {
	return p, nil
}

// minorAddress is the address that a cursor of transactions, messages or accounts has beside its main value.
func minorAddress(c *chain.Cursor) []byte { return []byte(c.Minor) }

// bindMajor and bindMinor bind the two values of a cursor, bindKey both of them as a natural key (account, lt).
func bindMajor(c *chain.Cursor) []any { return []any{int64(c.Major)} }

func bindMinor(c *chain.Cursor) []any { return []any{minorAddress(c)} }

func bindKey(c *chain.Cursor) []any { return []any{minorAddress(c), int64(c.Major)} }

// pipeline sends statements together and waits for all results.
func (r *Reader) pipeline(ctx context.Context, what string, b *pgx.Batch) error {
	return sendBatch(ctx, r.pool, what, b)
}

func sendBatch(ctx context.Context, from source, what string, b *pgx.Batch) error {
	return fault(ctx, what, from.SendBatch(ctx, b).Close())
}

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
