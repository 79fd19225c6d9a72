package store

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/store/locks"
)

// Lock waits for the right to index everything. See [locks.Indexer].
func (w *Writer) Lock(ctx context.Context, wait func()) (*locks.Lock, error) {
	return locks.Indexer(ctx, w.pool, wait)
}

// LockClaims returns the right to fill what was claimed with it. See [locks.Claims].
func (w *Writer) LockClaims(ctx context.Context) (*locks.Lock, error) {
	return locks.Claims(ctx, w.pool)
}

// LockRanges takes the sole right to change which blocks cold servers have. See [locks.Ranges].
func (w *Writer) LockRanges(ctx context.Context) (*locks.Lock, error) {
	return locks.Ranges(ctx, w.pool)
}

// ShareRanges prevents that blocks are moved to or from cold servers until Release. Any number of commands share it.
func (w *Writer) ShareRanges(ctx context.Context) (*locks.Lock, error) {
	return locks.ShareRanges(ctx, w.pool)
}

// Fill is [Writer.Apply] for blocks behind the head, one at a time in all processes. See [locks.Lock.Fill].
func (w *Writer) Fill(ctx context.Context, l *locks.Lock, blocks ...*chain.MasterBlock) error {
	return l.Fill(ctx, func() error { return w.Apply(ctx, blocks...) })
}
