package indexer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// tables returns the digests of the tables with these names.
func tables(d store.Digest, names ...string) map[string]store.TableDigest {
	found := map[string]store.TableDigest{}
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
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	src := newNetwork(ctx, t, blocks).Client
	complete, undetected := testdb.New(t), testdb.New(t)
	run(ctx, t, src, complete, 1, blocks, indexer.Options{})
	run(ctx, t, src, undetected, 1, blocks, indexer.Options{Detect: indexer.NoDetect})
	want := digest(ctx, t, complete)
	none, err := undetected.Reader().JettonWallets(ctx, chain.JettonWalletFilter{}, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Empty(t, none)

	steps := 0
	done, err := indexer.New(src, undetected, indexer.Options{}).Redetect(ctx, nil, func(indexer.Redetection) { steps++ })
	require.NoError(t, err)
	require.Positive(t, steps)
	require.Zero(t, done.Stats.Undetected)
	latest := []string{
		"contracts", "jetton_masters", "jetton_wallets", "nft_collections", "nft_items", "dns_records",
		"jetton_transfers", "jetton_burns", "nft_transfers", "contract_claims",
	}
	got := tables(digest(ctx, t, undetected), latest...)
	require.Positive(t, got["jetton_transfers"].Rows)
	for name, table := range tables(want, latest...) {
		if name == "contracts" {
			table.Hash, got[name] = chain.Hash{}, store.TableDigest{Table: name, Rows: got[name].Rows}
		}
		require.Equal(t, table, got[name])
	}

	again, err := indexer.New(src, complete, indexer.Options{}).Redetect(ctx, nil, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Equal(t, done.Accounts, again.Accounts)
	require.Equal(t, want, digest(ctx, t, complete), "redetection of a complete index changes nothing")

	after, err := indexer.New(src, complete, indexer.Options{}).Redetect(ctx, &done.Last, func(indexer.Redetection) {})
	require.NoError(t, err)
	require.Zero(t, after.Accounts, "nothing comes after the last account")
}
