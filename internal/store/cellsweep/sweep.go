package cellsweep

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/bits-and-blooms/bloom/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/cold"
	"tonql/internal/store/locks"
	"tonql/internal/store/sqlbuild"
)

// Sweep removes the rows of cells that no state of an account refers to any more, directly or through other parts, because the
// transactions that left these states were dropped. Use reads all states once and adds the cells
// in use to a Bloom filter; a false positive retains a row until the next sweep. Then Remove deletes the others, while blocks are written.
//
// Blocks that are written meanwhile may need a row that was not in use before. The sweep relies on this:
//
//   - Everything that writes cells reads cell_sweep under the writer's lock. While a sweep runs, it writes the hashes of all cells that it
//     does not have in memory to cell_uses, and memory is of the same sweep. The sweep reads them under the same lock before it removes rows.
//   - A run of the indexer leaves cells out of a block that it has added to an earlier one. So with the begin of a sweep all runs begin anew: that
//     of this process before it (see Begin), others by ErrSwept.
//   - No blocks are dropped while it runs: Drop refuses, because it moves states between tables that the sweep reads one after the other.
//   - Nothing else writes rows of cells, but the import of a snapshot, into an empty index.
//
// A sweep is lost with its process; the next one begins anew.
type Sweep struct {
	pool   *pgxpool.Pool
	number int64
	used   *bloom.BloomFilter
	key    []byte // salt, then the hash that is looked up
	parts  *partWalk

	page, pages uint32 // of the table
	listed      bool   // parts are in used
}

// State is the row of cell_sweep.
type State struct {
	Number  int64 // of the newest sweep
	Running bool
	dropped int64
}

const (
	// Select reads the state of sweeps, for [State.Scan].
	Select = `SELECT number, running, dropped FROM cell_sweep WHERE singleton`
	// SelectRemoved reads, before each group of blocks, what was removed since the last one.
	SelectRemoved = `SELECT s.number, s.Running, s.dropped, coalesce(d.last, 0) FROM cell_sweep s LEFT JOIN dropped_blocks d ON d.singleton WHERE s.singleton`
	// A failover may lose the begin of a sweep. The next one must not have its number, which that sweep and runs of writers compare.
	beginSweep = `UPDATE cell_sweep SET number = number + $1, running = true, dropped = 0 WHERE singleton RETURNING number, running, dropped`
	endSweep   = `UPDATE cell_sweep SET running = false WHERE singleton`
	endThis    = endSweep + ` AND number = $1 AND running`
	// AddDropped adds to the number of dropped transactions.
	AddDropped = `UPDATE cell_sweep SET dropped = dropped + $1 WHERE singleton`

	deleteCellUses = `DELETE FROM cell_uses`
)

// ErrSwept is the error of a write when a sweep has begun since the first write after the writer has forgotten which cells are stored: the run has to begin anew.
var ErrSwept = errors.New("cells that earlier blocks of the run have written may have been removed since, because nothing referred to them")

// Scan reads the row of [Select].
func (s *State) Scan(rows pgx.Rows) error {
	return s.scanRow(rows, func(*sqlbuild.Row) {})
}

// ScanRemoved reads the row of [SelectRemoved] and returns the newest masterchain block that was dropped.
func (s *State) ScanRemoved(rows pgx.Rows) (dropped uint32, err error) {
	err = s.scanRow(rows, func(r *sqlbuild.Row) { dropped = r.Uint32() })
	return dropped, err
}

func (s *State) scanRow(rows pgx.Rows, rest func(*sqlbuild.Row)) error {
	found := false
	err := sqlbuild.VisitRows(rows, func(r *sqlbuild.Row) {
		*s, found = State{Number: r.Int8(), Running: r.Bool(), dropped: r.Int8()}, true
		rest(r)
	})
	if err == nil && !found {
		err = errors.New("the table cell_sweep has no row")
	}
	return err
}

// Garbage says whether a sweep of cells is due.
type Garbage struct {
	Dropped    uint64 // transactions that were dropped since the last sweep began
	Unfinished bool   // a sweep began and did not end
}

