package store_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/readers"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/store/traces"
	"tonql/internal/testdb"
)

// detailClassifier gives actions details with addresses: those of the accounts of the row, and others.
type detailClassifier struct{ storetest.Classifier }

func (c detailClassifier) Read(t *chain.TraceContent) chain.TraceReading {
	return detailReading{storetest.Reading{TraceContent: t}}
}

type detailReading struct{ storetest.Reading }

func (t detailReading) Classify(records chain.TraceRecords) ([]chain.Action, error) {
	actions, err := t.Reading.Classify(records)
	for i := range actions {
		a := &actions[i]
		a.Details, _ = json.Marshal(map[string]any{
			"source": a.Accounts[0].String(), "destination": a.Accounts[len(a.Accounts)-1].String(), "value": "100000000",
			"other": chain.Address{Workchain: -int32(i % 2), ID: a.ID}.String(), "comment": "a\tb",
		})
		if i == 5 {
			a.Details = json.RawMessage("{\n}") // has no packed form
		}
	}
	return actions, err
}

// packedChain is a database with actions before and after the first dictionary.
func packedChain(t *testing.T) (url string, db *store.DB) {
	t.Helper()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 4200, Accounts: 60, PerBlock: 2, Shards: 2, Seed: 9}).Batch(1 << 20)
	url = testdb.URL(t)
	db = testdb.Open(t, url)
	db.Writer().SetClassifier(detailClassifier{})
	storetest.Apply(t, db.Writer(), blocks[:1200])
	storetest.Apply(t, db.Writer(), blocks[1200:])
	require.Positive(t, countOf(t, db, `SELECT count(*) FROM actions WHERE get_byte(details_packed, 4) = 1`), "compressed")
	require.Positive(t, countOf(t, db, `SELECT count(*) FROM actions WHERE get_byte(details_packed, 4) <> 1`))
	require.Positive(t, countOf(t, db, `SELECT count(*) FROM actions WHERE details_json IS NOT NULL`))
	require.Zero(t, countOf(t, db, `SELECT count(*) FROM actions WHERE num_nonnulls(details_json, details_packed) <> 1`))
	return url, db
}

func countOf(t *testing.T, db *store.DB, query string) int {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	return storetest.Count(t, handle, query)
}

func allActions(t *testing.T, db *store.DB) []chain.Action {
	t.Helper()
	rows, err := db.Reader().Actions(t.Context(), chain.ActionFilter{}, chain.Page{Limit: 1 << 20})
	require.NoError(t, err)
	return rows
}

