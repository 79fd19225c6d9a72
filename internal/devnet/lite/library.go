package lite

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	maxLibraries  = 16 // per query; more are ignored, as nodes do
	maxPublishers = 16 // per library in a proof
)

// Bits of getLibrariesWithProof.
const (
	libraryPublishers = 1 // the proof contains the publishers
	libraryNoData     = 2 // leave the libraries themselves out
)

func (a *api) getLibraries(q ton.GetLibraries) (tl.Serializable, error) {
	head, err := a.head()
	if err != nil {
		return nil, err
	}
	state, err := a.stateOf(head)
	if err != nil {
		return nil, err
	}
	found, err := findLibraries(state, libraryList(q.LibraryList), 0)
	if err != nil {
		return nil, err
	}
	entries, err := libraryEntries(found, true)
	return ton.LibraryResult{Result: entries}, err
}

func (a *api) getLibrariesWithProof(q ton.GetLibrariesWithProof) (tl.Serializable, error) {
	b, err := a.masterOf(q.ID)
	if err != nil {
		return nil, err
	}
	state, err := a.stateOf(b)
	if err != nil {
		return nil, err
	}
	var found []*cell.Cell
	proof, err := a.stateProof(b, state, func(root *cell.Cell) (err error) {
		found, err = findLibraries(root, libraryList(q.LibraryList), q.Mode)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := ton.LibraryResultWithProof{ID: b.ID.Copy(), Mode: q.Mode}
	if response.Result, err = libraryEntries(found, q.Mode&libraryNoData == 0); err != nil {
		return nil, err
	}
	if response.StateProof, err = boc(proof[0]); err != nil {
		return nil, err
	}
	response.DataProof, err = boc(proof[1])
	return response, err
}

// libraryList sorts the requested hashes and drops duplicates and hashes above the limit.
func libraryList(hashes [][]byte) [][]byte {
	list := slices.Clone(hashes[:min(len(hashes), maxLibraries)])
	slices.SortFunc(list, bytes.Compare)
	return slices.CompactFunc(list, bytes.Equal)
}

// findLibraries looks public libraries up in a masterchain state. The result omits those
// that do not exist.
func findLibraries(root *cell.Cell, hashes [][]byte, mode uint32) ([]*cell.Cell, error) {
	parts, err := openState(root)
	if err != nil {
		return nil, err
	}
	libs, err := openLibraries(parts.details)
	if err != nil || libs == nil {
		return nil, err
	}
	var found []*cell.Cell
	for _, hash := range hashes {
		v, err := lookup(libs, bytesKey(hash), 256)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		lib, err := openLibrary(v, mode)
		if err != nil {
			return nil, fmt.Errorf("library %X: %w", hash, err)
		}
		if bytes.Equal(lib.Hash(), hash) {
			found = append(found, lib)
		}
	}
	return found, nil
}

// openLibrary reads shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True).
func openLibrary(v *cell.Slice, mode uint32) (*cell.Cell, error) {
	tag, err := v.LoadUInt(2)
	if err != nil {
		return nil, err
	}
	if tag != 0 {
		return nil, fmt.Errorf("description tag %d", tag)
	}
	lib, err := v.LoadRefCell()
	if err != nil {
		return nil, err
	}
	if mode&libraryPublishers != 0 {
		publishers, err := v.ToCell() // an inline dictionary: its root is the rest of this slice
		if err != nil {
			return nil, err
		}
		if err := openPublishers(publishers); err != nil {
			return nil, err
		}
	}
	return untraced(lib), nil
}

func openPublishers(root *cell.Cell) error {
	it, err := root.AsDict(256).Iterator(false, false)
	if err != nil {
		return err
	}
	for n := 0; n < maxPublishers && it.Next(); n++ {
		continue // iterating over a key opens its cells
	}
	return it.Err()
}

func libraryEntries(found []*cell.Cell, withData bool) ([]*ton.LibraryEntry, error) {
	entries := make([]*ton.LibraryEntry, 0, len(found))
	for _, lib := range found {
		e := &ton.LibraryEntry{Hash: lib.Hash()}
		if withData {
			data, err := boc(lib)
			if err != nil {
				return nil, err
			}
			e.Data = data
		}
		entries = append(entries, e)
	}
	return entries, nil
}
