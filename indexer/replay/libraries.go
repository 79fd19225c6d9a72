package replay

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// maxScanned limits the search for library cells below one root. Code has a few hundred cells.
const maxScanned = 4096

// libraryRefs returns the hashes of the libraries that cells below root reference, at most limit.
func libraryRefs(root *cell.Cell, limit int) []chain.Hash {
	var refs []chain.Hash
	seen := map[cell.Hash]struct{}{}
	stack := []*cell.Cell{root}
	for len(stack) > 0 && len(seen) < maxScanned && len(refs) < limit {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c == nil {
			continue
		}
		key := c.HashKey()
		if _, again := seen[key]; again {
			continue
		}
		seen[key] = struct{}{}
		if c.IsSpecial() {
			if hash, ok := libraryHash(c); ok {
				refs = append(refs, hash)
			}
			continue
		}
		for i := range int(c.RefsNum()) {
			if ref, err := c.PeekRef(i); err == nil {
				stack = append(stack, ref)
			}
		}
	}
	return refs
}

// libraryHash reads the hash of a library cell: a byte 2, then the hash.
func libraryHash(c *cell.Cell) (h chain.Hash, ok bool) {
	if c.GetType() != cell.LibraryCellType {
		return h, false
	}
	s, err := c.BeginParse()
	if err != nil || s.SkipBits(8) != nil || s.LoadSliceInto(h[:], 256) != nil {
		return h, false
	}
	return h, true
}

// librarySet is the fetched part of one dictionary of public libraries. The mutex of the Network guards it.
type librarySet struct {
	key  setKey
	libs map[chain.Hash]*cell.Cell // nil for one that is not public
	dict *cell.Dictionary          // of those that are public, as the masterchain state keeps them
	root *cell.Cell                // of dict; nil while it is empty. It never changes once handed out.
}

// setKey identifies a set by the root of the complete dictionary. When no server proves the root any more, it identifies
// the set by the masterchain block.
type setKey struct {
	root    chain.Hash
	seqno   uint32 // with assumed
	assumed bool
}

func newLibrarySet(key setKey) *librarySet {
	return &librarySet{key: key, libs: map[chain.Hash]*cell.Cell{}, dict: cell.NewDict(256)}
}

// add adds a library, or with a nil lib its absence. The entry is shared_lib_descr$00 lib:^Cell
// publishers:(Hashmap 256 True), of which execution reads the cell only.
func (s *librarySet) add(h chain.Hash, lib *cell.Cell) error {
	if _, ok := s.libs[h]; ok {
		return nil
	}
	if lib != nil {
		key := cell.BeginCell().MustStoreSlice(h[:], 256).EndCell()
		descr := cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(lib).EndCell()
		if err := s.dict.Set(key, descr); err != nil {
			return fmt.Errorf("library %s: %w", h.Hex(), err)
		}
		s.root = s.dict.AsCell()
	}
	s.libs[h] = lib
	return nil
}

// LibraryView is the fetched public libraries at one masterchain block. It is safe for concurrent use.
type LibraryView struct {
	n  *Network
	at chain.BlockIDExt
}

// LibrariesAt returns the view at a masterchain block. Whether a library is public follows from the chain alone: it does not
// depend on later blocks, nor on the order in which blocks are read.
func (n *Network) LibrariesAt(at chain.BlockIDExt) *LibraryView { return &LibraryView{n: n, at: at} }

// Fetch adds the libraries that the view lacks, and reports whether there were any. When no server has the state after the
// block any more, Fetch uses the newest libraries of the network.
func (v *LibraryView) Fetch(ctx context.Context, hashes []chain.Hash) (fresh bool, err error) {
	missing := v.unknown(hashes)
	if len(missing) == 0 {
		return false, nil
	}
	set, err := v.n.src.LibrariesAt(ctx, v.at, missing)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		found, err := v.n.src.Libraries(ctx, missing)
		if err != nil {
			return false, fmt.Errorf("%d libraries: %w", len(missing), err)
		}
		return true, v.n.addLibraries(setKey{seqno: v.at.Seqno, assumed: true}, missing, found)
	}
	if err != nil {
		return false, fmt.Errorf("%d libraries at masterchain block %d: %w", len(missing), v.at.Seqno, err)
	}
	v.n.learnLibraries(v.at.Seqno, set.Root)
	return true, v.n.addLibraries(setKey{root: set.Root}, missing, set.Found)
}

