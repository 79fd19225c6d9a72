package store_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// secondsPerBlock makes 2,000 blocks last for some five days.
const secondsPerBlock = 220

// dayBlocks are blocks of some days, in two full ranges and the beginning of a third one.
func dayBlocks(t *testing.T) []*chain.MasterBlock {
	t.Helper()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 9000, Accounts: 60, PerBlock: 4, Shards: 2, Seed: 5, Contracts: true}).Batch(1 << 20)
	require.Greater(t, len(blocks), 2100)
	blocks = blocks[:2100]
	for _, mb := range blocks {
		now := synthetic.Epoch + mb.Block.Seqno*secondsPerBlock
		mb.Block.GenUtime = now
		for i := range mb.ShardBlocks {
			mb.ShardBlocks[i].GenUtime = now
		}
		for i := range mb.Transactions {
			mb.Transactions[i].Now = now
		}
		for i := range mb.JettonTransfers {
			mb.JettonTransfers[i].TxNow = now
		}
	}
	return blocks
}

// computeDays does what the indexer does in the background, until nothing is left.
func computeDays(t *testing.T, db *store.DB) {
	t.Helper()
	for {
		indexed, err := db.Reader().Ranges(t.Context())
		require.NoError(t, err)
		left := false
		for _, run := range indexed {
			for {
				within, missing, err := db.Reader().MissingDays(t.Context(), run, nil)
				require.NoError(t, err)
				if !missing {
					break
				}
				left = true
				stored, err := db.StoreDays(t.Context(), within)
				require.NoError(t, err)
				require.True(t, stored)
			}
		}
		require.NoError(t, db.SettleDays(t.Context()))
		day, outdated, err := db.Reader().OutdatedDay(t.Context(), nil)
		require.NoError(t, err)
		if outdated {
			require.NoError(t, db.StoreDay(t.Context(), day))
		} else if !left {
			return
		}
	}
}

func daysOf(blocks []*chain.MasterBlock) chain.DayRange {
	return chain.DayRange{First: blocks[0].Block.GenUtime / chain.SecondsPerDay, Last: blocks[len(blocks)-1].Block.GenUtime / chain.SecondsPerDay}
}

func networkDays(t *testing.T, db *store.DB, within chain.DayRange) *chain.NetworkDays {
	t.Helper()
	days, err := db.Reader().NetworkDays(t.Context(), within)
	require.NoError(t, err)
	return days
}

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
	got, err := db.Reader().JettonDays(t.Context(), jetton, daysOf(blocks))
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

// busiestJetton is the Jetton with the most wallets.
func busiestJetton(blocks []*chain.MasterBlock) (busiest chain.Address) {
	counts := map[chain.Address]int{}
	for _, mb := range blocks {
		for i := range mb.Contracts {
			if w := mb.Contracts[i].JettonWallet; w != nil {
				counts[w.Jetton]++
				if counts[w.Jetton] > counts[busiest] {
					busiest = w.Jetton
				}
			}
		}
	}
	return busiest
}

func TestDays_DoNotDependOnTheOrderOfIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := dayBlocks(t)
	within, jetton := daysOf(blocks), busiestJetton(blocks)
	forward := classified(t)
	require.NoError(t, forward.Writer().Apply(t.Context(), blocks...))
	computeDays(t, forward)
	want := networkDays(t, forward, within)
	requireDays(t, blocks, want)
	wantJetton := requireJettonDays(t, forward, blocks, jetton)

	for name, seed := range map[string]uint64{"first order": 1, "second order": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 7))
			db := classified(t)
			pieces := slices.Collect(slices.Chunk(blocks, 150))
			random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
			for i, piece := range pieces {
				require.NoError(t, db.Writer().Apply(t.Context(), piece...))
				if i%3 == 0 {
					computeDays(t, db) // of what is there, which is outdated by what follows
				}
			}
			require.NoError(t, db.Writer().Apply(t.Context(), blocks[700:800]...))
			computeDays(t, db)
			require.Equal(t, want, networkDays(t, db, within))
			require.Equal(t, wantJetton, requireJettonDays(t, db, blocks, jetton))
		})
	}
}

func TestDays_RowsThatChangeAreNeverPartOfASumBefore(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := dayBlocks(t)
	within := daysOf(blocks)
	db := classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks[:1999]...))
	computeDays(t, db)
	before := networkDays(t, db, within)

	// A block that was removed by hand is part of no sum, and those of its range are computed again.
	removed := blocks[500]
	for _, table := range []string{"transactions", "blocks", "shards"} {
		execSQL(t, db, `DELETE FROM `+table+` WHERE mc_seqno = 501`)
	}
	execSQL(t, db, `UPDATE indexed_ranges SET last = 500`)
	execSQL(t, db, `INSERT INTO indexed_ranges VALUES (502, 1999)`)
	require.Equal(t, blocks[999].Block.GenUtime, *networkDays(t, db, within).CompleteFrom)
	execSQL(t, db, `DELETE FROM messages`)
	execSQL(t, db, `DELETE FROM account_traces`)
	require.NoError(t, db.Writer().Apply(ctx, removed))
	gap := networkDays(t, db, within)
	require.Equal(t, blocks[999].Block.GenUtime, *gap.CompleteFrom, "the range lost its sums with the block")
	for _, d := range gap.Days {
		require.Equal(t, d.Date > *gap.CompleteFrom && d.Date+chain.SecondsPerDay <= *gap.CompleteUntil, d.Complete)
	}
	computeDays(t, db)
	require.Equal(t, before, networkDays(t, db, within))
}

