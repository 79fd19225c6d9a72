package access

import (
	"context"
	"time"

	"tonql/internal/chain"
)

// Store keeps keys and, for several gateways together, buckets.
type Store interface {
	// KeyByHash finds a key that is valid or was; nil when there is none.
	KeyByHash(ctx context.Context, hash chain.Hash) (*Key, error)
	// Lease takes what is owed from a bucket that fills at rate a second up to burst, and then up to want tokens, none when
	// that would not make a whole one. It gives what was taken and what is left, which is negative while debts are paid.
	Lease(ctx context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error)
}

// storeTimeout bounds one question: a request must not wait for the bookkeeping longer than for its answer.
const storeTimeout = time.Second
