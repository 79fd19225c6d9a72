package cellsweep_test

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"golang.org/x/sync/errgroup"

	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

func countCells(t *testing.T, db *store.DB) (n int) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM cells`).Scan(&n))
	return n
}

// Cells of dropped transactions are removed, those of all states that are left stay.
func TestSweep_RemovesWhatNoStateRefersTo(t *testing.T) {
	t.Parallel()
	blocks := storetest.SmallChain()
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks)
	require.Zero(t, storetest.RemoveUnused(t, db, storetest.ListUsed(t, db)), "all are in use")
	before := countCells(t, db)

	storetest.DropAll(t, db, blocks[len(blocks)/2].Block.Seqno, 100)
	garbage, err := db.Writer().CellGarbage(t.Context())
	require.NoError(t, err)
	require.Greater(t, garbage.Dropped, uint64(300))
	require.False(t, garbage.Unfinished)
	used := len(storetest.StateHashes(t, db))
	removed := storetest.RemoveUnused(t, db, storetest.ListUsed(t, db))
	require.Equal(t, before-removed, countCells(t, db))
	require.InDelta(t, used, before-removed, 8, "false positives")
	require.Less(t, used, before*3/4)
	storetest.RequireCells(t, db)
	garbage, err = db.Writer().CellGarbage(t.Context())
	require.NoError(t, err)
	require.Equal(t, cellsweep.Garbage{}, garbage)
}

// Cells that were not in use when a sweep began stay if a block that is written at any moment of it needs them, from any process.
func TestSweep_BlocksMayNeedCellsAgain(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	account, code, next := testdb.Address(), testdb.Hash(), testdb.Hash()
	old := make([]chain.Hash, 6) // data of dropped states
	seqno := uint32(0)
	for i := range old {
		old[i], seqno = testdb.Hash(), seqno+1
		require.NoError(t, db.Writer().Apply(t.Context(), storetest.WithState(seqno, account, code, old[i])))
	}
	seqno++
	require.NoError(t, db.Writer().Apply(t.Context(), storetest.WithState(seqno, account, code, next)))
	storetest.DropAll(t, db, seqno-1, 100)
	write := func(w *store.Writer, data chain.Hash) {
		seqno++
		require.NoError(t, w.Apply(t.Context(), storetest.WithState(seqno, testdb.Address(), code, data)))
	}
	// The one process begins the sweep, the other one has a new run after it.
	s, err := db.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	write(db.Writer(), old[0])
	require.NoError(t, s.Use(t.Context(), storetest.NoLibraries, storetest.NoPause))
	write(other.Writer(), old[1])
	require.NoError(t, s.Parts(t.Context(), storetest.NoPause))
	write(db.Writer(), old[2])
	write(other.Writer(), old[3])
	require.Equal(t, 1, storetest.RemoveUnused(t, db, s), "the data before those that account_states retains")
	storetest.RequireCells(t, db)
	found, err := db.Reader().Cells(t.Context(), old)
	require.NoError(t, err)
	require.NotContains(t, found, old[4])
	require.Contains(t, found, old[5], "it is the state at the first retained block")
	write(other.Writer(), old[4])
	storetest.RequireCells(t, db)
}

// A run of another process that is older than a sweep cannot write: its blocks may lack cells that are gone.
func TestSweep_EndsOlderRuns(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	account, code := testdb.Address(), testdb.Hash()
	data := []chain.Hash{testdb.Hash(), testdb.Hash(), testdb.Hash()}
	for i, w := range []*store.Writer{other.Writer(), db.Writer(), db.Writer()} {
		require.NoError(t, w.Apply(t.Context(), storetest.WithState(uint32(i+1), account, code, data[i])))
	}
	storetest.DropAll(t, db, 2, 100)
	s := storetest.ListUsed(t, db)
	block := storetest.WithState(4, account, code, data[0])
	for range 3 { // while it runs and after it, as often as it is tried
		err := other.Writer().Apply(t.Context(), block)
		require.ErrorContains(t, err, "may have been removed")
		if s != nil {
			require.Equal(t, 1, storetest.RemoveUnused(t, db, s))
			s = nil
		}
	}
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: 3, Last: 3}}, ranges)
	other.Writer().RenewCells()
	require.NoError(t, other.Writer().Apply(t.Context(), block))
	storetest.RequireCells(t, db)
}

// A sweep that the database has lost, or that another one has followed, removes nothing.
func TestSweep_RemovesNothingWhenItIsLost(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, lose := range map[string]string{
		"begin lost": `UPDATE cell_sweep SET number = number - 1, running = false`,
		"ended":      `UPDATE cell_sweep SET running = false`,
		"another":    `UPDATE cell_sweep SET number = number + 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			blocks := storetest.SmallChain()
			storetest.Apply(t, db.Writer(), blocks)
			storetest.DropAll(t, db, blocks[len(blocks)/2].Block.Seqno, 1000)
			s := storetest.ListUsed(t, db)
			handle := db.SQLDB()
			_, err := handle.ExecContext(t.Context(), lose)
			require.NoError(t, err)
			require.NoError(t, handle.Close())
			before := countCells(t, db)
			_, err = s.Remove(t.Context(), 1000)
			require.ErrorContains(t, err, "not the one that runs")
			require.Equal(t, before, countCells(t, db))
		})
	}
}