func TestDays_LaterBlocksLeaveTheSumsOfTheHead(t *testing.T) {
	t.Parallel()
	blocks := dayBlocks(t)
	db := classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[:300]...))
	computeDays(t, db)
	before := networkDays(t, db, daysOf(blocks))
	require.Equal(t, blocks[299].Block.GenUtime, *before.CompleteUntil)
	for i := range blocks[300:330] {
		blocks[300+i].Contracts = nil // detected states of earlier blocks would outdate them
	}
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[300:330]...))
	require.Equal(t, before, networkDays(t, db, daysOf(blocks)))
	computeDays(t, db)
	require.Equal(t, blocks[329].Block.GenUtime, *networkDays(t, db, daysOf(blocks)).CompleteUntil)
}

func TestDays_FeesComeFromRawTransactions(t *testing.T) {
	t.Parallel()
	db, blocks := fullRange(t)
	computeDays(t, db)
	transactions, fees, _ := countedDays(blocks)
	days := networkDays(t, db, daysOf(blocks)).Days
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
	blocks := dayBlocks(t)
	db := classified(t)
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[:1200]...))
	execSQL(t, db, `INSERT INTO day_ranges (number, token, target) VALUES (0, 1, 999)`)
	require.Empty(t, networkDays(t, db, daysOf(blocks)).Days)
	computeDays(t, db)
	want := networkDays(t, db, daysOf(blocks))
	until := blocks[1199].Block.GenUtime
	end := *want.CompleteUntil
	require.Equal(t, until, end)
	execSQL(t, db, `UPDATE day_ranges SET token = 1`)
	require.Equal(t, want, networkDays(t, db, daysOf(blocks)))
}

func TestCompareDays_DamageIsReported(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := dayBlocks(t)
	db := classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks...))
	computeDays(t, db)
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
		execSQL(t, db, `BEGIN; CREATE TABLE a AS TABLE day_totals; CREATE TABLE b AS TABLE day_states; CREATE TABLE c AS TABLE jetton_days; COMMIT`)
		execSQL(t, db, damage)
		require.NotEmpty(t, compare(), damage)
		execSQL(t, db, `BEGIN; TRUNCATE day_totals, day_states, jetton_days; INSERT INTO day_totals TABLE a; INSERT INTO day_states TABLE b;
			INSERT INTO jetton_days TABLE c; DROP TABLE a, b, c; COMMIT`)
	}
	require.Empty(t, compare())
}

// The sums of the newest blocks are computed again as these grow; a comparison meanwhile finds no difference.
func TestCompareDays_BesideAWriterReportsNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	blocks := dayBlocks(t)
	db := classified(t)
	require.NoError(t, db.Writer().Apply(ctx, blocks[:2000]...))
	computeDays(t, db)
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

// TestCharts_UseTheirIndexes runs the statements of charts on 5,000 ranges of masterchain blocks, which last for some 170 days.
func TestCharts_UseTheirIndexes(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := newDBWithoutAutovacuum(t)
	o := synthetic.Options{Transactions: 12_000, Accounts: 500, PerBlock: 38, Shards: 2, Seed: 1}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	execSQL(t, db, `DELETE FROM indexed_ranges; INSERT INTO indexed_ranges VALUES (1, 5000000)`)
	execSQL(t, db, `INSERT INTO day_ranges SELECT n, 1, n * 1000 + 999, 1, greatest(n * 1000, 1), n * 1000 + 999, n, 1700000000 + n * 3000, 1700000000 + (n + 1) * 3000
		FROM generate_series(0, 4999) n`)
	execSQL(t, db, `INSERT INTO day_totals SELECT (1700000000 + n * 3000) / 86400, n, 5, 5 FROM generate_series(0, 4999) n`)
	execSQL(t, db, `INSERT INTO day_states SELECT day, sum(number), max(number), 1, true FROM day_totals GROUP BY day`)
	execSQL(t, db, `INSERT INTO jetton_days SELECT '\x80' || sha256(j::text::bytea), day, 1, 1, 1, 1 FROM day_states, generate_series(1, 200) j`)
	within := chain.DayRange{First: 1_700_000_000/chain.SecondsPerDay + 100, Last: 1_700_000_000/chain.SecondsPerDay + 129}
	pages := map[string]int{"times of sums per day": 3000, "sums per day": 8000, "Jetton per day": 9000, "counterparties": 9000}
	var list []planCase
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		list = append(list, planCase{name, pages[name], store.ChartStatements(synthetic.Address(0), within)[name]})
	}
	requirePlans(t, db, list)
}

func TestCounterparties_AreCountedInBothDirections(t *testing.T) {
	t.Parallel()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 3000, Accounts: 40, PerBlock: 4, Shards: 2, Seed: 5}).Batch(1 << 20)
	db := classified(t)
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
