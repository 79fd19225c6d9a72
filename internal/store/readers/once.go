package readers

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tonql/internal/store/names"
	"tonql/internal/store/sqlbuild"
)

// divided reports whether the rows that a request reads may be on several servers. Its queries need snapshots then, each of which says where
// the rows are in the state that it reads.
func (rs *Set) divided(ctx context.Context) bool {
	cover := sqlbuild.CoverOf(ctx)
	if cover == nil {
		return false
	}
	if cover.Complete {
		return true
	}
	exist, fresh := rs.cold.recent()
	if fresh {
		return exist
	}
	r, _ := rs.pinned(ctx)
	if err := r.pool.QueryRow(ctx, selectColdHere).Scan(&exist); err != nil {
		return false // the query that follows reports it
	}
	rs.cold.note(exist)
	return exist
}

// queryOnce runs a query in a snapshot of its own.
func (rs *Set) queryOnce(ctx context.Context, sql string, args []any) (pgx.Rows, error) {
	var rows pgx.Rows
	err := betweenSteps(ctx, func() error {
		s := &snapshot{from: rs, names: &names.Cache{}}
		found, err := s.query(ctx, true, sql, args)
		if err != nil {
			s.done()
			return err
		}
		rows = &onceRows{Rows: found, done: s.done}
		return nil
	})
	return rows, err
}

// onceRows end their snapshot.
type onceRows struct {
	pgx.Rows
	done func()
}

func (r *onceRows) Close() {
	r.Rows.Close()
	r.done()
}

func (rs *Set) sendOnce(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	var results *onceBatch
	_ = betweenSteps(ctx, func() error { // the results have the error
		if results != nil {
			results.done()
		}
		s := &snapshot{from: rs, names: &names.Cache{}}
		sent := s.sendBatch(ctx, true, b)
		results = &onceBatch{BatchResults: sent, done: s.done}
		return sent.err
	})
	return results
}

// onceBatch ends its snapshot.
type onceBatch struct {
	pgx.BatchResults
	done func()
}

func (b *onceBatch) Close() error {
	defer b.done()
	return b.BatchResults.Close() //nolint:wrapcheck // the caller adds the name of the query
}
