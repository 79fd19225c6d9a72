package store_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// The tables are equal byte for byte, whatever the order and the batches in which blocks are applied.
func TestApply_AnyOrderGivesTheSameTables(t *testing.T) {
	t.Parallel()
	blocks := storetest.SmallChain()
	past := storetest.HistoryOf(blocks)
	rng := rand.New(rand.NewPCG(1, 2))
	shuffled := slices.Collect(slices.Chunk(blocks, 1))
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	batches := slices.Collect(slices.Chunk(blocks, 7))
	backwards := slices.Clone(batches)
	slices.Reverse(backwards)
	mixed := slices.Clone(batches)
	rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	var want digests.Digest
	for _, order := range []struct {
		name    string
		batches [][]*chain.MasterBlock
	}{
		{"forward one by one", slices.Collect(slices.Chunk(blocks, 1))},
		{"all at once", [][]*chain.MasterBlock{blocks}},
		{"backwards in batches", backwards},
		{"batches in disorder", mixed},
		{"shuffled", shuffled},
	} {
		db := testdb.New(t)
		for _, batch := range order.batches {
			storetest.Apply(t, db.Writer(), storetest.WithBases(batch, past))
		}
		got, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		if want.Tables == nil {
			want = got
		}
		require.Equal(t, want, got, order.name)
		within, err := db.Reader().Digest(t.Context(), &chain.SeqnoRange{First: 10, Last: 20})
		require.NoError(t, err)
		require.NotEqual(t, want.Total, within.Total)
	}
}

