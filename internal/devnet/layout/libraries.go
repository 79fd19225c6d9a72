package layout

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Serialize makes the BoC of a block or state whose SHA-256 is its file hash: the
// reference node's mode 31 (index, checksum, root and inner hashes, cache bits).
func Serialize(root *cell.Cell) ([]byte, error) {
	return root.ToBOCWithOptionsErr(cell.BOCSerializeOptions{
		WithCRC32C: true, WithIndex: true, WithCacheBits: true, WithTopHash: true, WithIntHashes: true,
	})
}

// Publish updates the masterchain's libraries (HashmapE 256 LibDescr) after an
// account's own dictionary (HashmapE 256 SimpleLib) changed from before to after.
// Only public entries count.
func Publish(libraries *cell.Dictionary, publisher []byte, before, after *cell.Dictionary) error {
	was, err := publicLibraries(before)
	if err != nil {
		return err
	}
	is, err := publicLibraries(after)
	if err != nil {
		return err
	}
	for _, lib := range was.order {
		if is.code[lib] == nil {
			if err := unpublish(libraries, lib, publisher); err != nil {
				return err
			}
		}
	}
	for _, lib := range is.order {
		if was.code[lib] == nil {
			if err := publish(libraries, lib, is.code[lib], publisher); err != nil {
				return err
			}
		}
	}
	return nil
}

// librarySet keeps dictionary order, so that changes are applied in it.
type librarySet struct {
	order []cell.Hash
	code  map[cell.Hash]*cell.Cell
}

func publicLibraries(d *cell.Dictionary) (librarySet, error) {
	set := librarySet{code: map[cell.Hash]*cell.Cell{}}
	if d == nil || d.IsEmpty() {
		return set, nil
	}
	kvs, err := d.LoadAll()
	if err != nil {
		return set, fmt.Errorf("account libraries: %w", err)
	}
	for _, kv := range kvs {
		k, v := reader{s: kv.Key}, reader{s: kv.Value}
		hash, public, code := k.bytes(32), v.bool(), v.ref()
		if k.err != nil || v.err != nil {
			return set, fmt.Errorf("account libraries are malformed")
		}
		// An entry whose key is not the hash of its cell is never published.
		if h := cell.Hash(hash); public && h == code.HashKey() {
			set.order = append(set.order, h)
			set.code[h] = code
		}
	}
	return set, nil
}

func publish(libraries *cell.Dictionary, hash cell.Hash, code *cell.Cell, publisher []byte) error {
	key := cell.BeginCell().MustStoreSlice(hash[:], 256).EndCell()
	publishers := cell.NewDict(256)
	if old, err := libraries.LoadValue(key); err == nil {
		if code, publishers, err = parseLibrary(old); err != nil {
			return err
		}
	}
	if err := publishers.Set(cell.BeginCell().MustStoreSlice(publisher, 256).EndCell(), cell.BeginCell().EndCell()); err != nil {
		return err
	}
	return libraries.Set(key, libraryCell(code, publishers))
}

func unpublish(libraries *cell.Dictionary, hash cell.Hash, publisher []byte) error {
	key := cell.BeginCell().MustStoreSlice(hash[:], 256).EndCell()
	old, err := libraries.LoadValue(key)
	if err != nil {
		return fmt.Errorf("library %x is not published: %w", hash[:], err)
	}
	code, publishers, err := parseLibrary(old)
	if err != nil {
		return err
	}
	if err := publishers.Delete(cell.BeginCell().MustStoreSlice(publisher, 256).EndCell()); err != nil {
		return err
	}
	if publishers.IsEmpty() {
		return libraries.Delete(key)
	}
	return libraries.Set(key, libraryCell(code, publishers))
}

// libraryCell is shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True).
func libraryCell(code *cell.Cell, publishers *cell.Dictionary) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(code).MustStoreBuilder(publishers.AsCell().ToBuilder()).EndCell()
}

func parseLibrary(s *cell.Slice) (*cell.Cell, *cell.Dictionary, error) {
	r := reader{s: s}
	r.uint(2)
	code := r.ref()
	if r.err != nil {
		return nil, nil, fmt.Errorf("library description: %w", r.err)
	}
	root, err := s.ToCell()
	if err != nil {
		return nil, nil, err
	}
	return code, root.AsDict(256), nil
}
