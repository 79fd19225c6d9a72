package storetest

import (
	"database/sql"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// partitionedTables are the tables of [Partition]: both have lt in their key.
var partitionedTables = [...]string{"transactions", "messages"}

// Partition makes transactions and messages tables of ranges of LTs, each from a bound to the next. The tables themselves become the
// first range: none of their rows may have an LT from the first bound on, and none is read or copied.
func Partition(t testing.TB, db *sql.DB, bounds ...uint64) {
	t.Helper()
	replace(t, db, func(tx *sql.Tx, table, before string) {
		end := limit(bounds, 0)
		executef(t, tx, `ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%s)`, table, before, end)
		createRanges(t, tx, table, bounds, 1)
	})
}

// Repartition is [Partition] for tables with any rows, partitioned or not: it copies them.
func Repartition(t testing.TB, db *sql.DB, bounds ...uint64) {
	t.Helper()
	replace(t, db, func(tx *sql.Tx, table, before string) {
		createRanges(t, tx, table, bounds, 0)
		executef(t, tx, `INSERT INTO %s SELECT * FROM %s`, table, before)
		executef(t, tx, `DROP TABLE %s`, before)
	})
}

// replace puts partitioned tables with the same columns and indexes in the place of the tables, in one database transaction. fill gives
// them ranges and rows.
func replace(t testing.TB, db *sql.DB, fill func(tx *sql.Tx, table, before string)) {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }() // after the commit it does nothing
	for _, table := range partitionedTables {
		before := table + "_before"
		executef(t, tx, `ALTER TABLE %s RENAME TO %s`, table, before)
		executef(t, tx, `CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING INDEXES) PARTITION BY RANGE (lt)`,
			table, before)
		fill(tx, table, before)
	}
	require.NoError(t, tx.Commit())
}

// createRanges creates the ranges from one on; 0 is the range before the first bound.
func createRanges(t testing.TB, tx *sql.Tx, table string, bounds []uint64, from int) {
	t.Helper()
	for i := from; i <= len(bounds); i++ {
		start := "MINVALUE"
		if i > 0 {
			start = limit(bounds, i-1)
		}
		executef(t, tx, `CREATE TABLE %s_%d_of_%d PARTITION OF %s FOR VALUES FROM (%s) TO (%s)`, table, i, len(bounds)+1, table, start, limit(bounds, i))
	}
}

func limit(bounds []uint64, i int) string {
	if i == len(bounds) {
		return "MAXVALUE"
	}
	return strconv.FormatUint(bounds[i], 10)
}

func executef(t testing.TB, tx *sql.Tx, format string, args ...any) {
	t.Helper()
	statement := fmt.Sprintf(format, args...)
	_, err := tx.ExecContext(t.Context(), statement)
	require.NoError(t, err, statement)
}
