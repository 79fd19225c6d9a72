package migrations_test

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/readers"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/migrations"
)

// changesMovedTables adds a column with a value to rows that are there, one without, and an index, and has two tables anew: one that
// has rows with all columns, one that has none with those of the index.
var changesMovedTables = `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99990, NULL);
ALTER TABLE transactions ADD COLUMN added int NOT NULL DEFAULT 7;
ALTER TABLE messages ADD COLUMN added int;
UPDATE messages SET added = 8;
CREATE INDEX transactions_added ON transactions (added);
ALTER TABLE jetton_transfers RENAME TO jetton_transfers_before;
CREATE TABLE jetton_transfers (LIKE jetton_transfers_before INCLUDING ALL);
INSERT INTO jetton_transfers SELECT * FROM jetton_transfers_before;
DROP TABLE jetton_transfers_before;
` + anew("jetton_burns", "WITH NO DATA") + `
-- +goose Down
`

// anew is the statement for a table anew with the columns that it has in the index.
func anew(table, rows string) string {
	return `-- +goose StatementBegin
DO $$ BEGIN
	EXECUTE (SELECT 'CREATE TABLE anew AS SELECT ' || string_agg(attname, ', ' ORDER BY attnum) || ' FROM ` + table + ` ` + rows + `'
		FROM pg_attribute WHERE attrelid = '` + table + `'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'cold_step');
END $$;
-- +goose StatementEnd
DROP TABLE ` + table + `;
ALTER TABLE anew RENAME TO ` + table + `;`
}

// removesColumns removes what [changesMovedTables] has added.
const removesColumns = `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99991, NULL);
ALTER TABLE transactions DROP COLUMN added;
ALTER TABLE messages DROP COLUMN added;
-- +goose Down
`

// coldIndex is an index with blocks on a cold server.
func coldIndex(t *testing.T) (db *store.DB, url, name string, blocks []*chain.MasterBlock) {
	t.Helper()
	url = testdb.URL(t)
	db = testdb.Open(t, url)
	c := synthetic.New(synthetic.Options{Transactions: 2000, Accounts: 200, PerBlock: 38, Shards: 2, Seed: 1, Contracts: true})
	for batch, n := c.Batch(66); n > 0; batch, n = c.Batch(66) {
		require.NoError(t, db.Writer().Apply(t.Context(), batch...))
		blocks = append(blocks, batch...)
	}
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	moveThrough(t, db, name, blocks[10])
	return db, url, name, blocks
}

func moveThrough(t *testing.T, db *store.DB, name string, block *chain.MasterBlock) {
	t.Helper()
	step, err := db.Writer().MoveCold(t.Context(), name, block.Block.Seqno, 100_000)
	require.NoError(t, err)
	require.NotZero(t, step.Transactions)
}

// upgradeCold applies migrations to an index and its cold servers, as commands do.
func upgradeCold(t *testing.T, db *store.DB, url string, from fs.FS, hidden func()) error {
	t.Helper()
	up := func(_ context.Context, url string) error {
		of := testdb.Open(t, url).SQLDB()
		defer func() { require.NoError(t, of.Close()) }()
		_, err := migrations.UpWith(t.Context(), of, from, migrations.Loggers{}, 20)
		return err
	}
	require.NoError(t, db.Cold().Hide(t.Context()))
	require.NoError(t, up(t.Context(), url))
	hidden()
	if err := db.Cold().URLs(t.Context(), func(ctx context.Context, name, url string) error { return db.Cold().Upgrade(ctx, name, url, up) }); err != nil {
		return err
	}
	return db.Cold().Show(t.Context())
}

// Migrations of a later version change tables with rows on a cold server, there as here: the rows of both are those of one database as before, more blocks
// move there, and all move back.
func TestUp_TablesOfColdServersChangeWithTheIndex(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db, url, name, blocks := coldIndex(t)
	digest := func() digests.Digest {
		t.Helper()
		d, err := db.Reader().Digest(store.Complete(t.Context()), nil)
		require.NoError(t, err)
		return d
	}
	want := digest()
	upgrade := func(from fs.FS) {
		t.Helper()
		require.NoError(t, upgradeCold(t, db, url, from, func() {
			err := readers.Try(t.Context(), 0, nil, func(ctx context.Context) error {
				_, err := db.Reader().TransactionsByHash(ctx, []chain.Hash{blocks[3].Transactions[0].Hash})
				return err
			})
			require.Equal(t, chain.Unavailable, chain.KindOf(err), "no row may be taken for absent meanwhile")
			require.Contains(t, chain.PublicMessage(err), "are on another server")
		}))
	}
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()

	first := withMigration(t, "99990_added.sql", changesMovedTables)
	upgrade(first)
	require.Equal(t, want, digest())
	var sevens, eights, all int
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM `+name+`.transactions WHERE added = 7), (SELECT count(*) FROM `+name+`.messages WHERE added = 8),
		(SELECT count(*) FROM `+name+`.transactions)`).Scan(&sevens, &eights, &all))
	require.NotZero(t, all)
	require.Equal(t, all, sevens)
	require.NotZero(t, eights)
	moveThrough(t, db, name, blocks[20])
	require.Equal(t, want, digest())

	first["99991_removed.sql"] = withMigration(t, "99991_removed.sql", removesColumns)["99991_removed.sql"]
	upgrade(first)
	moveThrough(t, db, name, blocks[30])
	require.Equal(t, want, digest())
	for {
		step, err := db.Writer().ThawCold(t.Context())
		require.NoError(t, err)
		if step.Blocks.Last == 0 {
			break
		}
	}
	back, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, back)
}

// A migration that has a table with moved rows anew, without the columns of a cold server, is refused: nothing would say which blocks the rows belong to.
func TestUp_TableOfAColdServerWithoutStepsIsRefused(t *testing.T) {
	t.Parallel()
	db, url, _, _ := coldIndex(t)
	err := upgradeCold(t, db, url, withMigration(t, "99990_anew.sql", `-- +goose Up
SET LOCAL lock_timeout = '2s';
INSERT INTO schema_gateways (migration, needed) VALUES (99990, NULL);
`+anew("messages", "")+`
-- +goose Down
`), func() {})
	require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)
	require.Contains(t, chain.PublicMessage(err), "table messages")
	require.Contains(t, chain.PublicMessage(err), "tonql range thaw")
	hidden, err := db.Cold().Hidden(t.Context())
	require.NoError(t, err)
	require.True(t, hidden)
}
