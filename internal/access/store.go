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
	// Lease takes owed tokens from a bucket, then up to want more; none when that would be less than one. The bucket fills at rate tokens a
	// second up to burst. Lease returns the tokens that it took of want and those left, which are negative while there is debt.
	Lease(ctx context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error)
}

// storeTimeout bounds one query: a request must not wait for its accounting longer than for its response.
const storeTimeout = time.Second
