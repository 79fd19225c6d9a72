package indexer_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/testdb"
)

// TestIndex_LargeBlockIsIndexed indexes a full block of the main network and reads it back.
func TestIndex_LargeBlockIsIndexed(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	fat := mainnet.OpenFatBlock(t)
	db := testdb.New(t)
	seqno := fat.Raw.Master.ID.Seqno
	run(ctx, t, fat, db, seqno, seqno, indexer.Options{From: from(t, "latest")})

	txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{McSeqno: &seqno}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.Len(t, txs, fat.TxCount)
	for i := range txs {
		require.Equal(t, chain.Replayed, txs[i].Verification)
	}
	full, err := db.Reader().Full(ctx, txs)
	require.NoError(t, err)
	for i := range full {
		require.Equal(t, full[i].InMsg != nil, full[i].InMessage != nil)
		require.Len(t, full[i].OutMessages, int(full[i].OutMsgCount))
		require.Equal(t, full[i].StateHashAfter, full[i].StateAfter.Hash)
	}
	report := requireVerified(ctx, t, fat, db, seqno, seqno)
	require.Equal(t, fat.TxCount, report.Transactions)
}

// TestIndex_OrderDoesNotMatter indexes a chain with splits and merges forwards, backwards in batches by one worker and
// by several at once, and from two ends. All tables are equal.
//
//nolint:tparallel // the subtests share one chain, in an order
func TestIndex_OrderDoesNotMatter(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 90
	src, forward := newIndex(ctx, t, blocks)
	want := digest(ctx, t, forward)
	const first, last = 31, 70
	ofRange := rangeDigest(ctx, t, forward, first, last)
	require.Positive(t, ofRange.Rows)
	report := requireVerified(ctx, t, src, forward, 1, blocks)
	require.Greater(t, report.Transactions, 300)
	requireEveryTransactionOnce(ctx, t, src, forward, blocks)

	for name, opts := range map[string]indexer.Options{
		"one worker":      {Batch: 8, Workers: 1},
		"several workers": {Batch: 5, Workers: 4, Ahead: 3},
		"block by block":  {Batch: 1, Workers: 2, Ahead: 1},
		"large commits":   {Group: 32, Ahead: 32},
	} {
		t.Run(name, func(t *testing.T) {
			db := testdb.New(t)
			run(ctx, t, src, db, blocks, blocks, indexer.Options{From: from(t, "latest")})
			run(ctx, t, src, db, 1, blocks, opts)
			require.Equal(t, want, digest(ctx, t, db))
			require.Equal(t, ofRange, rangeDigest(ctx, t, db, first, last))
		})
	}

	t.Run("without the blocks before", func(t *testing.T) {
		db := testdb.New(t)
		run(ctx, t, src, db, first, blocks, indexer.Options{From: from(t, strconv.Itoa(first))})
		got := rangeDigest(ctx, t, db, first, last)
		for i, table := range got.Tables {
			if table.Table == "traces" {
				break // actions may want records of earlier blocks, which the digest counts
			}
			require.Equal(t, ofRange.Tables[i], table)
		}
		require.Zero(t, got.CrossingTraces)
		require.True(t, got.Hash == ofRange.Hash || got.WantingTraces > 0)
	})
}

// rangeDigest computes the digest of masterchain blocks first to last.
func rangeDigest(ctx context.Context, tb testing.TB, db *store.DB, first, last uint32) digests.Range {
	tb.Helper()
	d, err := db.Reader().RangeDigest(ctx, chain.SeqnoRange{First: first, Last: last})
	require.NoError(tb, err)
	return d
}