// Root returns the root hash of the complete dictionary; ok is false when no server has it any more.
func (v *LibraryView) Root(ctx context.Context) (root chain.Hash, ok bool, err error) {
	if root, ok = v.n.libraryRoots.Get(v.at.Seqno); ok {
		return root, true, nil
	}
	set, err := v.n.src.LibrariesAt(ctx, v.at, nil)
	if err != nil && chain.KindOf(err) == chain.NotFound {
		return root, false, nil
	}
	if err != nil {
		return root, false, fmt.Errorf("libraries at masterchain block %d: %w", v.at.Seqno, err)
	}
	v.n.learnLibraries(v.at.Seqno, set.Root)
	return set.Root, true, nil
}

// Library returns a library that was fetched.
func (v *LibraryView) Library(h chain.Hash) (*cell.Cell, bool) {
	v.n.mu.Lock()
	defer v.n.mu.Unlock()
	set := v.set()
	if set == nil {
		return nil, false
	}
	lib := set.libs[h]
	return lib, lib != nil
}

// facts returns what is proven about libraries.
func (v *LibraryView) facts(hashes []chain.Hash) []chain.LibraryFact {
	v.n.mu.Lock()
	defer v.n.mu.Unlock()
	set := v.set()
	if set == nil || set.key.assumed {
		return nil
	}
	facts := make([]chain.LibraryFact, 0, len(hashes))
	for _, h := range hashes {
		if lib, ok := set.libs[h]; ok {
			facts = append(facts, chain.LibraryFact{Root: set.key.root, Hash: h, Public: lib != nil})
		}
	}
	return facts
}

// assumed reports whether the view has libraries that are not proven to be those of the block.
func (v *LibraryView) assumed() bool {
	v.n.mu.Lock()
	defer v.n.mu.Unlock()
	set := v.set()
	return set != nil && set.key.assumed
}

// collection returns the view for the TVM: nil or one dictionary.
func (v *LibraryView) collection() []*cell.Cell {
	v.n.mu.Lock()
	defer v.n.mu.Unlock()
	if set := v.set(); set != nil && set.root != nil {
		return []*cell.Cell{set.root}
	}
	return nil
}

// set returns the set of the view, or nil when nothing was fetched. The caller must have locked the mutex.
func (v *LibraryView) set() *librarySet {
	if root, ok := v.n.libraryRoots.Get(v.at.Seqno); ok {
		set, _ := v.n.librarySets.Get(setKey{root: root})
		return set
	}
	set, _ := v.n.librarySets.Get(setKey{seqno: v.at.Seqno, assumed: true})
	return set
}

// unknown returns the hashes that were not fetched for this view, each once.
func (v *LibraryView) unknown(hashes []chain.Hash) []chain.Hash {
	if len(hashes) == 0 {
		return nil
	}
	v.n.mu.Lock()
	defer v.n.mu.Unlock()
	set := v.set()
	var missing []chain.Hash
	queued := map[chain.Hash]struct{}{}
	for _, h := range hashes {
		if set != nil {
			if _, ok := set.libs[h]; ok {
				continue
			}
		}
		if _, twice := queued[h]; !twice {
			queued[h] = struct{}{}
			missing = append(missing, h)
		}
	}
	return missing
}

// learnLibraries caches the root of the libraries after a masterchain block.
func (n *Network) learnLibraries(seqno uint32, root chain.Hash) { n.libraryRoots.Add(seqno, root) }

// addLibraries adds fetched libraries to a set. It replaces a set that grew too large.
func (n *Network) addLibraries(key setKey, requested []chain.Hash, found map[chain.Hash]*cell.Cell) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	set, ok := n.librarySets.Get(key)
	if !ok || len(set.libs) > maxLibraries {
		set = newLibrarySet(key)
		n.librarySets.Add(key, set)
	}
	for _, h := range requested {
		lib := found[h]
		switch cached, ok := n.libraryCells.Get(h); {
		case lib == nil:
		case chain.Hash(lib.HashKey()) != h:
			lib = nil
		case ok:
			lib = cached // one copy for all sets
		default:
			if weight, ok := cellgraph.MemoryOf(lib, maxLibraryBytes/16); ok {
				n.libraryCells.Add(h, lib, weight)
			}
		}
		if err := set.add(h, lib); err != nil {
			return err
		}
	}
	return nil
}
