package cold

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Build creates the foreign tables of all cold servers, the views of all rows, and the triggers that collect removed rows, in a database
// transaction of the index. Earlier ones are replaced: their columns follow the migrations.
func Build(ctx context.Context, tx pgx.Tx) error {
	if err := Remove(ctx, tx); err != nil {
		return err
	}
	names, err := Servers(ctx, tx)
	if err != nil || len(names) == 0 {
		return err
	}
	tables, err := presentTables(ctx, tx)
	if err != nil {
		return err
	}
	base, err := baseSchema(ctx, tx)
	if err != nil {
		return err
	}
	columns, err := columnsOf(ctx, tx, base, tables)
	if err != nil {
		return err
	}
	b := builder{base: base, columns: columns}
	b.addf(`CREATE SCHEMA %s`, CompleteSchema)
	for _, name := range names {
		b.addf(`CREATE SCHEMA %[1]s; IMPORT FOREIGN SCHEMA public LIMIT TO (%[2]s, %[3]s, %[4]s) FROM SERVER %[1]s INTO %[1]s`,
			name, quoted(tables), StatesTable, stepTable)
	}
	b.views(CompleteSchema, names, tables)
	for _, without := range omissions(names) {
		schema := SchemaWithout(without)
		b.addf(`CREATE SCHEMA %s`, schema)
		b.views(schema, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(without, name) }), tables)
	}
	for _, t := range tables {
		b.trigger(t)
	}
	b.statesTrigger()
	if _, err := tx.Exec(ctx, b.text.String()); err != nil {
		return fmt.Errorf("views of cold servers: %w", err)
	}
	return nil
}

// Remove removes what [Build] creates.
func Remove(ctx context.Context, tx pgx.Tx) error {
	names, err := Servers(ctx, tx)
	if err != nil {
		return err
	}
	// The triggers go too, which needs locks of all tables: statements of the service queue behind one that waits.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '5s'`); err != nil {
		return fmt.Errorf("lock timeout: %w", err)
	}
	rows, err := tx.Query(ctx, `SELECT nspname::text FROM pg_namespace WHERE starts_with(nspname::text, $1)`, withoutPrefix)
	if err != nil {
		return fmt.Errorf("earlier views of cold servers: %w", err)
	}
	schemas, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("earlier views of cold servers: %w", err)
	}
	for _, schema := range append(append(schemas, names...), CompleteSchema) {
		if _, err := tx.Exec(ctx, `DROP SCHEMA IF EXISTS `+schema+` CASCADE`); err != nil {
			return fmt.Errorf("earlier views of cold servers: %w", err)
		}
	}
	return nil
}

// Servers lists the names of the cold servers in the order in which they were connected.
func Servers(ctx context.Context, tx pgx.Tx) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT name FROM cold_servers ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("cold servers: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return names, wrap("cold servers", err)
}

// builder writes the definitions.
type builder struct {
	base    string
	columns map[string][]string
	text    strings.Builder
}

func (b *builder) addf(format string, args ...any) { fmt.Fprintf(&b.text, format+";\n", args...) }

// maxOmitted is the number of servers that requests can do without at the same time.
const maxOmitted = 2

// omissions lists the sets of servers that requests can do without while these do not respond. One server at least is left.
func omissions(names []string) (list [][]string) {
	for i, a := range names {
		if len(names) > 1 {
			list = append(list, []string{a})
		}
		for _, b := range names[i+1:] {
			if len(names) > maxOmitted {
				list = append(list, []string{a, b})
			}
		}
	}
	return list
}

// Omissible reports whether there are views without so many of all servers.
func Omissible(without, all int) bool { return without <= maxOmitted && without < all }

// SchemaWithout returns the schema whose views have no rows of these servers, which are in the order in which they were connected.
func SchemaWithout(names []string) string {
	numbers := make([]string, len(names))
	for i, name := range names {
		numbers[i] = strings.TrimPrefix(name, serverPrefix)
	}
	return withoutPrefix + strings.Join(numbers, "_")
}

// views are the views of a schema.
func (b *builder) views(schema string, servers, tables []string) {
	for _, t := range tables {
		b.view(schema, servers, t)
	}
	b.blocks(schema, servers)
}

// view is a table with the rows of servers and of the index. Its parts have no conditions, so that the planner sees tables in its place.
func (b *builder) view(schema string, servers []string, table string) {
	columns := quoted(b.columns[table])
	parts := []string{fmt.Sprintf(`SELECT %s FROM %s.%s`, columns, pgx.Identifier{b.base}.Sanitize(), table)}
	for _, name := range servers {
		parts = append(parts, fmt.Sprintf(`SELECT %s FROM %s.%s`, columns, name, table))
	}
	b.addf(`CREATE VIEW %s.%s AS %s`, schema, table, strings.Join(parts, " UNION ALL "))
}

