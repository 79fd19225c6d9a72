package readers

import (
	"context"

	"tonql/internal/store/sqlbuild"
)

// Limited returns a context for a request: one query of it reads at most 64 MiB of raw transactions, which are in memory together; more
// are of kind Invalid. Anyone can make a thousand transactions of a megabyte, which compress to a few kilobytes each.
func Limited(ctx context.Context) context.Context { return sqlbuild.WithReadLimit(ctx, maxResult) }

// Unlimited returns a context for reads that others share: those of the rows of blocks, which a block bounds.
func Unlimited(ctx context.Context) context.Context { return sqlbuild.WithReadLimit(ctx, 0) }
