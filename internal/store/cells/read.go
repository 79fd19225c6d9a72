package cells

import (
	"context"
	"errors"
	"fmt"

	"tonql/internal/boc"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/weightedlru"
)

const selectCells = `SELECT hash, boc FROM cells WHERE hash = ANY($1)`

// Cache holds joined bags of cells: mainly codes. Safe for concurrent use.
type Cache = weightedlru.Cache[chain.Hash, chain.BOC]

// NewCache returns a cache of at most 8 MiB.
func NewCache() *Cache { return weightedlru.New[chain.Hash, chain.BOC](1<<10, 8<<20) }

// Read reads bags of cells by hash, of which it joins as many bytes as the limit has left. Hashes that are not stored, or of which a part is not, are
// absent.
func Read(ctx context.Context, q sqlbuild.Queryer, cache *Cache, hashes []chain.Hash, limit *Limit) (map[chain.Hash]chain.BOC, error) {
	found := make(map[chain.Hash]chain.BOC, len(hashes))
	wanted := make([]chain.Hash, 0, len(hashes))
	for _, h := range sqlbuild.Unique(hashes) {
		if bag, ok := cache.Get(h); ok {
			found[h] = bag
		} else {
			wanted = append(wanted, h)
		}
	}
	var split []chain.Hash
	err := Parts(ctx, q, wanted, func(hash chain.Hash, bag chain.BOC) {
		found[hash] = bag
		if boc.RootHasLevel(bag) {
			split = append(split, hash)
		}
	})
	if err != nil || len(split) == 0 {
		return found, err
	}
	if err := limit.join(0); err != nil {
		return nil, err
	}
	j := joining{found: found, limit: limit}
	if err := j.read(ctx, q, split); err != nil {
		return nil, err
	}
	for _, hash := range split {
		if err := j.join(ctx, cache, hash); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Parts reads stored bags of cells by hash, in which pruned branches may stand for others.
func Parts(ctx context.Context, q sqlbuild.Queryer, hashes []chain.Hash, visit func(chain.Hash, chain.BOC)) error {
	if len(hashes) == 0 {
		return nil
	}
	return sqlbuild.Each(ctx, q, "cells", func(r *sqlbuild.Row) { visit(r.Hash(), r.Bytes()) }, selectCells, sqlbuild.HashArray(hashes))
}

// joining joins the bags of one call.
type joining struct {
	cellparts.Joiner

	found map[chain.Hash]chain.BOC
	limit *Limit
}

// read reads the parts of trees, level by level.
func (j *joining) read(ctx context.Context, q sqlbuild.Queryer, roots []chain.Hash) error {
	size := 0
	for _, hash := range roots {
		if err := j.Add(hash, j.found[hash]); err != nil {
			return fmt.Errorf("cells: %w", err)
		}
	}
	for missing := j.Missing(); len(missing) > 0; missing = j.Missing() {
		var bad error
		err := Parts(ctx, q, missing, func(hash chain.Hash, bag chain.BOC) {
			size += len(bag)
			if bad == nil {
				bad = j.limit.part(size)
			}
			if bad == nil {
				bad = j.Add(hash, bag)
			}
		})
		if err != nil {
			return err
		}
		if bad != nil {
			return fmt.Errorf("cells: %w", bad)
		}
	}
	return nil
}

// join replaces the root of a tree by the tree.
func (j *joining) join(ctx context.Context, cache *Cache, hash chain.Hash) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	root, err := j.Root(hash)
	if errors.Is(err, cellparts.ErrNotStored) {
		delete(j.found, hash)
		return nil
	}
	if err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	bag := cellparts.Serialize(root)
	if err := j.limit.join(len(bag)); err != nil {
		return err
	}
	j.found[hash] = bag
	cache.Add(hash, bag, len(bag))
	return nil
}
