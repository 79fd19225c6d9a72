package cold

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
)

// present lists those of [Tables] that a database has: some of them end with a move to other tables.
const present = `SELECT c.relname::text FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
	AND c.relname = ANY($1) ORDER BY c.relname`

func presentTables(ctx context.Context, on pgx.Tx) ([]string, error) {
	rows, err := on.Query(ctx, present, Tables)
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("tables: %w", err)
	}
	return tables, nil
}

// Prepare makes a database with the tables of the index a cold server of the index that has recorded it by this pair, in a database transaction there. One
// that is a cold server of another index, or has blocks, is refused with kind Invalid.
func Prepare(ctx context.Context, tx pgx.Tx, pair string) error {
	var blocks bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM indexed_ranges)`).Scan(&blocks); err != nil {
		return fmt.Errorf("blocks of the cold server: %w", err)
	}
	if blocks {
		return chain.Invalidf("the database is an index of its own: a cold server needs an empty database")
	}
	tables, err := presentTables(ctx, tx)
	if err != nil {
		return err
	}
	if err := requireSteps(ctx, tx, tables); err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, `CREATE TABLE IF NOT EXISTS %[1]s (singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton), step bigint NOT NULL, pair text NOT NULL);
		ALTER TABLE %[1]s ADD COLUMN IF NOT EXISTS claim text;
		CREATE TABLE IF NOT EXISTS %[2]s (account bytea NOT NULL, lt bigint NOT NULL, %[3]s bigint NOT NULL);
		CREATE INDEX IF NOT EXISTS %[2]s_%[3]s ON %[2]s (%[3]s);`, stepTable, StatesTable, StepColumn)
	for _, t := range tables {
		fmt.Fprintf(&text, `ALTER TABLE %[1]s ADD COLUMN IF NOT EXISTS %[2]s bigint NOT NULL; CREATE INDEX IF NOT EXISTS %[1]s_%[2]s ON %[1]s (%[2]s);`,
			t, StepColumn)
	}
	if _, err := tx.Exec(ctx, text.String()); err != nil {
		return fmt.Errorf("tables of the cold server: %w", err)
	}
	// Nothing was moved to a server that was prepared and never claimed: the index that did it has not recorded that, or cannot move anything once this one has claimed the server.
	if _, err := tx.Exec(ctx, `INSERT INTO `+stepTable+` AS s (step, pair) VALUES (0, $1)
		ON CONFLICT (singleton) DO UPDATE SET pair = excluded.pair WHERE s.step = 0 AND s.claim IS NULL`, pair); err != nil {
		return fmt.Errorf("step of the cold server: %w", err)
	}
	var of string
	if err := tx.QueryRow(ctx, `SELECT pair FROM `+stepTable).Scan(&of); err != nil {
		return fmt.Errorf("step of the cold server: %w", err)
	}
	if of != pair {
		return chain.Invalidf("the database is a cold server of another index")
	}
	return nil
}

// IsServer reports whether a database is a cold server.
func IsServer(ctx context.Context, on interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
},
) (is bool, err error) {
	err = on.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, stepTable).Scan(&is)
	return is, wrap("table of steps", err)
}

// requireSteps refuses a table that has rows without their steps: a migration has it anew, with the columns of the index.
func requireSteps(ctx context.Context, tx pgx.Tx, tables []string) error {
	base, err := baseSchema(ctx, tx)
	if err != nil {
		return err
	}
	columns, err := columnsOf(ctx, tx, base, tables)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if slices.Contains(columns[t], StepColumn) {
			continue
		}
		var rows bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM `+t+`)`).Scan(&rows); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if rows {
			return chain.Invalidf("a migration of this version has written table %s of the cold server anew, without the steps of its rows: restore the backups of the index and of the cold server "+
				"from before the upgrade, move the blocks back by tonql range thaw of the version before, and upgrade then", t)
		}
	}
	return nil
}

// baseSchema returns the schema of the tables of the index.
func baseSchema(ctx context.Context, on pgx.Tx) (base string, err error) {
	err = on.QueryRow(ctx, `SELECT current_schema()::text`).Scan(&base)
	return base, wrap("schema", err)
}

// columnsOf returns the columns of tables of a schema, in their order.
func columnsOf(ctx context.Context, on pgx.Tx, schema string, tables []string) (map[string][]string, error) {
	rows, err := on.Query(ctx, `SELECT c.relname::text, a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = $1::regnamespace AND c.relname = ANY($2) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`, schema, tables)
	if err != nil {
		return nil, fmt.Errorf("columns of %s: %w", schema, err)
	}
	columns := map[string][]string{}
	var table, column string
	if _, err := pgx.ForEachRow(rows, []any{&table, &column}, func() error {
		columns[table] = append(columns[table], column)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("columns of %s: %w", schema, err)
	}
	return columns, nil
}

// quoted are identifiers, separated by commas.
func quoted(names []string) string {
	list := slices.Clone(names)
	for i, n := range list {
		list[i] = pgx.Identifier{n}.Sanitize()
	}
	return strings.Join(list, ", ")
}
