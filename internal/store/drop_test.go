package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// Charts of days whose blocks were dropped stay as they were, and no day is computed again from what is left of its rows.
func TestDrop_SumsPerDayStay(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.DayBlocks(t)
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks)
	storetest.ComputeDays(t, db)
	within := storetest.DaysOf(blocks)
	want := storetest.NetworkDays(t, db, within)
	require.NotEmpty(t, want.Days)
	jetton := storetest.BusiestJetton(blocks)
	jettons, err := db.Reader().JettonDays(t.Context(), jetton, within)
	require.NoError(t, err)

	storetest.DropAll(t, db, 1500, 300)
	storetest.ComputeDays(t, db)
	require.Equal(t, want, storetest.NetworkDays(t, db, within))
	after, err := db.Reader().JettonDays(t.Context(), jetton, within)
	require.NoError(t, err)
	require.Equal(t, jettons, after)
	require.NoError(t, db.Reader().CompareDays(t.Context(), chain.SeqnoRange{First: 1501, Last: 2100}, func(seqno uint32, key, what string) {
		require.Fail(t, "sums differ", "%d %s: %s", seqno, key, what)
	}))
}

// What accounts were as Jetton wallets and items at later blocks is what it was, of contracts too that were destroyed or became others in
// dropped blocks.
func TestDrop_PastOfContractsStays(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	middle := len(m.Blocks) / 2
	bound := m.Blocks[middle].Block.Seqno
	past := func() (list []string) {
		none := 0
		for _, at := range []uint32{bound + 1, bound + 3} {
			for _, a := range m.Wallets {
				w, err := m.Reader.JettonWalletAt(t.Context(), a, at)
				list = append(list, fmt.Sprint(at, a, w.Balance, w.Owner, w.Jetton, w.LastTxLT, err))
				if err != nil {
					none++
				}
			}
			for _, a := range m.Items {
				owner, err := m.Reader.NFTOwnerAt(t.Context(), a, at)
				list = append(list, fmt.Sprint(at, a, owner, err))
			}
			for _, owner := range m.People {
				wallets, err := m.Reader.OwnedWallets(t.Context(), owner, at, 1000)
				require.NoError(t, err)
				for i := range wallets {
					w := &wallets[i]
					if w.Certain() && w.Owner != nil && *w.Owner == owner {
						list = append(list, fmt.Sprint(at, owner, w.Contract, *w.Owner, w.Balance, w.Jetton))
					}
				}
			}
		}
		require.NotZero(t, none)
		return list
	}
	want := past()
	require.NotEmpty(t, storetest.DropAll(t, m.DB, bound, 10))
	require.Equal(t, want, past())
}

// Dropped blocks that come again are not written, by the writer that dropped them or by another one, and a step has about as many
// transactions as it should.
func TestDrop_BlocksDoNotComeBack(t *testing.T) {
	t.Parallel()
	blocks := storetest.SmallChain()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	storetest.Apply(t, db.Writer(), blocks[:40])
	storetest.Apply(t, other.Writer(), blocks[40:41]) // it has ranges in memory now
	bound := blocks[20].Block.Seqno
	const limit = 50
	steps := storetest.DropAll(t, db, bound, limit)
	require.Greater(t, len(steps), 3)
	for i, step := range steps {
		require.LessOrEqual(t, step.Transactions, limit+3*17, "a step of one block more")
		if i > 0 {
			require.Equal(t, steps[i-1].Blocks.Last+1, step.Blocks.First)
		}
	}
	require.Equal(t, bound, steps[len(steps)-1].Blocks.Last)
	d, err := db.Reader().Dropped(t.Context())
	require.NoError(t, err)
	require.Equal(t, bound, d.Last)
	require.Equal(t, blocks[20].Block.EndLT, d.EndLT)
	require.Equal(t, blocks[20].Block.GenUtime, d.GenUtime)
	want, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	for _, w := range []*store.Writer{db.Writer(), other.Writer(), testdb.Open(t, url).Writer()} {
		for range 2 {
			require.NoError(t, w.Apply(t.Context(), blocks[3], blocks[20]))
		}
	}
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)

	// What comes after them is written, from here and from there.
	require.NoError(t, other.Writer().Apply(t.Context(), blocks[41]))
	require.NoError(t, db.Writer().Apply(t.Context(), blocks[20], blocks[42]))
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: bound + 1, Last: blocks[42].Block.Seqno}}, ranges)
}

