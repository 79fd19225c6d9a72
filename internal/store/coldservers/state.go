package coldservers

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/store/cold"
)

// State is the state of a cold server as the server of the index sees it.
type State struct {
	Server string
	// Err says why it cannot be read; nil when it can.
	Err error
	// Interrupted reports whether the server has a step that the index does not have, Lost whether it lacks one that the index has.
	Interrupted, Lost bool
	// Copied reports whether the server belongs to another copy of the index.
	Copied bool
}

// States reads from each cold server. None is an error: it is in the state.
func States(ctx context.Context, conn *pgx.Conn) ([]State, error) {
	var present bool
	if err := conn.QueryRow(ctx, `SELECT to_regclass('cold_servers') IS NOT NULL`).Scan(&present); err != nil || !present {
		return nil, err //nolint:wrapcheck // the caller does
	}
	rows, err := conn.Query(ctx, `SELECT s.name, coalesce(max(c.step), 0) FROM cold_servers s LEFT JOIN cold_blocks c ON c.server = s.name
		GROUP BY s.name, s.number ORDER BY s.number`)
	if err != nil {
		return nil, fmt.Errorf("cold servers: %w", err)
	}
	var list []State
	var steps []int64
	var state State
	var step int64
	if _, err := pgx.ForEachRow(rows, []any{&state.Server, &step}, func() error {
		list, steps = append(list, state), append(steps, step)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("cold servers: %w", err)
	}
	for i := range list {
		var there int64
		list[i].Err = conn.QueryRow(ctx, cold.SelectStep(list[i].Server)).Scan(&there)
		list[i].Interrupted, list[i].Lost = list[i].Err == nil && there > steps[i], list[i].Err == nil && there < steps[i]
		if list[i].Err == nil {
			list[i].Copied, list[i].Err = cold.BelongsToCopy(ctx, conn, list[i].Server)
		}
	}
	return list, nil
}
