package names

import (
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const (
	// retainedChanges is the number of versions whose changes are stored. A cache at an older version is emptied.
	retainedChanges = 1024
	// maxChanges is the largest number of accounts of one version; NULL stands for more.
	maxChanges = 4096

	// runOfServer differs after each promotion and restart of a server. The first change of such a run skips versions: the last ones
	// before it may be lost, while caches still have them.
	runOfServer     = `(substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || extract(epoch FROM pg_postmaster_start_time()))`
	skippedVersions = 1 << 20
)

// Change returns the part of a statement that records changed names of accounts and codes, once for each row of
// another part, which has at most one row.
func Change(accounts, codes, each string) string {
	return `next AS (UPDATE names_version SET version = version + CASE WHEN server IN ('', ` + runOfServer + `) THEN 1 ELSE ` + strconv.Itoa(skippedVersions) + ` END,
			server = ` + runOfServer + each + ` RETURNING version),
		old AS (DELETE FROM name_changes c USING next n WHERE c.version <= n.version - ` + strconv.Itoa(retainedChanges) + `)
		INSERT INTO name_changes (version, accounts, codes) SELECT n.version, ` + accounts + `, ` + codes + ` FROM next n`
}

var note = `WITH ` + Change("$1::bytea[]", "$2::bytea[]", "")

// Note adds a statement to a batch of the writer that records changed names of accounts and of codes.
func Note(b *pgx.Batch, accounts map[chain.Address]struct{}, codes []chain.Hash) {
	var changed [][]byte
	if len(accounts) <= maxChanges {
		changed = sqlbuild.AddressArray(slices.Collect(maps.Keys(accounts)))
	}
	b.Queue(note, changed, sqlbuild.HashArray(codes))
}

// SelectChanges reads the changes since a version. It returns no rows when there are so many that emptying the cache is
// cheaper.
const SelectChanges = `SELECT c.accounts, c.codes FROM name_changes c
	WHERE c.version > $1 AND (SELECT n.version FROM names_version n) - $1 <= 256`

// changes are the changes between two versions. They are incomplete when rows of older versions are deleted already.
type changes struct {
	versions int64 // number of versions read
	all      bool  // any name may have changed
	accounts []chain.Address
	codes    []chain.Hash
}

func scanChange(r *sqlbuild.Row, c *changes) {
	c.versions++
	if !r.Elements(func(_ int, element []byte) {
		one := sqlbuild.Row{Columns: [][]byte{element}}
		c.accounts = append(c.accounts, one.Address())
		r.Err = one.Err
	}) {
		c.all = true
	}
	r.Elements(func(_ int, element []byte) {
		one := sqlbuild.Row{Columns: [][]byte{element}}
		c.codes = append(c.codes, one.Hash())
		r.Err = one.Err
	})
}

func (c *changes) queue(b *pgx.Batch, since int64) {
	b.Queue(SelectChanges, since).Query(func(rows pgx.Rows) error {
		return sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) { scanChange(r, c) })
	})
}
