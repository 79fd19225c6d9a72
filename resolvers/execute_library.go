package resolvers

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	keptLibraries = 4096
	// absentFor is how long a library is not looked up again where it is not proven that there is none.
	absentFor = 10 * time.Second
	// libraryTime bounds the wait for a proof; after it the libraries that are known at all stand in.
	libraryTime = 3 * time.Second
	// libraryRounds bounds libraries that need libraries.
	libraryRounds = 8
)

// shelf caches libraries for all views. A library is identified by its hash, so its content never changes; whether it is
// public depends on the set of all libraries.
type shelf struct {
	content *lru.Cache[chain.Hash, *cell.Cell]
	public  *lru.Cache[libraryKey, bool]
}

// libraryKey is a library in the set with a root, see [chain.LibrarySet].
type libraryKey struct{ root, hash chain.Hash }

func newShelf() *shelf {
	return &shelf{content: kept[chain.Hash, *cell.Cell](keptLibraries), public: kept[libraryKey, bool](keptLibraries)}
}

// libraryView is the public libraries as of one masterchain block. It is safe for concurrent use.
type libraryView struct {
	at chain.BlockIDExt

	mu      sync.Mutex
	root    *chain.Hash               // nil while it is not known
	libs    map[chain.Hash]*cell.Cell // nil for one that is proven not to be public
	assumed map[chain.Hash]time.Time  // libraries that nobody knows, until when
}

func newLibraryView(at chain.BlockIDExt) *libraryView {
	return &libraryView{at: at, libs: map[chain.Hash]*cell.Cell{}, assumed: map[chain.Hash]time.Time{}}
}

// Library implements [contract.Libraries]: it finds a library that was fetched.
func (l *libraryView) Library(hash chain.Hash) (*cell.Cell, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lib := l.libs[hash]
	return lib, lib != nil
}

// missing are those of which nothing is known.
func (l *libraryView) missing(hashes []chain.Hash) []chain.Hash {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.libs)+len(l.assumed) > keptLibraries {
		l.libs, l.assumed = map[chain.Hash]*cell.Cell{}, map[chain.Hash]time.Time{}
	}
	var list []chain.Hash
	for _, h := range hashes {
		if _, known := l.libs[h]; known {
			continue
		}
		if until, ok := l.assumed[h]; ok && time.Now().Before(until) {
			continue
		}
		list = append(list, h)
	}
	return list
}

// put adds what is known of libraries: a nil cell is a proven absence.
func (l *libraryView) put(found map[chain.Hash]*cell.Cell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.libs, found)
}

// knownRoot is the root of the set; nil while it is not known.
func (l *libraryView) knownRoot() *chain.Hash {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.root
}

func (l *libraryView) setRoot(root chain.Hash) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.root = &root
}

// fetchLibraries makes the libraries that cells need available in a view, as far as they are public as of its block. A
// node that cannot answer now is no reason to fail: the code may never get to its library.
func (x *executor) fetchLibraries(ctx context.Context, v *view, roots ...*cell.Cell) error {
	for range libraryRounds {
		hashes := contract.LibraryRefs(roots...)
		if missing := v.libraries.missing(hashes); len(missing) > 0 {
			if err := x.lookUpLibraries(ctx, v.libraries, missing); err != nil {
				return err
			}
		}
		roots = roots[:0:0]
		for _, h := range hashes {
			if lib, ok := v.libraries.Library(h); ok {
				roots = append(roots, lib)
			}
		}
		if len(roots) == 0 {
			return nil
		}
	}
	return nil
}

// lookUpLibraries finds libraries in the cache, the index and the node, in this order. What none of them proves is
// taken from the libraries that are known at all.
func (x *executor) lookUpLibraries(ctx context.Context, l *libraryView, missing []chain.Hash) error {
	if l.knownRoot() == nil {
		root, ok, err := x.svc.index.LibraryRoot(ctx, l.at.Seqno)
		if err != nil {
			return err
		}
		if ok {
			l.setRoot(root)
		}
	}
	if root := l.knownRoot(); root != nil {
		found, err := x.librariesIn(ctx, *root, missing)
		if err != nil {
			return err
		}
		l.put(found)
		missing = l.missing(missing)
	}
	if len(missing) > 0 && x.svc.node != nil {
		bounded, cancel := context.WithTimeout(ctx, libraryTime)
		set, err := x.svc.node.LibrariesAt(bounded, l.at, missing)
		cancel()
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("%d libraries: %w", len(missing), ctx.Err())
		case err != nil:
			x.svc.opts.Logger.Debug("libraries as of a block", "mc_seqno", l.at.Seqno, "count", len(missing), "err", err)
		default:
			l.setRoot(set.Root)
			l.put(x.shelf.keep(set, missing))
			return nil
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := x.libraries(ctx, missing)
	if err != nil {
		return err
	}
	l.put(found)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, h := range missing {
		if found[h] == nil {
			l.assumed[h] = time.Now().Add(absentFor)
		}
	}
	return nil
}

// keep caches what a node proved of libraries, and returns it with nil for those that are not public.
func (s *shelf) keep(set *chain.LibrarySet, hashes []chain.Hash) map[chain.Hash]*cell.Cell {
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	for _, h := range hashes {
		lib := set.Found[h]
		found[h] = lib
		s.public.Add(libraryKey{set.Root, h}, lib != nil)
		if lib != nil {
			s.content.Add(h, lib)
		}
	}
	return found
}

// librariesIn finds what cache and index know of libraries in the set with a root; nil for those that are not public.
func (x *executor) librariesIn(ctx context.Context, root chain.Hash, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	var missing []chain.Hash
	for _, h := range hashes {
		public, known := x.shelf.public.Get(libraryKey{root, h})
		lib, _ := x.shelf.content.Get(h)
		switch {
		case known && !public:
			found[h] = nil
		case known && lib != nil:
			found[h] = lib
		default:
			missing = append(missing, h)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	bags, err := x.svc.index.LibrariesOf(ctx, root, missing)
	if err != nil {
		return nil, err
	}
	for h, boc := range bags {
		x.shelf.public.Add(libraryKey{root, h}, boc != nil)
		if boc == nil {
			found[h] = nil
			continue
		}
		lib, err := cell.FromBOC(boc)
		if err != nil {
			return nil, fmt.Errorf("library %s of the index: %w", h, err)
		}
		x.shelf.content.Add(h, lib)
		found[h] = lib
	}
	return found, nil
}

// libraries finds libraries whatever block they were public at: in the index, then at the head of the network.
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