func TestIndex_ProofModeExecutesNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 40
	src, db := chainOf(t, blocks).network.Client, testdb.New(t)
	run(ctx, t, src, db, 1, blocks, indexer.Options{Verify: indexer.Proof})
	txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	require.NotEmpty(t, txs)
	for i := range txs {
		require.Equal(t, chain.Proven, txs[i].Verification)
	}
	// The newest state of every account is indexed as well.
	accounts := map[chain.Address]*chain.Transaction{}
	for i := range txs {
		if t := accounts[txs[i].Account]; t == nil || t.LT < txs[i].LT {
			accounts[txs[i].Account] = &txs[i]
		}
	}
	for a, tx := range accounts {
		states, err := db.Reader().AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{a}}, chain.Page{Limit: 1})
		require.NoError(t, err)
		require.Len(t, states, 1)
		require.Equal(t, tx.StateHashAfter, states[0].Hash)
	}
	executed := testdb.New(t)
	run(ctx, t, src, executed, 1, blocks, indexer.Options{})
	for _, db := range []*store.DB{db, executed} { // a comparison without executions has no results to compare
		report, err := indexer.New(src, db, indexer.Options{Verify: indexer.Proof}).VerifyRange(ctx, chain.SeqnoRange{First: 1, Last: blocks})
		require.NoError(t, err)
		require.True(t, report.OK(), report.String())
	}
}

// notCompared are the tables with rows of single blocks that [indexer.Indexer.VerifyRange] only hashes. Most are detected in
// account states, which are compared.
var notCompared = map[string]bool{
	"configs": true, "replay_mismatches": true, "replay_unverified": true,
	"jetton_balances": true, "jetton_transfers": true, "jetton_burns": true, "nft_owners": true, "nft_transfers": true,
}

// TestVerify_DamageIsReported changes rows with SQL.
func TestVerify_DamageIsReported(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 40
	src, db := newIndex(ctx, t, blocks)
	damage := map[string]string{
		"transactions": `UPDATE transactions SET aborted = NOT aborted WHERE (account, lt) = (SELECT account, lt FROM transactions ORDER BY lt DESC LIMIT 1)`,
		"messages":     `DELETE FROM messages WHERE (account, lt) = (SELECT account, lt FROM messages ORDER BY lt DESC LIMIT 1)`,
		"account_states": `UPDATE transactions SET states = set_byte(states, 66, get_byte(states, 66) # 1)
			WHERE (account, lt) = (SELECT account, lt FROM transactions WHERE get_byte(states, 0) & 7 = 3 ORDER BY lt DESC LIMIT 1)`,
		"transaction_bocs": `UPDATE transactions SET boc = boc || '\x00' WHERE (account, lt) = (SELECT account, lt FROM transactions ORDER BY lt LIMIT 1)`,
		"blocks":           `UPDATE blocks SET gen_utime = gen_utime + 1 WHERE workchain = -1 AND seqno = 7`,
		"frames":           `UPDATE frames SET frame = set_byte(frame, 60, get_byte(frame, 60) # 1) WHERE workchain = -1 AND seqno = 8`,
		"shards":           `DELETE FROM shards WHERE mc_seqno = 9`,
		"cells":            `DELETE FROM cells WHERE hash = (SELECT hash FROM cells ORDER BY hash LIMIT 1)`,
	}
	sql := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, sql.Close()) })
	// A row that cannot be read hides no other difference.
	damage["unreadable"] = `UPDATE messages SET created_at = -1 WHERE (account, lt) = (SELECT account, lt FROM transactions WHERE mc_seqno = 4 ORDER BY lt LIMIT 1)`
	for _, statement := range damage {
		_, err := sql.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	report, err := indexer.New(src, db, indexer.Options{}).VerifyRange(ctx, chain.SeqnoRange{First: 1, Last: blocks + 5})
	require.NoError(t, err)
	require.False(t, report.OK())
	require.Equal(t, []chain.SeqnoRange{{First: blocks + 1, Last: blocks + 5}}, report.Missing)
	found := map[string]bool{}
	for _, d := range report.Differences {
		found[d.Table] = true
	}
	delete(damage, "unreadable")
	require.Regexp(t, `masterchain block 4: messages \(unreadable\): a row cannot be read: .*a column does not have the expected form`, report.String())
	for table := range damage {
		require.True(t, found[table], "%s\n%s", table, report.String())
	}
	for _, table := range report.Digest.Tables {
		require.True(t, found[table.Table] || notCompared[table.Table],
			"%s: compare it in compare.go and damage it here, or add it to notCompared", table.Table)
	}
}