// Nothing is removed before all states were read, and a state that cannot be read ends the sweep.
func TestSweep_NeedsAllStates(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), storetest.SmallChain()[:20])
	s, err := db.Writer().BeginSweep(t.Context())
	require.NoError(t, err)
	_, err = s.Remove(t.Context(), 1)
	require.ErrorContains(t, err, "was not read")
	bad := errors.New("unknown form")
	require.ErrorIs(t, s.Use(t.Context(), func([]byte, func(chain.Hash)) error { return bad }, storetest.NoPause), bad)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = handle.ExecContext(t.Context(), `UPDATE transactions SET states = '\xff' WHERE hash = (SELECT hash FROM transactions ORDER BY hash LIMIT 1)`)
	require.NoError(t, err)
	require.ErrorContains(t, s.Use(t.Context(), storetest.NoLibraries, storetest.NoPause), "malformed")
}

// sweptRun makes blocks as a run of the indexer does: without cells that an earlier block of the run has.
type sweptRun struct {
	accounts []chain.Address
	trees    []*cell.Cell
	given    map[chain.Hash]bool
	rng      *rand.Rand
}

func (r *sweptRun) block(t *testing.T, seqno uint32) *chain.MasterBlock {
	t.Helper()
	return testdb.Master(seqno, func(mb *chain.MasterBlock) {
		mb.Cells = map[chain.Hash]chain.BOC{}
		for _, i := range r.rng.Perm(len(r.accounts))[:4] {
			tx := testdb.NewTransaction(mb, r.accounts[i])
			state := testdb.NewStateAfter(mb, &tx, 1)
			state.CodeHash, state.DataHash, state.Rest = r.write(t, mb, r.rng.IntN(4)), r.write(t, mb, r.rng.IntN(len(r.trees))), []byte{1}
			mb.Transactions, mb.States = append(mb.Transactions, tx), append(mb.States, state)
		}
	})
}

func (r *sweptRun) write(t *testing.T, mb *chain.MasterBlock, i int) *chain.Hash {
	t.Helper()
	hash := chain.Hash(r.trees[i].HashKey())
	if r.given[hash] {
		return &hash
	}
	s := cellparts.Splitter{
		Stored: func(h chain.Hash) (int, bool) { return 64, r.given[h] },
		Emit: func(h chain.Hash, part *cell.Cell, _ int) {
			r.given[h], mb.Cells[h] = true, cellparts.Serialize(part)
		},
	}
	part, err := s.Split(r.trees[i])
	require.NoError(t, err)
	r.given[hash], mb.Cells[hash] = true, cellparts.Serialize(part)
	return &hash
}

