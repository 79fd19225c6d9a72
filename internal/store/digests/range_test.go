package digests_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/store/traces"
)

// A table with rows of a range has to be in the digests of ranges.
func TestRangeDigest_CoversEveryTableWithRowsOfARange(t *testing.T) {
	t.Parallel()
	decided := map[string]bool{"replay_mismatches": true, "replay_unverified": true} // by settings, not by the chain
	covered := map[string]bool{}
	for _, table := range digests.TablesOfRangeDigest() {
		covered[table] = true
	}
	for _, table := range digests.DigestedWithin() {
		require.True(t, covered[table] || decided[table], "add %s to rangeTables in range.go", table)
	}
}

func TestRangeDigest_DoesNotDependOnOrderOrOtherBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, blocks := range map[string][]*chain.MasterBlock{"traffic": storetest.SmallChain(), "contracts": firstDetections(), "transfers": ownTransfers()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, last := blocks[0].Block.Seqno, blocks[len(blocks)-1].Block.Seqno
			inner := blocks[len(blocks)/3 : 2*len(blocks)/3]
			from, to := inner[0].Block.Seqno, inner[len(inner)-1].Block.Seqno

			forward := storetest.Classified(t)
			storetest.Apply(t, forward.Writer(), blocks)
			want, all := storetest.RangeDigest(t, forward, from, to), storetest.RangeDigest(t, forward, first, last)
			require.Positive(t, want.Rows)

			backward := storetest.Classified(t)
			for _, mb := range slices.Backward(blocks) {
				require.NoError(t, backward.Writer().Apply(t.Context(), mb))
			}
			storetest.RequireEqualDigests(t, want, storetest.RangeDigest(t, backward, from, to))
			storetest.RequireEqualDigests(t, all, storetest.RangeDigest(t, backward, first, last))

			at := storetest.Classified(t)
			require.NoError(t, at.Writer().Apply(t.Context(), blocks...))
			storetest.RequireEqualDigests(t, want, storetest.RangeDigest(t, at, from, to))

			alone := storetest.Classified(t)
			storetest.Apply(t, alone.Writer(), inner)
			got := storetest.RangeDigest(t, alone, from, to)
			for i := range len(got.Tables) - 4 {
				require.Equal(t, want.Tables[i], got.Tables[i])
			}
			require.Equal(t, want.Hash, got.Hash)
			require.Zero(t, got.CrossingTraces)
		})
	}
}

// firstDetections are blocks with contracts, each of which was detected at the block that committed its state.
func firstDetections() []*chain.MasterBlock {
	blocks := storetest.NewContracts().Blocks
	for _, mb := range blocks {
		mb.Contracts = slices.DeleteFunc(mb.Contracts, func(k chain.Contract) bool { return k.McSeqno != mb.Block.Seqno })
	}
	return blocks
}

// ownTransfers are blocks whose transfers and burns are those of transactions of their contracts, as detection finds them, and key blocks. Others are not rows of a range.
func ownTransfers() []*chain.MasterBlock {
	blocks := firstDetections()
	for _, mb := range blocks {
		if mb.Block.Seqno%20 == 0 {
			mb.Config = &chain.Config{McSeqno: mb.Block.Seqno, Root: mb.Block.RootHash, BOC: chain.BOC{byte(mb.Block.Seqno)}}
		}
		next := 0
		own := func(account *chain.Address, lt *uint64, hash *chain.Hash) bool {
			if next == len(mb.Transactions) {
				return false
			}
			tx := &mb.Transactions[next]
			*account, *lt, *hash = tx.Account, tx.LT, tx.Hash
			next++
			return true
		}
		var transfers []chain.JettonTransfer
		for _, r := range mb.JettonTransfers {
			if own(&r.SourceWallet, &r.TxLT, &r.TxHash) {
				transfers = append(transfers, r)
			}
		}
		var burns []chain.JettonBurn
		for _, r := range mb.JettonBurns {
			if own(&r.JettonWallet, &r.TxLT, &r.TxHash) {
				burns = append(burns, r)
			}
		}
		var moves []chain.NFTTransfer
		for _, r := range mb.NFTTransfers {
			if own(&r.NFT, &r.TxLT, &r.TxHash) {
				moves = append(moves, r)
			}
		}
		mb.JettonTransfers, mb.JettonBurns, mb.NFTTransfers = transfers, burns, moves
	}
	return blocks
}

