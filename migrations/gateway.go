package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// CheckGateway returns a [SchemaError] unless a gateway of this binary can use the schema: it has every migration of this binary, and
// each further one has a row in schema_gateways that permits gateways of this binary. It returns the newest applied migration and the
// newest one of this binary, and writes nothing.
func CheckGateway(ctx context.Context, db *sql.DB) (applied, supported int64, err error) {
	p, err := provider(db, files, nil)
	if err != nil {
		return 0, 0, err
	}
	found, err := compare(ctx, db, p)
	if err != nil {
		return 0, 0, err
	}
	if found.Applied < found.Supported || len(found.Missing) > 0 {
		return 0, 0, found
	}
	if len(found.Unknown) > 0 {
		var own []int64
		for _, source := range p.ListSources() {
			own = append(own, source.Version)
		}
		permitted, err := permittedTo(ctx, db, own)
		if err != nil {
			return 0, 0, err
		}
		for _, version := range found.Unknown {
			if !permitted[version] {
				return 0, 0, found
			}
		}
	}
	return found.Applied, found.Supported, nil
}

// permittedTo returns the migrations that permit gateways with the migrations own.
func permittedTo(ctx context.Context, db *sql.DB, own []int64) (map[int64]bool, error) {
	rows, err := db.QueryContext(ctx, `SELECT migration, needed FROM schema_gateways`)
	if err != nil {
		return nil, fmt.Errorf("schemas of gateways: %w", err)
	}
	defer func() { _ = rows.Close() }() // Err reports what matters
	permitted := map[int64]bool{}
	for rows.Next() {
		var version int64
		var needed sql.NullInt64
		if err := rows.Scan(&version, &needed); err != nil {
			return nil, fmt.Errorf("schemas of gateways: %w", err)
		}
		permitted[version] = !needed.Valid || slices.Contains(own, needed.Int64)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("schemas of gateways: %w", err)
	}
	return permitted, nil
}
