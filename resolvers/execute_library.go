package resolvers

import (
	"context"
	"fmt"
	"maps"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	keptLibraries = 4096
	// absentFor is how long a library that nobody knows is not asked for again.
	absentFor = 10 * time.Second
	// libraryRounds bounds libraries that need libraries.
	libraryRounds = 8
)

// shelf holds the public libraries met so far. A library is named by its hash, so it never changes.
type shelf struct {
	found  *lru.Cache[chain.Hash, *cell.Cell]
	absent *lru.Cache[chain.Hash, time.Time] // until when
}

func newShelf() *shelf {
	return &shelf{found: kept[chain.Hash, *cell.Cell](keptLibraries), absent: kept[chain.Hash, time.Time](keptLibraries)}
}

// Library looks one up; it never waits.
func (s *shelf) Library(hash chain.Hash) (*cell.Cell, bool) { return s.found.Get(hash) }

// missing are those neither found nor known to be absent.
func (s *shelf) missing(hashes []chain.Hash) []chain.Hash {
	var list []chain.Hash
	for _, h := range hashes {
		if s.found.Contains(h) {
			continue
		}
		if until, ok := s.absent.Get(h); ok && time.Now().Before(until) {
			continue
		}
		list = append(list, h)
	}
	return list
}

// fetchLibraries puts the libraries that cells need on the shelf, as far as index and node have them. A node that
// cannot answer now is no reason to fail: the code may never get to its library.
func (x *executor) fetchLibraries(ctx context.Context, roots ...*cell.Cell) error {
	for range libraryRounds {
		missing := x.shelf.missing(contract.LibraryRefs(roots...))
		if len(missing) == 0 {
			return nil
		}
		found, err := x.libraries(ctx, missing)
		if err != nil {
			return err
		}
		roots = roots[:0:0]
		for _, h := range missing {
			if lib := found[h]; lib != nil {
				x.shelf.found.Add(h, lib)
				roots = append(roots, lib)
			} else {
				x.shelf.absent.Add(h, time.Now().Add(absentFor))
			}
		}
	}
	return nil
}

func (x *executor) libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	bags, err := x.svc.index.Libraries(ctx, hashes)
	if err != nil {
		return nil, err
	}
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	var missing []chain.Hash
	for _, h := range hashes {
		boc, ok := bags[h]
		if !ok {
			missing = append(missing, h)
			continue
		}
		if found[h], err = cell.FromBOC(boc); err != nil {
			return nil, fmt.Errorf("library %s of the index: %w", h, err)
		}
	}
	if len(missing) == 0 || x.svc.node == nil {
		return found, nil
	}
	more, err := x.svc.node.Libraries(ctx, missing)
	if err != nil {
		x.svc.opts.Logger.Warn("libraries", "count", len(missing), "err", err)
		return found, nil
	}
	maps.Copy(found, more)
	return found, nil
}
