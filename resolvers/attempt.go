package resolvers

import (
	"context"

	"tonql/internal/store"
)

// Try is [store.Try] for the APIs, whose queries are limited, see [store.Limited].
func Try(ctx context.Context, minSeqno uint32, more func() bool, run func(ctx context.Context) error) error {
	return store.Try(store.Limited(ctx), minSeqno, more, run) //nolint:wrapcheck // of run
}