// Blocks that are indexed after those before them were dropped complete the messages and traces that are left of these.
func TestDrop_TracesThatAreLeftAreCompleted(t *testing.T) {
	t.Parallel()
	blocks := storetest.SmallChain()[:60]
	atOnce, later := testdb.New(t), testdb.New(t)
	storetest.Apply(t, atOnce.Writer(), blocks)
	storetest.DropAll(t, atOnce, blocks[19].Block.Seqno, 100)
	storetest.Apply(t, later.Writer(), blocks[:20])
	storetest.DropAll(t, later, blocks[19].Block.Seqno, 100)
	for _, mb := range blocks[20:] {
		storetest.Apply(t, later.Writer(), []*chain.MasterBlock{mb})
	}
	want, err := atOnce.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	got, err := later.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A block of the future, which a node of a network without signatures may forge, makes nothing older than it is.
func TestNewestOlder_TheFutureDoesNotCount(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()[:40]
	now := time.Unix(int64(blocks[30].Block.GenUtime), 0)
	blocks[39].Block.GenUtime += 1 << 30
	storetest.Apply(t, db.Writer(), blocks)
	age := int64(blocks[30].Block.GenUtime-blocks[20].Block.GenUtime) - 1
	seqno, err := db.Reader().NewestOlder(t.Context(), now, age)
	require.NoError(t, err)
	require.Equal(t, blocks[20].Block.Seqno, seqno)
	seqno, err = db.Reader().NewestOlder(t.Context(), now, 1<<30)
	require.NoError(t, err)
	require.Zero(t, seqno)
}

// The index remembers the newest of the dropped blocks that it never had.
func TestDrop_GapsAreRemembered(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()
	for _, run := range [][]*chain.MasterBlock{blocks[5:10], blocks[12:20], blocks[25:40]} {
		storetest.Apply(t, db.Writer(), run)
	}
	for _, step := range []struct{ bound, before, gap int }{
		{bound: 8}, {bound: 11}, // what is before the first block, and a gap that can be filled, are none
		{bound: 12, before: 9, gap: 11}, {bound: 24, before: 9, gap: 11}, {bound: 30, before: 19, gap: 24}, {bound: 38, before: 19, gap: 24},
	} {
		storetest.DropAll(t, db, blocks[step.bound].Block.Seqno, 40)
		d, err := db.Reader().Dropped(t.Context())
		require.NoError(t, err)
		var gap uint32
		var lt uint64
		if step.gap > 0 {
			gap, lt = blocks[step.gap].Block.Seqno, blocks[step.before].Block.EndLT
		}
		require.Equal(t, gap, d.Gap, "up to block %d", step.bound)
		require.Equal(t, lt, d.GapLT, "up to block %d", step.bound)
	}
}

// Nothing is dropped of an empty index, or when the bound is below its first block.
func TestDrop_NothingToDrop(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	require.Empty(t, storetest.DropAll(t, db, 1000, 100))
	blocks := storetest.SmallChain()
	storetest.Apply(t, db.Writer(), blocks[10:20])
	require.Empty(t, storetest.DropAll(t, db, blocks[9].Block.Seqno, 100))
	d, err := db.Reader().Dropped(t.Context())
	require.NoError(t, err)
	require.Zero(t, d)
}

// BenchmarkDrop drops half of an index in steps; its metric is the time for a transaction.
func BenchmarkDrop(b *testing.B) {
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 20_000, Accounts: 3000, PerBlock: 17, Shards: 4, Seed: 7, BOCs: true, Cells: true, Contracts: true}).Batch(1 << 20)
	dropped := 0
	for b.Loop() {
		b.StopTimer()
		db := testdb.New(b)
		storetest.Apply(b, db.Writer(), blocks)
		b.StartTimer()
		for _, step := range storetest.DropAll(b, db, blocks[len(blocks)/2].Block.Seqno, 250) {
			dropped += step.Transactions
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(dropped), "µs/tx")
}