func storeDigest(t *testing.T, db *store.DB) digests.Range {
	t.Helper()
	d, stored, err := db.StoreDigest(t.Context(), chain.DigestRange(1))
	require.NoError(t, err)
	require.True(t, stored)
	return d
}

func storedDigests(t *testing.T, db *store.DB) []chain.RangeDigest {
	t.Helper()
	list, err := db.Reader().StoredDigests(t.Context(), chain.DigestRange(1), 10)
	require.NoError(t, err)
	return list
}

func TestStoreDigest_ChangesOfRowsDeleteIt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	db, blocks := storetest.FullRange(t)
	want := storeDigest(t, db)
	require.Equal(t, want, storetest.RangeDigest(t, db, 1, 999))
	require.Equal(t, []chain.RangeDigest{want.RangeDigest}, storedDigests(t, db))
	require.Equal(t, []int{7}, want.ActionSets)

	mb := blocks[500]
	positions, err := db.Reader().CompletedTraces(ctx, traces.Position{McSeqno: 400}, 999, 3)
	require.NoError(t, err)
	key := mb.Transactions[0].Key()
	for name, change := range map[string]func() error{
		"traces classified again": func() error {
			return db.Writer().Reclassify(ctx, []chain.Hash{positions[0].ID, positions[1].ID})
		},
		"verdicts": func() error {
			_, err := db.Writer().ApplyVerdicts(ctx, &chain.MasterBlock{Block: mb.Block, Transactions: mb.Transactions[:1]})
			return err
		},
		"completed rows": func() error {
			_, _, err := db.Writer().ApplyComplete(ctx, &chain.MasterBlock{Block: mb.Block, Frames: [][]byte{{1}}})
			return err
		},
		"detections": func() error {
			k := chain.Contract{Account: key.Account, LT: key.LT, McSeqno: mb.Block.Seqno}
			return db.Writer().ApplyDetections(ctx, store.Detections{Contracts: []chain.Contract{k}})
		},
		"a block that was removed": func() error {
			storetest.ExecSQL(t, db, `DELETE FROM messages m USING transactions t
				WHERE t.mc_seqno = 999 AND m.account = t.account AND m.lt > t.lt AND m.lt <= t.lt + t.out_msg_count`)
			storetest.ExecSQL(t, db, `DELETE FROM messages m USING transactions t
				WHERE t.mc_seqno = 999 AND m.account = t.in_msg_account AND m.lt = t.in_msg_lt`)
			for _, table := range []string{"transactions", "blocks", "shards"} {
				storetest.ExecSQL(t, db, `DELETE FROM `+table+` WHERE mc_seqno = 999`)
			}
			storetest.ExecSQL(t, db, `UPDATE indexed_ranges SET last = 998`)
			return db.Writer().Apply(ctx, blocks[998])
		},
	} {
		storeDigest(t, db)
		require.Len(t, storedDigests(t, db), 1, name)
		require.NoError(t, change(), name)
		require.Empty(t, storedDigests(t, db), name)
	}
	storetest.ExecSQL(t, db, `DELETE FROM frames`)
	storetest.RequireEqualDigests(t, storetest.RangeDigest(t, db, 1, 999), storeDigest(t, db))

	// What another program changes, only a computation from the rows shows.
	storetest.ExecSQL(t, db, `UPDATE actions SET success = NOT success WHERE trace_id = (SELECT trace_id FROM actions ORDER BY trace_id LIMIT 1)`)
	require.NotEqual(t, storedDigests(t, db)[0].Hash, storetest.RangeDigest(t, db, 1, 999).Hash)
}

// The late sender of a message completes a trace that ended in a range whose digest is stored.
func TestStoreDigest_TraceThatCompletesLaterDeletesIt(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 4200, Accounts: 60, PerBlock: 2, Shards: 2, Seed: 9}).Batch(1 << 20)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks[999:1999]...)) // 1000 to 1999
	within := chain.DigestRange(1000)
	before, stored, err := db.StoreDigest(ctx, within)
	require.NoError(t, err)
	require.True(t, stored)
	require.Zero(t, before.CrossingTraces)

	require.NoError(t, db.Writer().Apply(ctx, blocks[:999]...))
	list, err := db.Reader().StoredDigests(ctx, within, 10)
	require.NoError(t, err)
	require.Empty(t, list)
	after, stored, err := db.StoreDigest(ctx, within)
	require.NoError(t, err)
	require.True(t, stored)
	require.Equal(t, before.Hash, after.Hash)
	require.Positive(t, after.CrossingTraces)

	forward := storetest.Classified(t)
	require.NoError(t, forward.Writer().Apply(ctx, blocks...))
	storetest.RequireEqualDigests(t, storetest.RangeDigest(t, forward, 1000, 1999), after)
}

