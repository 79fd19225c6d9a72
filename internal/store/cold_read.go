package store

import (
	"context"

	"tonql/internal/store/cold"
	"tonql/internal/store/coldservers"
	"tonql/internal/store/sqlbuild"
)

// ColdRanges lists the cold servers with what they have. See [coldservers.Ranges].
func (r *Reader) ColdRanges(ctx context.Context) ([]coldservers.Range, error) {
	return coldservers.Ranges(ctx, r.pool)
}

// WithCold is [Complete] if the index has cold servers, for commands that read everything.
func (r *Reader) WithCold(ctx context.Context) (context.Context, error) {
	list, err := r.ColdRanges(ctx)
	if err != nil || len(list) == 0 {
		return ctx, err
	}
	return Complete(ctx), nil
}

// Complete returns a context whose queries read the rows of cold servers, too. The index must have one.
func Complete(ctx context.Context) context.Context {
	return sqlbuild.WithCover(ctx, &sqlbuild.Cover{Complete: true})
}

// ColdFailing returns the number of cold servers, and of those that do not respond or lack a step, as the first database to read from sees them.
func (db *DB) ColdFailing(ctx context.Context) (all, failing int) { return db.read.ColdFailing(ctx) }

// CheckColdURL checks the form of the URL of a cold server without connecting to it.
func CheckColdURL(url string) error { return cold.CheckURL(url) } //nolint:wrapcheck // of a kind
