package cold

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

const existsCold = `SELECT EXISTS (SELECT FROM cold_blocks)`

// RefuseMoved returns an error when older blocks are on a cold server: what is retained would have a gap.
func RefuseMoved(ctx context.Context, tx pgx.Tx) error {
	var exists bool
	if err := tx.QueryRow(ctx, existsCold).Scan(&exists); err != nil {
		return fmt.Errorf("steps of cold servers: %w", err)
	}
	if exists {
		return chain.Invalidf("older blocks are on cold servers: blocks are not dropped before these are, see tonql range")
	}
	return nil
}
