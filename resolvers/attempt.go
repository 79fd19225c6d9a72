package resolvers

import (
	"context"

	"tonql/internal/store"
)

// Try is [store.Try] for the APIs.
func Try(ctx context.Context, minSeqno uint32, more func() bool, run func(ctx context.Context) error) error {
	return store.Try(ctx, minSeqno, more, run) //nolint:wrapcheck // of run
}
