package indexer_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/indexer/detect"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/digests"
	"tonql/internal/testdb"
)

// tables returns the digests of the tables with these names.
func tables(d digests.Digest, names ...string) map[string]digests.Table {
	found := map[string]digests.Table{}
	for _, t := range d.Tables {
		for _, name := range names {
			if t.Table == name {
				found[name] = t
			}
		}
	}
	return found
}

// TestRedetect_EqualsDetectionWhileIndexing detects contracts after indexing, in an index without detection and in a
// complete one.
func TestRedetect_EqualsDetectionWhileIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	src, complete := newIndex(ctx, t, blocks)
	undetected := testdb.New(t)
	run(ctx, t, src, undetected, 1, blocks, indexer.Options{Detect: indexer.NoDetect})
	want := digest(ctx, t, complete)
	none, err := undetected.Reader().JettonWallets(ctx, chain.JettonWalletFilter{}, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Empty(t, none)

	steps := 0
	done, err := indexer.New(src, undetected, indexer.Options{}).Redetect(ctx, nil, false, func(indexer.Redetection) { steps++ })
	require.NoError(t, err)
	require.Positive(t, steps)
	require.Zero(t, done.Stats.Undetected)
	latest := []string{
		"contracts", "jetton_masters", "jetton_wallets", "nft_collections", "nft_items", "dns_records",
		"jetton_transfers", "jetton_burns", "nft_transfers", "nominator_pools", "nominator_positions",
	}
	got := tables(digest(ctx, t, undetected), latest...)
	require.Positive(t, got["jetton_transfers"].Rows)
	for name, table := range tables(want, latest...) {
		if name == "contracts" {
			table.Hash, got[name] = chain.Hash{}, digests.Table{Table: name, Rows: got[name].Rows}
		}
		require.Equal(t, table, got[name])
	}

	again, err := indexer.New(src, complete, indexer.Options{}).Redetect(ctx, nil, false, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Equal(t, done.Accounts, again.Accounts)
	require.Equal(t, want, digest(ctx, t, complete), "redetection of a complete index changes nothing")

	after, err := indexer.New(src, complete, indexer.Options{}).Redetect(ctx, &done.Last, false, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Zero(t, after.Accounts, "nothing comes after the last account")
}

// A contract that was undetected at a block and detected at a later one lacks the transfers of that block. They are written on request.
func TestRedetect_MissingTransfersAreWritten(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	src, db := newIndex(ctx, t, blocks)
	names := []string{"jetton_transfers", "jetton_burns", "nft_transfers"}
	want := tables(digest(ctx, t, db), names...)
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	for _, name := range names {
		require.Positive(t, want[name].Rows, name)
		_, err := sql.ExecContext(ctx, "DELETE FROM "+name)
		require.NoError(t, err)
	}
	for _, transfers := range []bool{false, true} {
		_, err := indexer.New(src, db, indexer.Options{}).Redetect(ctx, nil, transfers, func(indexer.Redetection) {})
		require.NoError(t, err)
		got := tables(digest(ctx, t, db), names...)
		if transfers {
			require.Equal(t, want, got)
			continue
		}
		for _, name := range names {
			require.Zero(t, got[name].Rows, "the transfers of contracts that the index has are read on request only")
		}
	}
}

// A redetection that ends between the writes of a step, as by a kill, is completed by the next one: no transfer is missing.
func TestRedetect_InterruptedStepIsRepeatedWithItsTransfers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	src, complete := newIndex(ctx, t, blocks)
	db := testdb.New(t)
	run(ctx, t, src, db, 1, blocks, indexer.Options{Detect: indexer.NoDetect})
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	_, err := sql.ExecContext(ctx, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`)
	require.NoError(t, err)
	names := []string{"jetton_transfers", "jetton_burns", "nft_transfers"}
	for _, name := range append([]string{"jetton_wallets", "nft_items"}, names...) { // where runs end
		_, err := sql.ExecContext(ctx, "CREATE TRIGGER refuse BEFORE INSERT ON "+name+" FOR EACH ROW EXECUTE FUNCTION refuse()")
		require.NoError(t, err)
		_, err = indexer.New(src, db, indexer.Options{}).Redetect(ctx, nil, false, func(indexer.Redetection) {})
		require.ErrorContains(t, err, "refused", name)
		_, err = sql.ExecContext(ctx, "DROP TRIGGER refuse ON "+name)
		require.NoError(t, err)
	}
	_, err = indexer.New(src, db, indexer.Options{}).Redetect(ctx, nil, false, func(indexer.Redetection) {})
	require.NoError(t, err)
	want := tables(digest(ctx, t, complete), names...)
	for _, name := range names {
		require.Positive(t, want[name].Rows, name)
	}
	require.Equal(t, want, tables(digest(ctx, t, db), names...))
}

// forgetful is a network that no longer has the states of the newest indexed block, as liteservers without an archive after some hours.
type forgetful struct{ chain.Source }

func (forgetful) Account(_ context.Context, at chain.BlockIDExt, a chain.Address) (*chain.RawAccount, error) {
	return nil, chain.NotFoundf("account %s at block %s is not available", a, at.BlockID)
}

// An index that begins late lacks masters and collections. When the network has their states no more, a redetection leaves what was
// detected as it is.
func TestRedetect_WithoutTheStatesOfOthersNothingIsLost(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const first, blocks = 30, 60
	src, db := chainOf(t, blocks).network.Client, testdb.New(t)
	run(ctx, t, src, db, first, blocks, indexer.Options{From: from(t, strconv.Itoa(first))})
	want := digest(ctx, t, db)
	done, err := indexer.New(forgetful{src}, db, indexer.Options{}).Redetect(ctx, nil, true, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Positive(t, done.Stats.Undetected, "some masters and collections are not in the index")
	require.Equal(t, want, digest(ctx, t, db))
}

// What a step of a redetection reads is bounded in bytes, not only in accounts: accounts with large states, which anyone can make, are divided
// into steps. The result is the same.
func TestRedetect_LargeStatesAreDividedIntoSteps(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	src, db := newIndex(ctx, t, blocks)
	want := digest(ctx, t, db)
	accounts, err := db.Reader().AccountsAfter(ctx, nil, 256)
	require.NoError(t, err)
	require.Greater(t, len(accounts), 30)
	x := indexer.New(src, db, indexer.Options{})
	require.NoError(t, x.ReviewTogether(ctx, accounts), "they have little")
	x.ReviewBytes(256 << 10)
	require.ErrorIs(t, x.ReviewTogether(ctx, accounts), detect.ErrTooMuch)
	done, err := x.Redetect(ctx, nil, false, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Zero(t, done.Stats.Undetected)
	require.Equal(t, len(accounts), done.Accounts)
	require.Equal(t, want, digest(ctx, t, db))

	x.ReviewBytes(1)
	done, err = x.Redetect(ctx, nil, false, func(indexer.Redetection) {})
	require.NoError(t, err, "one that is too large alone does not stop the others")
	require.Equal(t, len(accounts), done.Accounts)
	require.Zero(t, done.Stats.Accounts)
}
