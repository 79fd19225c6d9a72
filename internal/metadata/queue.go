package metadata

import (
	"context"

	"tonql/internal/chain"
)

// Queue is where the work lies. Its methods are called by one goroutine at a time and several respectively.
type Queue interface {
	// Next hands out at most limit jobs that are due, longest due first. A job handed out is not handed out
	// again before a time that is longer than any try takes; then it is, unless it was ended: its worker is gone.
	Next(ctx context.Context, limit int) ([]chain.MetadataJob, error)
	// Store ends or puts off a job.
	Store(ctx context.Context, r chain.MetadataResult) error
	// ReadTraits prepares the traits of at most limit items whose metadata is stored, and returns how many there were.
	ReadTraits(ctx context.Context, limit int) (int, error)
}
