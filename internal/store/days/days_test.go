package days_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// countedDays counts the days of blocks in memory.
func countedDays(blocks []*chain.MasterBlock) (transactions map[uint32]int64, fees map[uint32]*big.Int, active map[uint32]int64) {
	transactions, fees, active = map[uint32]int64{}, map[uint32]*big.Int{}, map[uint32]int64{}
	seen := map[uint32]map[chain.Address]bool{}
	for _, mb := range blocks {
		for i := range mb.Transactions {
			tx := &mb.Transactions[i]
			date := tx.Now / chain.SecondsPerDay * chain.SecondsPerDay
			if seen[date] == nil {
				seen[date], fees[date] = map[chain.Address]bool{}, new(big.Int)
			}
			transactions[date]++
			fees[date].Add(fees[date], new(big.Int).SetUint64(uint64(tx.TotalFees)))
			seen[date][tx.Account] = true
		}
	}
	for date, accounts := range seen {
		active[date] = int64(len(accounts))
	}
	return transactions, fees, active
}

func requireDays(t *testing.T, blocks []*chain.MasterBlock, got *chain.NetworkDays) {
	t.Helper()
	transactions, fees, active := countedDays(blocks)
	require.Len(t, got.Days, len(transactions))
	complete := 0
	for _, d := range got.Days {
		require.Equal(t, transactions[d.Date], d.Transactions)
		require.Equal(t, fees[d.Date].String(), d.Fees.String())
		require.Equal(t, d.Complete && d.Date+chain.SecondsPerDay <= blocks[1998].Block.GenUtime, d.ActiveAccounts != nil, d.Date)
		if d.ActiveAccounts != nil {
			complete++
			require.Equal(t, active[d.Date], *d.ActiveAccounts)
		}
	}
	require.GreaterOrEqual(t, complete, 3)
	require.Equal(t, blocks[len(blocks)-1].Block.GenUtime, *got.CompleteUntil)
	require.Zero(t, *got.CompleteFrom, "there is nothing before the first block")
}

// selectJettonDay counts holders at the end of a day from all balances.
const selectJettonDay = `SELECT count(*) FILTER (WHERE balance > 0), COALESCE(sum(balance), 0)::text FROM (
	SELECT DISTINCT ON (h.wallet) h.balance FROM jetton_balances h JOIN transactions t ON t.account = h.wallet AND t.lt = h.lt
	WHERE h.jetton = $1 AND t.now < $2 ORDER BY h.wallet, h.lt DESC) w`

