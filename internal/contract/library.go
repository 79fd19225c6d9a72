package contract

import (
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

const (
	maxLibraryDepth = 8    // libraries that are library cells themselves
	maxCodeCells    = 4096 // cells that are searched for library cells
	maxNamed        = 64   // libraries that one search returns: each may cost a query to the network
)

// MaxLibraries is how many libraries the get-methods of a code have: first those that it references, then those that these reference. The
// TVM loads at most 8 in one run.
const MaxLibraries = 16

// libraryHash returns the hash in a library cell.
//
//	library_cell#02 hash:bits256 = Cell;
func libraryHash(c *cell.Cell) (chain.Hash, bool) {
	if c == nil || c.GetType() != cell.LibraryCellType || c.BitsSize() != 8+256 {
		return chain.Hash{}, false
	}
	s, err := c.BeginParse()
	if err != nil {
		return chain.Hash{}, false
	}
	data, err := s.LoadSlice(8 + 256)
	if err != nil {
		return chain.Hash{}, false
	}
	return chain.HashFrom(data[1:]), true
}

// LibraryRefs returns the libraries that trees of cells need, each once. Those of the first tree come first, so that a
// message cannot displace those of the code. The search is bounded: libraries after thousands of cells or dozens of
// other libraries are not found.
func LibraryRefs(roots ...*cell.Cell) []chain.Hash {
	var found []chain.Hash
	seen := map[cell.Hash]struct{}{}
	todo := slices.Clone(roots)
	slices.Reverse(todo)
	for len(todo) > 0 && len(seen) < maxCodeCells && len(found) < maxNamed {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if c == nil {
			continue
		}
		key := c.HashKey()
		if _, ok := seen[key]; ok {
			continue
		}
		seen[key] = struct{}{}
		if hash, ok := libraryHash(c); ok {
			found = append(found, hash)
			continue
		}
		for i := range int(c.RefsNum()) {
			if ref, err := c.PeekRef(i); err == nil {
				todo = append(todo, ref)
			}
		}
	}
	return found
}

// Resolve returns the cell that a library cell refers to, and any other cell itself; false when the library does not
// exist.
func Resolve(c *cell.Cell, libs Libraries) (*cell.Cell, bool) {
	for range maxLibraryDepth {
		hash, ok := libraryHash(c)
		if !ok {
			return c, c != nil
		}
		if libs == nil {
			return nil, false
		}
		if c, ok = libs.Library(hash); !ok {
			return nil, false
		}
	}
	return nil, false
}

// libraryDict returns the dictionary of the libraries that trees of cells need, in the form of the TVM. needs lists
// them, including those that do not exist, and found has a bit for each that does. Libraries may need other libraries.
//
//	shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr;
func libraryDict(libs Libraries, roots ...*cell.Cell) (root *cell.Cell, needs []chain.Hash, found uint32) {
	dict := cell.NewDict(256)
	needs = LibraryRefs(roots...)
	needs = needs[:min(MaxLibraries, len(needs))]
	for i := 0; i < len(needs) && libs != nil; i++ {
		lib, ok := libs.Library(needs[i])
		if !ok {
			continue
		}
		found |= 1 << i
		key := cell.BeginCell().MustStoreSlice(needs[i][:], 256).EndCell()
		if err := dict.Set(key, cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(lib).EndCell()); err != nil {
			continue
		}
		for _, inner := range LibraryRefs(lib) {
			if len(needs) < MaxLibraries && !slices.Contains(needs, inner) {
				needs = append(needs, inner)
			}
		}
	}
	if dict.IsEmpty() {
		return nil, needs, found
	}
	return dict.AsCell(), needs, found
}
