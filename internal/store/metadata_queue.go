package store

import (
	"context"

	"tonql/internal/chain"
)

// MetadataQueue is the work of following tokens' contents. The index fills it; it survives a restart.
type MetadataQueue struct{ w *Writer }

// MetadataQueue is the queue in this database.
func (db *DB) MetadataQueue() *MetadataQueue { return &MetadataQueue{db.writer} }

// Next takes at most limit jobs that are due, the longest due first. A job not ended with Store comes again after a
// while.
func (q *MetadataQueue) Next(ctx context.Context, limit int) ([]chain.MetadataJob, error) {
	return nil, nil
}

// Store ends a try of a job.
func (q *MetadataQueue) Store(ctx context.Context, result chain.MetadataResult) error { return nil }