const (
	// stepSetting is the number of the step in a database transaction that moves blocks.
	stepSetting = "tonql.cold_step"
	setStep     = `SELECT set_config('` + stepSetting + `', $1, true)`
	// earlierSetting is set where an earlier version moves blocks, whose triggers copied what it removed.
	earlierSetting = "tonql.cold_server"
	currentStep    = `current_setting('` + stepSetting + `')::bigint`
	// firstSettings begin the settings with the lowest positions of the rows that were moved: masterchain seqno, LT and time.
	firstSettings = "tonql.cold_first_"
)

// positions are expressions of the positions of rows of tables whose lists are in the order of LTs or times. Actions and transfers have those of
// transactions.
var positions = map[string]map[string]string{
	"transactions": {"mc_seqno": "mc_seqno", "lt": "lt", "utime": "now"},
	"messages":     {"lt": "coalesce(created_lt, lt)", "utime": "created_at"},
}

// SelectFirst reads the lowest positions of what a database transaction has moved, NULL for none.
func SelectFirst() string {
	var list []string
	for _, name := range []string{"mc_seqno", "lt", "utime"} {
		list = append(list, fmt.Sprintf(`nullif(current_setting('%s%s', true), '')::bigint`, firstSettings, name))
	}
	return strings.Join(list, ", ")
}

// trigger collects the rows that a moving transaction removes.
func (b *builder) trigger(table string) {
	b.collector("removed_"+table, table, "DELETE", "OLD", quoted(b.columns[table]), table)
}

// statesTrigger records the states that a moving transaction writes, as they replace what it removes.
func (b *builder) statesTrigger() {
	b.collector("wrote_account_states", "account_states", "INSERT", "NEW", quoted(stateColumns), StatesTable)
}

func (b *builder) collector(name, table, event, rows, columns, target string) {
	base := pgx.Identifier{b.base, table}.Sanitize()
	b.addf(`CREATE UNLOGGED TABLE %[1]s.%[2]s AS SELECT %[3]s FROM %[4]s WITH NO DATA`, CompleteSchema, removedPrefix+target, columns, base)
	b.addf(`CREATE FUNCTION %[1]s.%[2]s() RETURNS trigger LANGUAGE plpgsql AS $collect$
		BEGIN
			IF coalesce(current_setting('%[7]s', true), '') <> '' THEN
				RAISE EXCEPTION 'blocks are moved by an earlier version of tonql, which this index no longer supports';
			END IF;
			IF coalesce(current_setting('%[3]s', true), '') <> '' AND EXISTS (SELECT FROM changed) THEN
				INSERT INTO %[1]s.%[4]s (%[5]s) SELECT %[5]s FROM changed;%[6]s
			END IF;
			RETURN NULL;
		END $collect$`, CompleteSchema, name, stepSetting, removedPrefix+target, columns, lowest(table, event), earlierSetting)
	b.addf(`CREATE TRIGGER tonql_cold_%[1]s AFTER %[2]s ON %[3]s REFERENCING %[4]s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %[5]s.%[6]s()`,
		strings.ToLower(event), event, base, rows, CompleteSchema, name)
}

// lowest records the lowest positions of removed rows.
func lowest(table, event string) string {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(positions[table])) {
		if event == "DELETE" {
			fmt.Fprintf(&text, ` PERFORM set_config('%[1]s%[2]s', least((SELECT min(%[3]s) FROM changed), nullif(current_setting('%[1]s%[2]s', true), '')::bigint)::text, true);`,
				firstSettings, name, positions[table][name])
		}
	}
	return text.String()
}

// blocks are the views of what is indexed and dropped, and of steps that differ between here and a cold server.
func (b *builder) blocks(schema string, servers []string) {
	base := pgx.Identifier{b.base}.Sanitize()
	b.addf(`CREATE VIEW %[1]s.indexed_ranges AS
		WITH blocks AS (SELECT first, last FROM %[2]s.indexed_ranges UNION ALL SELECT first, last FROM %[2]s.cold_ranges),
			marked AS (SELECT first, last, CASE WHEN lag(last) OVER (ORDER BY first) = first - 1 THEN 0 ELSE 1 END AS begins FROM blocks),
			numbered AS (SELECT first, last, sum(begins) OVER (ORDER BY first) AS number FROM marked)
		SELECT min(first) AS first, max(last) AS last FROM numbered GROUP BY number`, schema, base)
	b.addf(`CREATE VIEW %[1]s.dropped_blocks AS SELECT true AS singleton, c.dropped_last AS last, c.dropped_end_lt AS end_lt, c.dropped_gen_utime AS gen_utime, d.gap_last, d.gap_lt
		FROM (SELECT * FROM %[2]s.cold_blocks ORDER BY step LIMIT 1) c, %[2]s.dropped_blocks d WHERE c.dropped_last IS NOT NULL`, schema, base)
	var steps []string
	for _, name := range servers {
		steps = append(steps, fmt.Sprintf(`SELECT '%[1]s'::text AS server, s.step, coalesce((SELECT max(c.step) FROM %[2]s.cold_blocks c WHERE c.server = '%[1]s'), 0) AS expected FROM %[1]s.%[3]s s`,
			name, base, stepTable))
	}
	b.addf(`CREATE VIEW %s.cold_steps AS %s`, schema, strings.Join(steps, " UNION ALL "))
}
