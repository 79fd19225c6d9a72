package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Unrestricted lets a transaction read complete tables: without a limit of time, and with the plans that the settings of reading connections exclude.
func Unrestricted(ctx context.Context, tx pgx.Tx) error {
	return unlimited(ctx, tx, "seqscan = on", "sort = on", "hashjoin = on", "mergejoin = on")
}

// Sorted lets a transaction read and sort the rows of a range of blocks: without a limit of time. It finds rows by their indexes, as all readers do:
// a plan that reads complete tables takes as long as the index is large, and whether the planner chooses one depends on its statistics.
func Sorted(ctx context.Context, tx pgx.Tx) error {
	return unlimited(ctx, tx, "seqscan = off", "sort = on", "hashjoin = off", "mergejoin = off")
}

func unlimited(ctx context.Context, tx pgx.Tx, methods ...string) error {
	if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		return fmt.Errorf("no limit of time: %w", err)
	}
	for _, method := range methods {
		if _, err := tx.Exec(ctx, `SET LOCAL enable_`+method); err != nil {
			return fmt.Errorf("planner: %w", err)
		}
	}
	return nil
}
