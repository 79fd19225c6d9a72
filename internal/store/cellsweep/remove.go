package cellsweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tonql/internal/boc"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/store/cells"
	"tonql/internal/store/sqlbuild"
)

const (
	selectCellPages = `SELECT pg_relation_size('cells') / current_setting('block_size')::bigint`

	// A range of pages. Rows are never updated, so that none is elsewhere meanwhile.
	selectPageHashes = `SELECT hash FROM cells WHERE ctid >= $1 AND ctid < $2`
	selectPageCells  = `SELECT hash, boc FROM cells WHERE ctid >= $1 AND ctid < $2`

	deleteCells = `DELETE FROM cells WHERE hash = ANY($1)`

	// partPages is the number of pages whose rows one statement reads.
	partPages = 16
)

var errNotListed = errors.New("removal of cells: what is in use was not read")

// Step is the result of [Sweep.Remove].
type Step struct {
	Removed int
	Done    bool // there is nothing more to remove
	// Locked is how long other writers had to wait for the step.
	Locked time.Duration
}

// Parts reads all rows and records the parts of those in use. It follows Use.
func (s *Sweep) Parts(ctx context.Context, pace Pace) error {
	if err := s.count(ctx); err != nil {
		return err
	}
	for page := uint32(0); page < s.pages; page += partPages {
		began, split := time.Now(), map[chain.Hash]chain.BOC{}
		err := sqlbuild.Each(ctx, s.pool, "cells", func(r *sqlbuild.Row) {
			if h, bag := r.Hash(), r.Next(); boc.RootHasLevel(bag) && s.has(h) {
				split[h] = append(chain.BOC{}, bag...)
			}
		}, selectPageCells, pageStart(page), pageStart(page+partPages))
		if err != nil {
			return err
		}
		for h, bag := range split {
			if err := s.parts.follow(ctx, s.pool, h, bag); err != nil {
				return sqlbuild.Fault(ctx, "parts of cells", err)
			}
		}
		if err := s.take(ctx); err != nil {
			return sqlbuild.Fault(ctx, "cells in use", err)
		}
		if err := pace(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	s.listed = true
	return nil
}

func (s *Sweep) count(ctx context.Context) error {
	return sqlbuild.Each(ctx, s.pool, "pages of cells", func(r *sqlbuild.Row) { s.pages = uint32(r.Int8()) }, selectCellPages)
}

func pageStart(page uint32) pgtype.TID { return pgtype.TID{BlockNumber: page, Valid: true} }

// Remove removes the rows of the next pages that are not in use, in one transaction. It follows Parts.
func (s *Sweep) Remove(ctx context.Context, pages int) (step Step, err error) {
	if !s.listed {
		return step, errNotListed
	}
	last := min(s.page+uint32(pages), s.pages)
	var candidates []chain.Hash
	err = sqlbuild.Each(ctx, s.pool, "cells", func(r *sqlbuild.Row) {
		if h := r.Hash(); !s.has(h) {
			candidates = append(candidates, h)
		}
	}, selectPageHashes, pageStart(s.page), pageStart(last))
	if err != nil {
		return step, err
	}
	if len(candidates) > 0 {
		if err := s.take(ctx); err != nil { // most of them, so that others wait for less
			return step, sqlbuild.Fault(ctx, "cells in use", err)
		}
		if step, err = s.remove(ctx, candidates); err != nil {
			return step, sqlbuild.Fault(ctx, "removal of cells", err)
		}
	}
	s.page = last
	step.Done = s.page >= s.pages
	return step, nil
}

func (s *Sweep) remove(ctx context.Context, candidates []chain.Hash) (step Step, err error) {
	var began time.Time
	err = s.locked(ctx, func(tx pgx.Tx) error {
		began = time.Now()
		if err := s.check(ctx, tx); err != nil {
			return err
		}
		for n := usesAtOnce; n == usesAtOnce; {
			var err error
			if n, err = s.takeSome(ctx, tx); err != nil {
				return err
			}
		}
		left := candidates[:0]
		for _, h := range candidates {
			if !s.has(h) {
				left = append(left, h)
			}
		}
		tag, err := tx.Exec(ctx, deleteCells, sqlbuild.HashArray(left))
		if err != nil {
			return fmt.Errorf("cells: %w", err)
		}
		step.Removed = int(tag.RowsAffected())
		return nil
	})
	step.Locked = time.Since(began)
	return step, err
}

const (
	// maxPartsSeen bounds the memory for parts that were followed already, to some 60 MB.
	maxPartsSeen = 1 << 20
	// partsAtOnce is the number of parts that one statement reads.
	partsAtOnce = 1000
)

// partWalk follows parts to the parts that they refer to.
type partWalk struct {
	use  func(chain.Hash)
	seen map[chain.Hash]struct{} // not followed again: only a matter of time
}

func newPartWalk(use func(chain.Hash)) *partWalk {
	return &partWalk{use: use, seen: map[chain.Hash]struct{}{}}
}

// follow calls use with all parts below one, which are as many as an account may have.
func (p *partWalk) follow(ctx context.Context, q sqlbuild.Queryer, hash chain.Hash, bag chain.BOC) error {
	if len(p.seen) > maxPartsSeen {
		clear(p.seen)
	}
	todo, err := p.below(nil, hash, bag)
	for len(todo) > 0 && err == nil {
		n := len(todo) - min(len(todo), partsAtOnce)
		next := todo[n:]
		todo = todo[:n:n]
		var bad error
		err = cells.Parts(ctx, q, next, func(h chain.Hash, bag chain.BOC) {
			if bad == nil && boc.RootHasLevel(bag) {
				todo, bad = p.below(todo, h, bag)
			}
		})
		if err == nil {
			err = bad
		}
	}
	return err
}

// below appends the parts that a part refers to, and that were not followed yet.
func (p *partWalk) below(todo []chain.Hash, hash chain.Hash, bag chain.BOC) ([]chain.Hash, error) {
	err := cellparts.References(bag, func(h chain.Hash) {
		p.use(h)
		if _, again := p.seen[h]; !again {
			p.seen[h] = struct{}{}
			todo = append(todo, h)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("part %s: %w", hash.Hex(), err)
	}
	return todo, nil
}