// A writer that commits while a digest is computed leaves no digest of the rows before.
func TestStoreDigest_NeverStoresEarlierRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	db, _ := storetest.FullRange(t)
	positions, err := db.Reader().CompletedTraces(ctx, traces.Position{McSeqno: 400}, 999, 1)
	require.NoError(t, err)
	versions, discarded := []versionedClassifier{8, 9}, 0
	for i := range 16 {
		db.Writer().SetClassifier(versions[i%2])
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { return db.Writer().Reclassify(ctx, []chain.Hash{positions[0].ID}) })
		group.Go(func() error {
			_, stored, err := db.StoreDigest(ctx, chain.DigestRange(1))
			if !stored {
				discarded++
			}
			return err
		})
		require.NoError(t, group.Wait())
		for _, d := range storedDigests(t, db) {
			require.Equal(t, storetest.RangeDigest(t, db, 1, 999).RangeDigest, d)
		}
	}
	require.Positive(t, discarded, "no computation met a writer")
}

// versionedClassifier is a classifier with another version.
type versionedClassifier int16

func (v versionedClassifier) Version() int16 { return int16(v) }

func (versionedClassifier) Read(t *chain.TraceContent) chain.TraceReading {
	return storetest.Reading{TraceContent: t}
}

func TestDigests_ErrorsNameTheRanges(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	db, _ := storetest.FullRange(t)
	_, err := db.Reader().Digests(ctx, chain.SeqnoRange{First: 1, Last: 999})
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.ErrorContains(t, err, "1 to 999 are not computed yet")
	want := storeDigest(t, db)
	got, err := db.Reader().Digests(ctx, chain.SeqnoRange{First: 0, Last: 1500})
	require.NoError(t, err)
	require.Equal(t, []chain.RangeDigest{want.RangeDigest}, got)

	for _, test := range []struct {
		within chain.SeqnoRange
		kind   chain.Kind
		text   string
	}{
		{chain.SeqnoRange{First: 1, Last: 2500}, chain.NotFound, "masterchain blocks 1000 to 1999 are not in the index"},
		{chain.SeqnoRange{First: 5, Last: 998}, chain.Invalid, "contain no range with a digest"},
		{chain.SeqnoRange{First: 5, Last: 4}, chain.Invalid, "is empty"},
		{chain.SeqnoRange{First: 0, Last: math.MaxUint32}, chain.Invalid, "at most 100"},
	} {
		_, err := db.Reader().Digests(ctx, test.within)
		require.Equal(t, test.kind, chain.KindOf(err))
		require.ErrorContains(t, err, test.text)
	}
	_, err = db.Reader().RangeDigest(ctx, chain.SeqnoRange{First: 990, Last: 1005})
	require.ErrorContains(t, err, "masterchain blocks 1000 to 1005 are not in the index")
	_, _, err = db.StoreDigest(ctx, chain.SeqnoRange{First: 2, Last: 999})
	require.ErrorContains(t, err, "it should be 1 to 999")
}

// The digest is the same for rows in the form of an earlier version, while they are brought into that of this one, and after it.
func TestRangeDigest_DoesNotDependOnTheFormOfRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	c := storetest.IndexChain(t)
	last := c.Masters[len(c.Masters)-1].Block.Seqno
	want := storetest.RangeDigest(t, c.DB, 1, last)
	storetest.MoveStatesOut(t, c.DB)
	storetest.RequireEqualDigests(t, want, storetest.RangeDigest(t, c.DB, 1, last))
	storetest.AsBefore(t, c.DB)
	storetest.RequireEqualDigests(t, want, storetest.RangeDigest(t, c.DB, 1, last))
	for done := false; !done; {
		move, err := c.DB.Writer().MoveTransactions(ctx, 300)
		require.NoError(t, err)
		done = move.Done
		storetest.RequireEqualDigests(t, want, storetest.RangeDigest(t, c.DB, 1, last))
	}
}
