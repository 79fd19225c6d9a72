package access

import (
	"context"
	"time"

	"tonql/internal/chain"
)

// Store has API keys and, for gateways that share limits, buckets.
type Store interface {
	// KeyByHash returns a key, valid or expired; nil when there is none.
	KeyByHash(ctx context.Context, hash chain.Hash) (*Key, error)
	// Lease takes what is owed from a bucket that fills at rate a second up to burst, and then up to want tokens, none when
	// that would be less than one. It returns the taken tokens and the rest, which is negative while there is debt.
	Lease(ctx context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error)
}

// storeTimeout bounds one query: a request must not wait for its accounting longer than for its response.
const storeTimeout = time.Second
