package store

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/chain"
	"tonql/internal/store/contracts"
	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// MetadataQueue is the queue of token contents to fetch. The writer fills it; it survives a restart. Safe for
// concurrent use, also by several processes.
type MetadataQueue struct{ w *Writer }

// MetadataQueue returns the queue of this database.
func (db *DB) MetadataQueue() *MetadataQueue { return &MetadataQueue{db.writer} }

// metadataLease is how long a job belongs to the process that took it.
const metadataLease = 10 * time.Minute

const (
	takeMetadata = `UPDATE metadata m SET next_try = now() + $2::bigint * interval '1 millisecond' FROM (
		SELECT q.address, q.kind FROM metadata q WHERE q.next_try <= now() ORDER BY q.next_try, q.address, q.kind
		LIMIT $1 FOR UPDATE SKIP LOCKED) q
		WHERE m.address = q.address AND m.kind = q.kind
		RETURNING m.address, m.kind, m.content, m.tries::bigint`

	countMetadata = `SELECT count(*) FROM metadata WHERE next_try IS NOT NULL`

	putOffMetadata = `UPDATE metadata SET tries = $4, next_try = $5 WHERE address = $1 AND kind = $2 AND content::text = $3::text`
)

// The content of the job must still be the token's. An earlier result of the same content survives a failed try.
// The change is recorded for the caches of names.
var endMetadata = `WITH ended AS (UPDATE metadata SET indexed = true, valid = valid OR $4, result = CASE WHEN $4 THEN $5::text::json ELSE result END,
		fetched_at = $6, reason = $7, error = $8, tries = $9, next_try = $10, traits = NULL
		WHERE address = $1 AND kind = $2 AND content::text = $3::text RETURNING address, kind),
		gone AS (DELETE FROM token_names t USING ended e WHERE t.address = e.address AND t.kind = e.kind
			AND cardinality($11::text[]) > 0 AND t.name <> ALL($11)),
		named AS (INSERT INTO token_names SELECT n.name, e.address, e.kind FROM ended e CROSS JOIN unnest($11::text[]) n(name)
			ON CONFLICT DO NOTHING),
		` + names.Change("ARRAY[$1::bytea]", "'{}'", " WHERE EXISTS (SELECT FROM ended)")

// Next takes at most limit jobs that are due, the longest due first. A job not ended with Store comes again after a
// while.
func (q *MetadataQueue) Next(ctx context.Context, limit int) ([]chain.MetadataJob, error) {
	return sqlbuild.Collect(ctx, q.w.pool, "metadata queue", limit, func(r *sqlbuild.Row, j *chain.MetadataJob) {
		j.Address = r.Address()
		j.Kind = chain.TokenKind(r.Int2())
		j.Content = r.Content()
		j.Tries = int(r.Int8())
	}, takeMetadata, int64(limit), metadataLease.Milliseconds())
}

// Len returns the number of tokens in the queue, due or postponed.
func (q *MetadataQueue) Len(ctx context.Context) (int64, error) {
	var n int64
	err := sqlbuild.Each(ctx, q.w.pool, "metadata queue", func(r *sqlbuild.Row) { n = r.Int8() }, countMetadata)
	return n, err
}

// Store ends a try of a job. A result for content that is no longer the token's is dropped.
func (q *MetadataQueue) Store(ctx context.Context, result chain.MetadataResult) error {
	job, m := &result.Job, result.Metadata
	content := job.Content
	if content == nil {
		content = chain.Content{}
	}
	text, args := putOffMetadata, []any{job.Address.Bytes(), int16(job.Kind), string(sqlbuild.AsJSON(content))}
	if m == nil {
		args = append(args, int32(result.Tries), result.NextTry)
	} else {
		document, err := names.Document(m)
		if err != nil {
			return fmt.Errorf("metadata of %s: %w", job.Address, err)
		}
		at := m.FetchedAt
		if at.IsZero() {
			at = time.Now()
		}
		text = endMetadata
		args = append(args, m.Valid, string(document), at, sqlbuild.Storable(m.Reason), sqlbuild.Storable(m.Error), int32(result.Tries), result.NextTry, contracts.SearchableNames(m.Name, m.Symbol))
	}
	_, err := q.w.pool.Exec(ctx, text, args...)
	return sqlbuild.Fault(ctx, "metadata of "+job.Address.String(), err)
}
