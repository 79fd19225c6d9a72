package session

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Unrestricted lets a transaction read complete tables: without a limit of time, and with the plans that the settings of reading connections exclude.
func Unrestricted(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		return fmt.Errorf("no limit of time: %w", err)
	}
	for _, method := range [...]string{"seqscan", "sort", "hashjoin", "mergejoin"} {
		if _, err := tx.Exec(ctx, `SET LOCAL enable_`+method+` = on`); err != nil {
			return fmt.Errorf("planner: %w", err)
		}
	}
	return nil
}