// Two processes write the same blocks at the same time, in opposite directions.
func TestApply_ConcurrentWritersGiveTheSameTables(t *testing.T) {
	t.Parallel()
	blocks := storetest.SmallChain()
	alone := testdb.New(t)
	storetest.Apply(t, alone.Writer(), blocks)
	want, err := alone.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)

	url := testdb.URL(t)
	a, b := testdb.Open(t, url), testdb.Open(t, url)
	back := slices.Clone(blocks)
	slices.Reverse(back)
	done := make(chan error, 2)
	for db, list := range map[*store.DB][]*chain.MasterBlock{a: blocks, b: back} {
		go func() {
			var err error
			for batch := range slices.Chunk(list, 3) {
				err = errors.Join(err, db.Writer().Apply(t.Context(), batch...))
			}
			done <- err
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	got, err := a.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestApply_SameBlocksAgainChangeNothing(t *testing.T) {
	t.Parallel()
	w := storetest.IndexChain(t)
	want, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	storetest.Apply(t, w.DB.Writer(), w.Masters)
	storetest.Apply(t, w.DB.Writer(), []*chain.MasterBlock{w.Masters[3], w.Masters[3]})
	got, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A batch with an invalid block writes no row, whichever table the error is in, and can be applied again.
func TestApply_FailedBatchLeavesNoRow(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()
	storetest.Apply(t, db.Writer(), blocks[:10])
	want, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	for name, spoil := range map[string]func(mb *chain.MasterBlock){
		"same block twice":       func(mb *chain.MasterBlock) { mb.ShardBlocks = append(mb.ShardBlocks, mb.ShardBlocks[0]) },
		"same transaction twice": func(mb *chain.MasterBlock) { mb.Transactions = append(mb.Transactions, mb.Transactions[0]) },
		"same message twice": func(mb *chain.MasterBlock) {
			m := mb.Messages[0]
			m.Kind, m.Key.LT = chain.ExternalIn, 1
			mb.Messages = append(mb.Messages, m, m)
		},
		"transaction of another block": func(mb *chain.MasterBlock) {
			mb.Transactions = append(mb.Transactions, blocks[2].Transactions[0])
		},
		"mismatch twice": func(mb *chain.MasterBlock) {
			m := chain.ReplayMismatch{TransactionKey: mb.Transactions[0].Key(), McSeqno: mb.Block.Seqno}
			mb.Mismatches = []chain.ReplayMismatch{m, m}
		},
	} {
		mb := *blocks[10]
		mb.Messages = slices.Clone(mb.Messages)
		spoil(&mb)
		require.Error(t, db.Writer().Apply(t.Context(), blocks[11], &mb, blocks[12]), name)
		got, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, db.Writer().Apply(stopped, blocks[10]), context.Canceled)
	storetest.Apply(t, db.Writer(), blocks)
	direct := testdb.New(t)
	storetest.Apply(t, direct.Writer(), blocks)
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	want, err = direct.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestApply_EveryColumnIsReadBack writes rows with every field set, and rows with none, and reads them back.
func TestApply_EveryColumnIsReadBack(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	big1 := new(big.Int).Lsh(big.NewInt(1), 119)
	extra := chain.ExtraCurrencies{100: big.NewInt(12345), 4294967295: big1}
	mb := testdb.Master(7, func(mb *chain.MasterBlock) {
		b := &mb.ShardBlocks[0]
		b.Version, b.Flags, b.VertSeqno, b.ValidatorListHashShort = 4294967295, 1, 3, 4294967294
		b.AfterMerge, b.BeforeSplit, b.AfterSplit, b.WantMerge, b.WantSplit = true, true, true, true, true
		b.KeyBlock, b.VertSeqnoIncr, b.GenCatchainSeqno, b.MinRefMcSeqno, b.PrevKeyBlockSeqno = true, true, 5, 6, 4
		b.PrevBlocks = []chain.BlockID{{Shard: 1 << 62, Seqno: 9}, {Shard: 3 << 62, Seqno: 8}}
		mb.Block.PrevBlocks = nil
	})
	tx := testdb.NewTransaction(mb, testdb.Address())
	tx.PrevLT, tx.PrevHash, tx.TotalFeesExtra, tx.OutMsgCount = 77, testdb.Hash(), extra, 3
	tx.InMsg = &chain.MessageKey{Account: testdb.Address(), LT: 99}
	tx.Verification = chain.Mismatch
	coins := new(chain.Coins(1<<62 + 1))
	tx.Description = chain.TransactionDescription{
		Kind: chain.MergeInstall, CreditFirst: true, IsTock: true, Aborted: true, Destroyed: true, Installed: true,
		Storage: &chain.StoragePhase{FeesCollected: 5, FeesDue: coins, StatusChange: chain.StatusDeleted},
		Credit:  &chain.CreditPhase{DueFeesCollected: coins, Credit: 6, CreditExtra: extra},
		Compute: &chain.ComputePhase{
			Success: true, MsgStateUsed: true, AccountActivated: true, GasFees: 1, GasUsed: 2, GasLimit: 3, GasCredit: new(uint64(4)),
			Mode: -1, ExitCode: -14, ExitArg: new(int32(-2147483648)), VMSteps: 4294967295,
			VMInitStateHash: testdb.Hash(), VMFinalStateHash: testdb.Hash(),
		},
		Action: &chain.ActionPhase{
			Success: true, Valid: true, NoFunds: true, StatusChange: chain.StatusFrozen, TotalFwdFees: coins, TotalFees: coins,
			ResultCode: 37, ResultArg: new(int32(-1)), TotalActions: 65535, SpecActions: 1, SkippedActions: 2, MsgsCreated: 3,
			ActionListHash: testdb.Hash(), MsgSize: chain.MessageSize{Cells: 9, Bits: 10},
		},
		Bounce: &chain.BouncePhase{
			Kind: chain.BounceOK, MsgSize: chain.MessageSize{Cells: 1, Bits: 2}, ReqFwdFees: 3, MsgFees: 4, FwdFees: 5,
		},
		Split: &chain.SplitInfo{CurShardPfxLen: 1, AccSplitDepth: 2, ThisAddr: testdb.Hash(), SiblingAddr: testdb.Hash()},
	}
	skipped := testdb.NewTransaction(mb, chain.Address{Workchain: -1, ID: testdb.Hash()})
	skipped.Block = mb.Block.BlockID
	skipped.Description = chain.TransactionDescription{
		Kind: chain.TickTock, Compute: &chain.ComputePhase{Skipped: true, Reason: chain.SkipSuspended},
	}
	plain := testdb.NewTransaction(mb, testdb.Address())
	plain.Description = chain.TransactionDescription{Kind: chain.Storage}
	mb.Transactions = []chain.Transaction{tx, skipped, plain}

	internal := testdb.NewMessage(mb, testdb.Address(), testdb.Address())
	internal.ValueExtra, internal.ExtraFlags, internal.Opcode = extra, big1, new(uint32(4294967295))
	internal.InitHash, internal.Init = new(testdb.Hash()), chain.BOC{1, 2}
	internal.SentBy, internal.ReceivedBy = &chain.TransactionRef{LT: 1, Hash: testdb.Hash()}, &chain.TransactionRef{LT: 2, Hash: testdb.Hash()}
	externalIn := chain.Message{
		Key: chain.MessageKey{Account: testdb.Address(), LT: 5}, Hash: testdb.Hash(), HashNorm: new(testdb.Hash()), Kind: chain.ExternalIn,
		ImportFee: big1, BodyHash: testdb.Hash(), Body: chain.BOC{3}, ReceivedBy: &chain.TransactionRef{LT: 5, Hash: testdb.Hash()},
	}
	externalIn.Destination = &externalIn.Key.Account
	system := testdb.NewMessage(mb, chain.SystemAddress, chain.Address{Workchain: -1, ID: testdb.Hash()})
	system.Key = chain.MessageKey{Account: *system.Destination, LT: *system.CreatedLT + 44}
	mb.Messages = []chain.Message{internal, externalIn, system}
	mb.Mismatches = []chain.ReplayMismatch{
		{TransactionKey: tx.Key(), McSeqno: 7, Hash: tx.Hash, Got: new(testdb.Hash()), GotState: new(testdb.Hash()), Reason: "gas differs"},
		{TransactionKey: plain.Key(), McSeqno: 7, Hash: plain.Hash, Reason: "no result"},
	}
	frozen := testdb.NewState(mb, testdb.Address())
	frozen.Status, frozen.CodeHash, frozen.DataHash, frozen.FrozenHash = chain.Frozen, nil, nil, new(testdb.Hash())
	frozen.Extra, frozen.DuePayment, frozen.LT = extra, coins, 0
	mb.States = []chain.AccountState{frozen}
	mb.Config = &chain.Config{McSeqno: 7, Root: testdb.Hash(), BOC: chain.BOC{8}}
	mb.Libraries = []chain.Library{{Hash: testdb.Hash(), BOC: chain.BOC{9}}}
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})

	r, ctx := db.Reader(), t.Context()
	blocks, err := r.Blocks(ctx, chain.BlockFilter{}, chain.Page{Sort: chain.Descending})
	require.NoError(t, err)
	require.Equal(t, []chain.Block{mb.Block, mb.ShardBlocks[0]}, blocks)
	for _, want := range mb.Transactions {
		got, err := r.TransactionsByHash(ctx, []chain.Hash{want.Hash})
		require.NoError(t, err)
		if want.InMsg == nil {
			want.TraceID = new(want.Hash) // it is the root of a trace
		}
		require.Equal(t, []chain.Transaction{want}, got)
	}
	for _, want := range mb.Messages {
		got, err := r.Messages(ctx, chain.MessageFilter{Hashes: []chain.Hash{want.Hash}}, chain.Page{})
		require.NoError(t, err)
		require.Equal(t, []chain.Message{want}, got)
	}
	fromSystem, err := r.Messages(ctx, chain.MessageFilter{Source: &chain.SystemAddress}, chain.Page{})
	require.NoError(t, err)
	require.Equal(t, []chain.Message{system}, fromSystem)
	keys := make([]chain.TransactionKey, len(mb.Transactions))
	for i := range mb.Transactions {
		keys[i] = mb.Transactions[i].Key()
	}
	mismatches, err := r.MismatchesByKey(ctx, keys)
	require.NoError(t, err)
	require.ElementsMatch(t, mb.Mismatches, mismatches)
	states, err := r.AccountStates(ctx, chain.AccountFilter{Addresses: []chain.Address{frozen.Account}}, chain.Page{})
	require.NoError(t, err)
	require.Equal(t, mb.States, states)
	config, err := r.Config(ctx, 9)
	require.NoError(t, err)
	require.Equal(t, *mb.Config, config)
	_, err = r.Config(ctx, 6)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	libraries, err := r.Libraries(ctx, []chain.Hash{mb.Libraries[0].Hash, {1}})
	require.NoError(t, err)
	require.Equal(t, map[chain.Hash]chain.BOC{mb.Libraries[0].Hash: {9}}, libraries)
}

func TestConfig_KeyBlockInAGapIsNotFound(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	key := testdb.Master(5, func(mb *chain.MasterBlock) {
		mb.Config = &chain.Config{McSeqno: 5, Root: testdb.Hash(), BOC: chain.BOC{1}}
	})
	// Block 30 says that the last key block was 20, which is not indexed.
	later := testdb.Master(30, func(mb *chain.MasterBlock) { mb.Block.PrevKeyBlockSeqno = 20 })
	storetest.Apply(t, db.Writer(), []*chain.MasterBlock{key, later})
	_, err := db.Reader().Config(t.Context(), 30)
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	config, err := db.Reader().Config(t.Context(), 6)
	require.NoError(t, err)
	require.Equal(t, *key.Config, config)
}

func TestLock_HasOneHolder(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	a, b := testdb.Open(t, url), testdb.Open(t, url)
	lock, err := a.Writer().Lock(t.Context(), nil)
	require.NoError(t, err)
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = b.Writer().Lock(short, nil)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	storetest.Apply(t, b.Writer(), storetest.SmallChain()[:1]) // Apply does not need the lock
	require.NoError(t, lock.Check(t.Context()))
	next := make(chan error, 1)
	go func() {
		l, err := b.Writer().Lock(t.Context(), nil)
		if err == nil {
			l.Release()
		}
		next <- err
	}()
	lock.Release()
	require.NoError(t, <-next)
	again, err := a.Writer().Lock(t.Context(), nil)
	require.NoError(t, err)
	again.Release()
}

// A process that waits for the lock, perhaps for weeks, holds up neither the building of an index nor the removal of dead rows.
func TestLock_WaitingRetainsNoSnapshot(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	a, b := testdb.Open(t, url), testdb.Open(t, url)
	lock, err := a.Writer().Lock(t.Context(), nil)
	require.NoError(t, err)
	waiting, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := b.Writer().Lock(waiting, nil)
		ended <- err
	}()
	handle := a.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.Eventually(t, func() bool {
		return storetest.Count(t, handle, `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%advisory_lock($1)' AND datname = current_database()`) == 2
	}, time.Minute, 5*time.Millisecond)
	_, err = handle.ExecContext(t.Context(), `SET statement_timeout = '20s'`)
	require.NoError(t, err)
	_, err = handle.ExecContext(t.Context(), `CREATE INDEX CONCURRENTLY beside_the_lock ON blocks (gen_utime)`)
	require.NoError(t, err)
	cancel()
	require.Error(t, <-ended)
	lock.Release()
}
