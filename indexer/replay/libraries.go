package replay

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// mostScanned bounds the search for library cells below one root. Code is a few hundred cells.
const mostScanned = 4096

// libraryRefs lists the libraries that cells below root name.
func libraryRefs(root *cell.Cell) []chain.Hash {
	var refs []chain.Hash
	seen := map[cell.Hash]struct{}{}
	stack := []*cell.Cell{root}
	for len(stack) > 0 && len(seen) < mostScanned {
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

// libraryHash reads a library cell: a byte 2, then the hash.
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

// fetchLibraries makes the named libraries known, as far as the network has them, and counts those that were new.
func (n *Network) fetchLibraries(ctx context.Context, hashes []chain.Hash) (fetched int, err error) {
	missing := n.unknown(hashes)
	if len(missing) == 0 {
		return 0, nil
	}
	found, err := n.src.Libraries(ctx, missing)
	if err != nil {
		return 0, fmt.Errorf("%d libraries: %w", len(missing), err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, h := range missing {
		if lib, ok := found[h]; !ok || chain.Hash(lib.HashKey()) != h {
			n.absent[h] = struct{}{}
			continue
		}
		if err := n.addLibrary(h, found[h]); err != nil {
			return fetched, err
		}
		fetched++
	}
	return fetched, nil
}

// lookup gives those of the named libraries that are known.
func (n *Network) lookup(hashes []chain.Hash) map[chain.Hash]*cell.Cell {
	n.mu.Lock()
	defer n.mu.Unlock()
	found := map[chain.Hash]*cell.Cell{}
	for _, h := range hashes {
		if lib, ok := n.known[h]; ok {
			found[h] = lib
		}
	}
	return found
}

// unknown leaves what has neither been found nor asked for in vain. Both memories are bounded by starting afresh.
func (n *Network) unknown(hashes []chain.Hash) []chain.Hash {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known)+len(n.absent) > mostLibraries {
		n.known, n.absent = map[chain.Hash]*cell.Cell{}, map[chain.Hash]struct{}{}
		n.libraries, n.dict = cell.NewDict(256), nil
	}
	var missing []chain.Hash
	asked := map[chain.Hash]struct{}{}
	for _, h := range hashes {
		_, known := n.known[h]
		_, absent := n.absent[h]
		_, twice := asked[h]
		if !known && !absent && !twice {
			asked[h] = struct{}{}
			missing = append(missing, h)
		}
	}
	return missing
}

// publish makes libraries known that we saw an account of the masterchain publish. Their cells come out of an execution
// and still report to its machine when they are loaded; lanes that run in parallel need cells that report to nobody.
func (n *Network) publish(libs []*cell.Cell) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, executed := range libs {
		lib, err := cell.FromBOC(executed.ToBOCWithOptions(cell.BOCSerializeOptions{}))
		if err != nil {
			return fmt.Errorf("published library: %w", err)
		}
		h := chain.Hash(lib.HashKey())
		delete(n.absent, h)
		if err := n.addLibrary(h, lib); err != nil {
			return err
		}
	}
	return nil
}

// addLibrary files shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True), of which execution reads the cell only.
func (n *Network) addLibrary(h chain.Hash, lib *cell.Cell) error {
	if _, known := n.known[h]; known {
		return nil
	}
	key := cell.BeginCell().MustStoreSlice(h[:], 256).EndCell()
	descr := cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(lib).EndCell()
	if err := n.libraries.Set(key, descr); err != nil {
		return fmt.Errorf("library %s: %w", h.Hex(), err)
	}
	n.known[h] = lib
	n.dict = n.libraries.AsCell()
	return nil
}

// libraryDict is the collection for the TVM: empty or one dictionary. The cell never changes once handed out.
func (n *Network) libraryDict() []*cell.Cell {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dict == nil {
		return nil
	}
	return []*cell.Cell{n.dict}
}