func completed(t *testing.T, db *store.DB) (ids []chain.Hash) {
	t.Helper()
	list, err := db.Reader().CompletedTraces(t.Context(), traces.Position{}, 1<<30, 1<<20)
	require.NoError(t, err)
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

// Rows of earlier versions have the details as JSON. Lists and digests do not show which form a row has.
func TestDetails_BothFormsAreReadAlike(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	url, db := packedChain(t)
	want := allActions(t, db)
	require.Greater(t, len(want), 2000)
	for i := range want {
		require.True(t, json.Valid(want[i].Details))
	}
	digest, err := db.Reader().Digest(ctx, nil)
	require.NoError(t, err)
	ranged := storetest.RangeDigest(t, db, 100, 1900)
	ids := completed(t, db)
	ofTraces, err := db.Reader().ActionsOfTraces(ctx, ids[:500], nil)
	require.NoError(t, err)
	account := want[0].Accounts[:1]
	ofAccounts, err := db.Reader().ActionsOfAccounts(ctx, account, chain.Page{Limit: 50})
	require.NoError(t, err)
	requireSame := func(db *store.DB) {
		t.Helper()
		require.Equal(t, want, allActions(t, db))
		d, err := db.Reader().Digest(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, digest, d)
		storetest.RequireEqualDigests(t, ranged, storetest.RangeDigest(t, db, 100, 1900))
		traces, err := db.Reader().ActionsOfTraces(ctx, ids[:500], nil)
		require.NoError(t, err)
		require.Equal(t, ofTraces, traces)
		accounts, err := db.Reader().ActionsOfAccounts(ctx, account, chain.Page{Limit: 50})
		require.NoError(t, err)
		require.Equal(t, ofAccounts, accounts)
	}
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	for i := range want {
		if i%2 == 0 {
			_, err := handle.ExecContext(ctx, `UPDATE actions SET details_json = $2, details_packed = NULL WHERE action_id = $1`, want[i].ID[:], string(want[i].Details))
			require.NoError(t, err)
		}
	}
	requireSame(db)
	requireSame(testdb.Open(t, url)) // which reads the dictionary

	// A failover has lost the dictionary, which the writer uses for blocks. Actions that are storetest.Classified again are packed with another one.
	storetest.ExecSQL(t, db, `DELETE FROM action_dictionaries`)
	require.NoError(t, db.Writer().Reclassify(ctx, ids))
	requireSame(testdb.Open(t, url))
	require.NoError(t, db.Writer().Reclassify(ctx, ids))
	require.Zero(t, countOf(t, db, `SELECT count(*) FROM actions WHERE details_json IS NOT NULL AND details_json::text <> E'{\n}'`))
	requireSame(testdb.Open(t, url))
}

func TestDetails_DamagedOnesAreAnError(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	url, db := packedChain(t)
	digest, err := db.Reader().Digest(ctx, nil)
	require.NoError(t, err)
	ranged := storetest.RangeDigest(t, db, 100, 1900)
	const one = ` WHERE action_id = (SELECT action_id FROM actions WHERE get_byte(details_packed, 4) = 1 AND mc_seqno_end < 1500 ORDER BY action_id LIMIT 1)`
	storetest.ExecSQL(t, db, `CREATE TABLE saved AS SELECT action_id, details_packed, accounts FROM actions`+one)
	for name, damage := range map[string]string{
		"none":               `details_packed = NULL`,
		"empty":              `details_packed = ''`,
		"checksum alone":     `details_packed = substr(details_packed, 1, 4)`,
		"cut":                `details_packed = substr(details_packed, 1, length(details_packed) - 3)`,
		"checksum":           `details_packed = set_byte(details_packed, 2, get_byte(details_packed, 2) # 1)`,
		"last byte":          `details_packed = set_byte(details_packed, length(details_packed) - 1, get_byte(details_packed, length(details_packed) - 1) # 1)`,
		"dictionary":         `details_packed = set_byte(details_packed, 6, get_byte(details_packed, 6) # 1)`,
		"a size of 4 GiB":    `details_packed = substr(details_packed, 1, 9) || '\xffffffff0f'`,
		"a size of 16 MiB":   `details_packed = substr(details_packed, 1, 9) || '\xffffff07'`,
		"absent account":     `details_packed = substr(details_packed, 1, 4) || '\x7b02ff7d'`,
		"unused byte":        `details_packed = substr(details_packed, 1, 4) || '\x7b1f7d'`,
		"accounts are other": `accounts = set_byte(accounts, 7, get_byte(accounts, 7) # 1)`,
	} {
		storetest.ExecSQL(t, db, `UPDATE actions SET `+damage+one)
		_, err := db.Reader().Actions(ctx, chain.ActionFilter{}, chain.Page{Limit: 1 << 20})
		require.ErrorIs(t, err, traces.ErrDamagedDetails, name)
		require.Equal(t, chain.Internal, chain.KindOf(err), name)
		requireNoInternals(t, err)
		d, err := db.Reader().Digest(ctx, nil)
		require.NoError(t, err, name)
		require.NotEqual(t, digest.Total, d.Total, name)
		require.NotEqual(t, ranged.Hash, storetest.RangeDigest(t, db, 100, 1900).Hash, name)
		storetest.ExecSQL(t, db, `UPDATE actions a SET details_packed = s.details_packed, accounts = s.accounts FROM saved s WHERE s.action_id = a.action_id`)
	}
	require.NotEmpty(t, allActions(t, db))
	_, err = db.Reader().Actions(readers.Limited(ctx), chain.ActionFilter{}, chain.Page{Limit: 1 << 20})
	require.NoError(t, err)
	_, err = db.Reader().Actions(sqlbuild.WithReadLimit(ctx, 1000), chain.ActionFilter{}, chain.Page{Limit: 1 << 20})
	require.Equal(t, chain.Invalid, chain.KindOf(err))

	storetest.ExecSQL(t, db, `DELETE FROM action_dictionaries`)
	_, err = testdb.Open(t, url).Reader().Actions(ctx, chain.ActionFilter{}, chain.Page{Limit: 1 << 20})
	require.ErrorIs(t, err, traces.ErrDamagedDetails)
}