// Whatever is written and dropped while cells are swept again and again, by two processes, in runs that end when they are older than a sweep,
// every state has its cells, also those that share parts, and what is left is in proportion to what is in use.
func TestSweep_NothingInUseIsEverLost(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := t.Context()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	trees := make([]*cell.Cell, 0, 60)
	for i := range uint64(20) {
		trees = append(trees, storetest.NumberedCell(i, cell.BeginCell().EndCell()), storetest.NumberedCell(i, storetest.FullCells(i/4, 150)), storetest.FullCells(i, 70))
	}
	accounts := make([]chain.Address, 12)
	for i := range accounts {
		accounts[i] = testdb.Address()
	}
	var seqno atomic.Uint32
	seqno.Store(1)
	ended := atomic.Uint32{}
	group := errgroup.Group{}
	until := time.Now().Add(4 * time.Second)
	for i, d := range []*store.DB{db, other} {
		group.Go(func() error {
			r := &sweptRun{accounts: accounts, trees: trees, given: map[chain.Hash]bool{}, rng: rand.New(rand.NewPCG(uint64(i), 1))}
			for n := 0; time.Now().Before(until); n++ {
				if i == 0 && n%20 == 19 { // the process that sweeps
					if n > 40 {
						if _, err := d.Writer().Drop(ctx, seqno.Load()-30, 1000); err != nil {
							return err
						}
					}
					s := storetest.ListUsed(t, d)
					r.given = map[chain.Hash]bool{}
					for {
						if err := d.Writer().Apply(ctx, r.block(t, seqno.Add(1))); err != nil {
							return err
						}
						step, err := s.Remove(ctx, 1)
						if err != nil {
							return err
						}
						if step.Done {
							break
						}
					}
					if err := d.Writer().EndSweep(ctx); err != nil {
						return err
					}
				}
				mb := r.block(t, seqno.Add(1))
				err := d.Writer().Apply(ctx, mb)
				if i == 1 && err != nil {
					ended.Add(1)
					d.Writer().RenewCells()
					r.given = map[chain.Hash]bool{}
					continue // the run is lost with the block
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	t.Logf("%d blocks, %d runs ended by a sweep", seqno.Load(), ended.Load())
	require.Positive(t, ended.Load())
	storetest.RequireCells(t, db)
	storetest.DropAll(t, db, seqno.Load()-5, 1000)
	before := countCells(t, db)
	removed := storetest.RemoveUnused(t, db, storetest.ListUsed(t, db))
	storetest.RequireCells(t, db)
	require.Positive(t, removed)
	require.Zero(t, storetest.RemoveUnused(t, db, storetest.ListUsed(t, db)))
	require.Equal(t, before-removed, countCells(t, db))
}

// BenchmarkSweep sweeps after half of an index was dropped. Its metrics are the times for a transaction of those that are left, which are
// read, and for a removed row.
func BenchmarkSweep(b *testing.B) {
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 20_000, Accounts: 3000, PerBlock: 17, Shards: 4, Seed: 7, BOCs: true, Cells: true}).Batch(1 << 20)
	var reading, removing time.Duration
	read, removed := 0, 0
	for b.Loop() {
		b.StopTimer()
		db := testdb.New(b)
		storetest.Apply(b, db.Writer(), blocks)
		for _, step := range storetest.DropAll(b, db, blocks[len(blocks)/2].Block.Seqno, 1000) {
			read -= step.Transactions
		}
		read += 20_000
		b.StartTimer()
		began := time.Now()
		s := storetest.ListUsed(b, db)
		reading += time.Since(began)
		began = time.Now()
		removed += storetest.RemoveUnused(b, db, s)
		removing += time.Since(began)
	}
	b.ReportMetric(float64(reading.Microseconds())/float64(read), "µs/tx-read")
	b.ReportMetric(float64(removing.Microseconds())/float64(removed), "µs/row-removed")
}
