package emulate

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/weightedlru"
)

const (
	maxLibraries = 4096
	// absentTTL is the time after which a library is looked up again whose absence is not proven.
	absentTTL = 10 * time.Second
	// libraryTime bounds the wait for a proof; after it, libraries without a proof are used.
	libraryTime = 3 * time.Second
	// libraryRounds bounds the depth of libraries that refer to libraries.
	libraryRounds = 8
)

// libraryCache caches libraries for all Views. A library is identified by its hash, so its content never changes; whether it
// is public depends on the library dictionary.
type libraryCache struct {
	content *weightedlru.Cache[chain.Hash, *cell.Cell]
	public  *lru.Cache[libraryKey, bool]
}

// libraryKey identifies a library in the dictionary with a root, see [chain.LibrarySet].
type libraryKey struct{ root, hash chain.Hash }

func newLibraryCache() *libraryCache {
	return &libraryCache{content: weightedlru.New[chain.Hash, *cell.Cell](maxLibraries, maxLibraryBytes), public: newLRU[libraryKey, bool](maxLibraries)}
}

// blockLibraries holds the public libraries at one masterchain block. It is safe for concurrent use.
type blockLibraries struct {
	at chain.BlockIDExt

	mu      sync.Mutex
	root    *chain.Hash               // nil until it is read
	libs    map[chain.Hash]*cell.Cell // nil for a library proven not to be public
	assumed map[chain.Hash]time.Time  // libraries that were not found, and when to retry
}

func newBlockLibraries(at chain.BlockIDExt) *blockLibraries {
	return &blockLibraries{at: at, libs: map[chain.Hash]*cell.Cell{}, assumed: map[chain.Hash]time.Time{}}
}

// Library implements [contract.Libraries]: it returns a library that was fetched.
func (l *blockLibraries) Library(hash chain.Hash) (*cell.Cell, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lib := l.libs[hash]
	return lib, lib != nil
}

// missing returns the hashes that must be looked up.
func (l *blockLibraries) missing(hashes []chain.Hash) []chain.Hash {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.libs)+len(l.assumed) > maxLibraries {
		l.libs, l.assumed = map[chain.Hash]*cell.Cell{}, map[chain.Hash]time.Time{}
	}
	var list []chain.Hash
	for _, h := range hashes {
		if _, ok := l.libs[h]; ok {
			continue
		}
		if until, ok := l.assumed[h]; ok && time.Now().Before(until) {
			continue
		}
		list = append(list, h)
	}
	return list
}

// put adds libraries; a nil cell is a proven absence.
func (l *blockLibraries) put(found map[chain.Hash]*cell.Cell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.libs, found)
}

// cachedRoot returns the root of the library dictionary; nil until it is read.
func (l *blockLibraries) cachedRoot() *chain.Hash {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.root
}

func (l *blockLibraries) setRoot(root chain.Hash) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.root = &root
}

// fetchLibraries loads the public libraries that cells refer to into a View. An unreachable node is not an error: the code
// may never load its library.
func (x *Emulator) fetchLibraries(ctx context.Context, v *View, roots ...*cell.Cell) error {
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

// lookUpLibraries reads libraries from the cache, the index and the node, in this order. A library that none of them proves
// is taken from any block at which it was public.
func (x *Emulator) lookUpLibraries(ctx context.Context, l *blockLibraries, missing []chain.Hash) error {
	if l.cachedRoot() == nil {
		root, ok, err := x.index.LibraryRoot(ctx, l.at.Seqno)
		if err != nil {
			return err
		}
		if ok {
			l.setRoot(root)
		}
	}
	if root := l.cachedRoot(); root != nil {
		found, err := x.librariesIn(ctx, *root, missing)
		if err != nil {
			return err
		}
		l.put(found)
		missing = l.missing(missing)
	}
	if len(missing) > 0 && x.node != nil {
		bounded, cancel := context.WithTimeout(ctx, libraryTime)
		set, err := x.node.LibrariesAt(bounded, l.at, missing)
		cancel()
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("%d libraries: %w", len(missing), ctx.Err())
		case err != nil:
			x.log.Debug("libraries at a block not proven", "mc_seqno", l.at.Seqno, "count", len(missing), "err", err)
		default:
			l.setRoot(set.Root)
			l.put(x.libraryCache.add(set, missing))
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
			l.assumed[h] = time.Now().Add(absentTTL)
		}
	}
	return nil
}

// add caches the libraries that a node proved and returns them, with nil for those that are not public.
func (s *libraryCache) add(set *chain.LibrarySet, hashes []chain.Hash) map[chain.Hash]*cell.Cell {
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	for _, h := range hashes {
		lib := set.Found[h]
		found[h] = lib
		s.public.Add(libraryKey{set.Root, h}, lib != nil)
		if lib != nil {
			s.keep(h, lib)
		}
	}
	return found
}

// keep caches a library, unless it is large.
func (s *libraryCache) keep(h chain.Hash, lib *cell.Cell) {
	if weight, ok := cellgraph.MemoryOf(lib, maxLibraryBytes/16); ok {
		s.content.Add(h, lib, weight)
	}
}

// librariesIn reads libraries of the dictionary with a root from the cache and the index; nil for those that are not public.
func (x *Emulator) librariesIn(ctx context.Context, root chain.Hash, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	var missing []chain.Hash
	for _, h := range hashes {
		public, cached := x.libraryCache.public.Get(libraryKey{root, h})
		lib, _ := x.libraryCache.content.Get(h)
		switch {
		case cached && !public:
			found[h] = nil
		case cached && lib != nil:
			found[h] = lib
		default:
			missing = append(missing, h)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	bags, err := x.index.LibrariesOf(ctx, root, missing)
	if err != nil {
		return nil, err
	}
	for h, boc := range bags {
		x.libraryCache.public.Add(libraryKey{root, h}, boc != nil)
		if boc == nil {
			found[h] = nil
			continue
		}
		lib, err := cell.FromBOC(boc)
		if err != nil {
			return nil, fmt.Errorf("library %s of the index: %w", h, err)
		}
		x.libraryCache.keep(h, lib)
		found[h] = lib
	}
	return found, nil
}

// libraries reads libraries that were public at any block: from the index, then from the head of the network.
func (x *Emulator) libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	bags, err := x.index.Libraries(ctx, hashes)
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
	if len(missing) == 0 || x.node == nil {
		return found, nil
	}
	more, err := x.node.Libraries(ctx, missing)
	if err != nil {
		x.log.Warn("reading libraries from the node failed", "count", len(missing), "err", err)
		return found, nil
	}
	maps.Copy(found, more)
	return found, nil
}

// PublicLibraries returns the libraries among hashes that are public at a View; others are absent.
func (x *Emulator) PublicLibraries(ctx context.Context, v *View, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	if missing := v.libraries.missing(hashes); len(missing) > 0 {
		if err := x.lookUpLibraries(ctx, v.libraries, missing); err != nil {
			return nil, err
		}
	}
	found := make(map[chain.Hash]*cell.Cell, len(hashes))
	for _, h := range hashes {
		if lib, ok := v.libraries.Library(h); ok {
			found[h] = lib
		}
	}
	return found, nil
}