func requireJettonDays(t *testing.T, db *store.DB, blocks []*chain.MasterBlock, jetton chain.Address) []chain.JettonDay {
	t.Helper()
	got, err := db.Reader().JettonDays(t.Context(), jetton, storetest.DaysOf(blocks))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(got.Days), 3)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	key := append([]byte{byte(jetton.Workchain + 128)}, jetton.ID[:]...)
	for _, d := range got.Days {
		var holders int64
		var supply string
		require.NoError(t, handle.QueryRowContext(t.Context(), selectJettonDay, key, d.Date+chain.SecondsPerDay).Scan(&holders, &supply))
		require.NotNil(t, d.Holders)
		require.Equal(t, holders, *d.Holders)
		require.Equal(t, supply, d.Supply.String())
		var transfers int64
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM jetton_transfers
			WHERE jetton = $1 AND NOT tx_aborted AND tx_now >= $2 AND tx_now < $3`, key, d.Date, d.Date+chain.SecondsPerDay).Scan(&transfers))
		require.Equal(t, transfers, d.Transfers)
	}
	return got.Days
}

func TestDays_DoNotDependOnTheOrderOfIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.DayBlocks(t)
	within, jetton := storetest.DaysOf(blocks), storetest.BusiestJetton(blocks)
	forward := storetest.Classified(t)
	require.NoError(t, forward.Writer().Apply(t.Context(), blocks...))
	storetest.ComputeDays(t, forward)
	want := storetest.NetworkDays(t, forward, within)
	requireDays(t, blocks, want)
	wantJetton := requireJettonDays(t, forward, blocks, jetton)

	for name, seed := range map[string]uint64{"first order": 1, "second order": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 7))
			db := storetest.Classified(t)
			pieces := slices.Collect(slices.Chunk(blocks, 150))
			random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
			for i, piece := range pieces {
				require.NoError(t, db.Writer().Apply(t.Context(), piece...))
				if i%3 == 0 {
					storetest.ComputeDays(t, db) // of what is there, which is outdated by what follows
				}
			}
			require.NoError(t, db.Writer().Apply(t.Context(), blocks[700:800]...))
			storetest.ComputeDays(t, db)
			require.Equal(t, want, storetest.NetworkDays(t, db, within))
			require.Equal(t, wantJetton, requireJettonDays(t, db, blocks, jetton))
		})
	}
}

func TestDays_RowsThatChangeAreNeverPartOfASumBefore(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := storetest.DayBlocks(t)
	within := storetest.DaysOf(blocks)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks[:1999]...))
	storetest.ComputeDays(t, db)
	before := storetest.NetworkDays(t, db, within)

	// A block that was removed by hand is part of no sum, and those of its range are computed again.
	removed := blocks[500]
	for _, table := range []string{"transactions", "blocks", "shards"} {
		storetest.ExecSQL(t, db, `DELETE FROM `+table+` WHERE mc_seqno = 501`)
	}
	storetest.ExecSQL(t, db, `UPDATE indexed_ranges SET last = 500`)
	storetest.ExecSQL(t, db, `INSERT INTO indexed_ranges VALUES (502, 1999)`)
	require.Equal(t, blocks[999].Block.GenUtime, *storetest.NetworkDays(t, db, within).CompleteFrom)
	storetest.ExecSQL(t, db, `DELETE FROM messages`)
	storetest.ExecSQL(t, db, `DELETE FROM account_traces`)
	require.NoError(t, db.Writer().Apply(ctx, removed))
	gap := storetest.NetworkDays(t, db, within)
	require.Equal(t, blocks[999].Block.GenUtime, *gap.CompleteFrom, "the range lost its sums with the block")
	for _, d := range gap.Days {
		require.Equal(t, d.Date > *gap.CompleteFrom && d.Date+chain.SecondsPerDay <= *gap.CompleteUntil, d.Complete)
	}
	storetest.ComputeDays(t, db)
	require.Equal(t, before, storetest.NetworkDays(t, db, within))
}

func TestDays_LaterBlocksLeaveTheSumsOfTheHead(t *testing.T) {
	t.Parallel()
	blocks := storetest.DayBlocks(t)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[:300]...))
	storetest.ComputeDays(t, db)
	before := storetest.NetworkDays(t, db, storetest.DaysOf(blocks))
	require.Equal(t, blocks[299].Block.GenUtime, *before.CompleteUntil)
	for i := range blocks[300:330] {
		blocks[300+i].Contracts = nil // detected states of earlier blocks would outdate them
	}
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[300:330]...))
	require.Equal(t, before, storetest.NetworkDays(t, db, storetest.DaysOf(blocks)))
	storetest.ComputeDays(t, db)
	require.Equal(t, blocks[329].Block.GenUtime, *storetest.NetworkDays(t, db, storetest.DaysOf(blocks)).CompleteUntil)
}

func TestDays_FeesComeFromRawTransactions(t *testing.T) {
	t.Parallel()
	db, blocks := storetest.FullRange(t)
	storetest.ComputeDays(t, db)
	transactions, fees, _ := countedDays(blocks)
	days := storetest.NetworkDays(t, db, storetest.DaysOf(blocks)).Days
	require.Len(t, days, len(transactions))
	for _, d := range days {
		require.Equal(t, transactions[d.Date], d.Transactions)
		require.Equal(t, fees[d.Date].String(), d.Fees.String())
		require.Positive(t, d.Fees.Sign())
	}
}

// A computation that ended between its mark and its result leaves the sums before, and is repeated.
func TestDays_ACrashBetweenMarkAndResultIsRepeated(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.DayBlocks(t)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[:1200]...))
	storetest.ExecSQL(t, db, `INSERT INTO day_ranges (number, token, target) VALUES (0, 1, 999)`)
	require.Empty(t, storetest.NetworkDays(t, db, storetest.DaysOf(blocks)).Days)
	storetest.ComputeDays(t, db)
	want := storetest.NetworkDays(t, db, storetest.DaysOf(blocks))
	until := blocks[1199].Block.GenUtime
	end := *want.CompleteUntil
	require.Equal(t, until, end)
	storetest.ExecSQL(t, db, `UPDATE day_ranges SET token = 1`)
	require.Equal(t, want, storetest.NetworkDays(t, db, storetest.DaysOf(blocks)))
}

func TestCompareDays_DamageIsReported(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := storetest.DayBlocks(t)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks...))
	storetest.ComputeDays(t, db)
	compare := func() (keys []string) {
		differ := func(_ uint32, key, _ string) { keys = append(keys, key) }
		all := chain.SeqnoRange{First: 1, Last: 2100}
		require.NoError(t, db.Reader().CompareDays(ctx, all, differ))
		require.NoError(t, db.Reader().CompareDayStates(ctx, all, differ))
		return keys
	}
	require.Empty(t, compare())
	for _, damage := range []string{
		`UPDATE day_totals SET fees = fees + 1 WHERE number = 1`,
		`DELETE FROM day_totals WHERE number = 2`,
		`INSERT INTO day_totals VALUES (1, 1, 5, 5)`,
		`UPDATE day_states SET active = active + 1`,
		`UPDATE jetton_days SET holders = holders + 1`,
	} {
		storetest.ExecSQL(t, db, `BEGIN; CREATE TABLE a AS TABLE day_totals; CREATE TABLE b AS TABLE day_states; CREATE TABLE c AS TABLE jetton_days; COMMIT`)
		storetest.ExecSQL(t, db, damage)
		require.NotEmpty(t, compare(), damage)
		storetest.ExecSQL(t, db, `BEGIN; TRUNCATE day_totals, day_states, jetton_days; INSERT INTO day_totals TABLE a; INSERT INTO day_states TABLE b;
			INSERT INTO jetton_days TABLE c; DROP TABLE a, b, c; COMMIT`)
	}
	require.Empty(t, compare())
}

// The sums of the newest blocks are computed again as these grow; a comparison meanwhile finds no difference.
func TestCompareDays_BesideAWriterReportsNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := storetest.DayBlocks(t)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks[:2000]...))
	storetest.ComputeDays(t, db)
	written := make(chan error, 1)
	go func() {
		for i := 2000; i < len(blocks); i++ {
			err := db.Writer().Apply(ctx, blocks[i])
			if err == nil {
				_, err = db.StoreDays(ctx, chain.DayBlocks(2, blocks[i].Block.Seqno))
			}
			if err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	differ := func(seqno uint32, key, what string) { t.Errorf("masterchain block %d: %s: %s", seqno, key, what) }
	for comparing := true; comparing; {
		select {
		case err := <-written:
			require.NoError(t, err)
			comparing = false
		default:
		}
		newest := chain.SeqnoRange{First: 2000, Last: 2999}
		require.NoError(t, db.Reader().CompareDays(ctx, newest, differ))
		require.NoError(t, db.Reader().CompareDayStates(ctx, newest, differ))
	}
}

func TestStoreDays_OtherRangesAreRefused(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for _, within := range []chain.SeqnoRange{{First: 2, Last: 10}, {First: 1, Last: 1000}, {First: 1000, Last: 999}} {
		_, err := db.StoreDays(t.Context(), within)
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
	_, err := db.StoreDays(t.Context(), chain.SeqnoRange{First: 1, Last: 10})
	require.ErrorContains(t, err, "not in the index")
}

func TestCounterparties_AreCountedInBothDirections(t *testing.T) {
	t.Parallel()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 3000, Accounts: 40, PerBlock: 4, Shards: 2, Seed: 5}).Batch(1 << 20)
	db := storetest.Classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks...))
	account := synthetic.Address(0)
	received, sent := map[chain.Address]int{}, map[chain.Address]int{}
	seen := map[chain.Hash]bool{}
	for _, mb := range blocks {
		for i := range mb.Messages {
			m := &mb.Messages[i]
			if m.Source == nil || m.Destination == nil || seen[m.Hash] {
				continue
			}
			seen[m.Hash] = true
			if *m.Destination == account {
				received[*m.Source]++
			}
			if *m.Source == account {
				sent[*m.Destination]++
			}
		}
	}
	got, err := db.Reader().Counterparties(t.Context(), account, 100)
	require.NoError(t, err)
	require.Nil(t, got.CompleteFrom)
	require.NotEmpty(t, got.Accounts)
	before := 1 << 30
	for _, c := range got.Accounts {
		require.Equal(t, received[c.Address], c.Received)
		require.Equal(t, sent[c.Address], c.Sent)
		require.LessOrEqual(t, c.Received+c.Sent, before)
		before = c.Received + c.Sent
	}
	few, err := db.Reader().Counterparties(t.Context(), account, 2)
	require.NoError(t, err)
	require.Equal(t, got.Accounts[:2], few.Accounts)
}
