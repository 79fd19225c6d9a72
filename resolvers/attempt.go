package resolvers

import (
	"context"

	"tonql/internal/store/readers"
)

// Try is [readers.Try] for the APIs, whose queries are limited, see [readers.Limited].
func Try(ctx context.Context, minSeqno uint32, more func() bool, run func(ctx context.Context) error) error {
	return readers.Try(readers.Limited(ctx), minSeqno, more, run) //nolint:wrapcheck // of run
}