// ReadGarbage returns how many transactions were dropped whose cells may not be in use.
func ReadGarbage(ctx context.Context, q sqlbuild.Queryer) (Garbage, error) {
	var s State
	rows, err := q.Query(ctx, Select)
	if err == nil {
		err = s.Scan(rows)
	}
	return Garbage{Dropped: uint64(s.dropped), Unfinished: s.Running}, sqlbuild.Fault(ctx, "sweep of cells", err)
}

const (
	// falsePositives is the share of rows that are not in use and stay.
	falsePositives = 0.001
	// maxFilterBits bounds the memory of the filter, to 256 MiB. With more than 150 million rows, more of those that are not in use stay.
	maxFilterBits = 1 << 31
	saltBytes     = 8
	// skippedSweeps bounds by how much the number of a sweep is higher than that of the one before it, at random.
	skippedSweeps = 1 << 31
)

// The planner's estimate is -1 before the first VACUUM or ANALYZE; rows with their headers have some 200 bytes.
const selectCellCount = `SELECT greatest(c.reltuples, pg_relation_size(c.oid) / 200)::bigint FROM pg_class c WHERE c.oid = 'cells'::regclass`

// Begin begins a sweep. No run of the indexer in this process may be older, and no blocks are dropped before its end. After
// an error it may have begun nevertheless.
func Begin(ctx context.Context, pool *pgxpool.Pool) (*Sweep, error) {
	s := &Sweep{pool: pool, key: make([]byte, saltBytes+len(chain.Hash{}))}
	// With a salt nobody can make cells that seem to be in use in each sweep.
	if _, err := rand.Read(s.key[:saltBytes]); err != nil {
		return nil, fmt.Errorf("sweep of cells: %w", err)
	}
	skip, err := rand.Int(rand.Reader, big.NewInt(skippedSweeps))
	if err != nil {
		return nil, fmt.Errorf("sweep of cells: %w", err)
	}
	var rows int64
	err = s.locked(ctx, func(tx pgx.Tx) error {
		if err := cold.RefuseMoved(ctx, tx); err != nil {
			return err
		}
		var state State
		begun, err := tx.Query(ctx, beginSweep, skip.Int64()+1)
		if err == nil {
			err = state.Scan(begun)
		}
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		s.number = state.Number
		if _, err := tx.Exec(ctx, deleteCellUses); err != nil {
			return fmt.Errorf("uses: %w", err)
		}
		return tx.QueryRow(ctx, selectCellCount).Scan(&rows)
	})
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "sweep of cells", err)
	}
	bits, hashes := bloom.EstimateParameters(uint(max(rows, 1000)), falsePositives)
	if bits > maxFilterBits {
		bits, hashes = maxFilterBits, uint(max(1, math.Round(maxFilterBits*math.Ln2/float64(rows))))
	}
	s.used = bloom.New(bits, hashes)
	s.parts = newPartWalk(s.add)
	return s, nil
}

func (s *Sweep) add(h chain.Hash) {
	copy(s.key[saltBytes:], h[:])
	s.used.Add(s.key)
}

func (s *Sweep) has(h chain.Hash) bool {
	copy(s.key[saltBytes:], h[:])
	return s.used.Test(s.key)
}

// locked runs fn in a transaction that no writer is beside.
func (s *Sweep) locked(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return locked(ctx, s.pool, fn)
}

func locked(ctx context.Context, pool *pgxpool.Pool, fn func(tx pgx.Tx) error) error {
	return locks.Transaction(ctx, pool, func(tx pgx.Tx) error {
		if err := locks.Apply(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// check reports an error if another sweep began, or if the database has lost the begin of this one.
func (s *Sweep) check(ctx context.Context, tx pgx.Tx) error {
	var state State
	rows, err := tx.Query(ctx, Select)
	if err == nil {
		err = state.Scan(rows)
	}
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if !state.Running || state.Number != s.number {
		return errOtherSweep
	}
	return nil
}

var errOtherSweep = errors.New("it is not the one that runs")
