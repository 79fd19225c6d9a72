package snapshot

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// selectDefinitions lists the indexes and constraints of tables: the statements that create the index and the constraint, empty for
// none, and the one that removes both. A constraint with an index is made of the index, whose statement has all its settings.
const selectDefinitions = `
	SELECT coalesce(c.conname, i.relname), coalesce(pg_get_indexdef(i.oid), ''), CASE
		WHEN c.contype IS NULL THEN ''
		WHEN c.contype = 'f' THEN format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.oid::regclass, c.conname, pg_get_constraintdef(c.oid))
		ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I', t.oid::regclass, c.conname,
			CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END, c.conname) END,
		CASE WHEN c.contype IS NULL THEN format('DROP INDEX %s', i.oid::regclass)
			ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', t.oid::regclass, c.conname) END
	FROM pg_class t
	CROSS JOIN LATERAL (
		SELECT x.indexrelid AS index, k.oid AS "constraint" FROM pg_index x
			LEFT JOIN pg_constraint k ON k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x') WHERE x.indrelid = t.oid
		UNION ALL SELECT NULL, k.oid FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'f') d
	LEFT JOIN pg_class i ON i.oid = d.index
	LEFT JOIN pg_constraint c ON c.oid = d."constraint"
	WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
	ORDER BY t.relname, 1`

// The phases after copying, which are stored by number: several snapshots become one index; an index only reads its table, a constraint locks it, and a foreign
// key needs the constraints of two tables.
const (
	phaseChosen = iota - 3
	phaseUnion
	phaseRemove
	phaseIndex
	phaseConstraint
	phaseForeignKey
)

// phaseNames name the phases for whoever watches the progress.
var phaseNames = map[int]string{
	phaseChosen: "comparing snapshots", phaseUnion: "joining snapshots", phaseRemove: "removing copies", phaseIndex: "creating indexes",
	phaseConstraint: "creating constraints", phaseForeignKey: "creating foreign keys",
}

// step is a statement of a phase.
type step struct {
	phase           int
	name, statement string
}

// prepare empties the tables, removes their indexes and constraints, and creates the tables for what several snapshots have in common.
func prepare(ctx context.Context, tx pgx.Tx, from sources) error {
	if err := truncate(ctx, tx); err != nil {
		return err
	}
	list, err := columns(ctx, tx)
	if err != nil {
		return err
	}
	rows, err := tx.Query(ctx, selectDefinitions, indexed)
	if err != nil {
		return fmt.Errorf("indexes: %w", err)
	}
	type definition struct{ Name, Index, Constraint, Drop string }
	definitions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[definition])
	if err != nil {
		return fmt.Errorf("indexes: %w", err)
	}
	for _, s := range []string{createImport, createParts, createDefinition} {
		if _, err := tx.Exec(ctx, s); err != nil {
			return fmt.Errorf("tables of the import: %w", err)
		}
	}
	b := &pgx.Batch{}
	b.Queue(`INSERT INTO `+importTable+` VALUES ($1)`, from.sum())
	var keys []definition // removed after the foreign keys, which need them
	steps := 0
	add := func(phase int, name, statement string) {
		b.Queue(`INSERT INTO `+definitionTable+` VALUES ($1, $2, $3, $4)`, steps, phase, name, statement)
		steps++
	}
	for _, s := range from.unite(list) {
		add(s.phase, s.name, s.statement)
	}
	if len(from) > 1 {
		for i := range unions {
			t := unions[i].table
			if _, err := tx.Exec(ctx, createCopy(t, list[t]), pgx.QueryExecModeSimpleProtocol); err != nil {
				return fmt.Errorf("tables of the import: %w", err)
			}
		}
	}
	for _, d := range definitions {
		if d.Index == "" {
			add(phaseForeignKey, d.Name, d.Constraint)
			b.Queue(d.Drop)
			continue
		}
		keys = append(keys, d)
	}
	for _, d := range keys {
		add(phaseIndex, d.Name, d.Index)
		if d.Constraint != "" {
			add(phaseConstraint, d.Name, d.Constraint)
		}
		b.Queue(d.Drop)
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("indexes: %w", err)
	}
	return nil
}

const (
	selectSteps = `SELECT step, name FROM ` + definitionTable + ` WHERE phase = $1 ORDER BY step`
	takeStep    = `DELETE FROM ` + definitionTable + ` WHERE step = $1 RETURNING statement`
	// joinSettings are for statements that read tables without indexes and statistics.
	joinSettings = `SELECT set_config('work_mem', greatest(m.setting::bigint, least(131072, c.setting::bigint / 2))::text, true), set_config('enable_nestloop', 'off', true)
		FROM pg_settings m, pg_settings c WHERE m.name = 'work_mem' AND c.name = 'effective_cache_size'`
	// moreMemory sorts the entries of an index in at least 256 MB, an eighth of effective_cache_size if that is less, or as much as the server is set to.
	// The unit of the one is a kB, of the other 8 kB.
	moreMemory = `SELECT set_config('maintenance_work_mem', greatest(m.setting::bigint, least(262144, c.setting::bigint))::text, true)
		FROM pg_settings m, pg_settings c WHERE m.name = 'maintenance_work_mem' AND c.name = 'effective_cache_size'`
)

// define creates the indexes and constraints that are missing.
func (i *importer) define(ctx context.Context) error {
	for phase := phaseChosen; phase <= phaseForeignKey; phase++ {
		type step struct {
			Step int
			Name string
		}
		var steps []step
		err := i.writing(ctx, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, selectSteps, phase)
			if err == nil {
				steps, err = pgx.CollectRows(rows, pgx.RowToStructByPos[step])
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("indexes: %w", err)
		}
		if len(steps) == 0 {
			continue
		}
		i.progress.begin(phaseNames[phase], len(steps))
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(i.workers)
		for _, s := range steps {
			group.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := i.writing(ctx, func(tx pgx.Tx) error { return create(ctx, tx, phase, s.Step) }); err != nil {
					return fmt.Errorf("%s: %s: %w", phaseNames[phase], s.Name, err)
				}
				i.progress.add(0, 0)
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// create runs a step, unless it has been.
func create(ctx context.Context, tx pgx.Tx, phase, step int) error {
	var statement string
	if err := tx.QueryRow(ctx, takeStep, step).Scan(&statement); errors.Is(err, pgx.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	settings := moreMemory
	if phase < phaseIndex {
		settings = joinSettings
	}
	if _, err := tx.Exec(ctx, settings); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
	return err
}

// analyze lets the planner and scans of indexes use the tables: statistics, and which pages all transactions see.
func (i *importer) analyze(ctx context.Context) error {
	i.progress.begin("analyzing tables", len(indexed))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(i.workers)
	for _, table := range indexed {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err := connection(ctx, i.db, func(conn *pgx.Conn) error {
				_, err := conn.Exec(ctx, `VACUUM (ANALYZE) `+table)
				return err
			})
			if err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
			i.progress.add(0, 0)
			return nil
		})
	}
	return group.Wait()
}
