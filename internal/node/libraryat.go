package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// LibrariesAt fetches the public libraries in the state after a masterchain block, with proofs of presence or absence.
func (c *Client) LibrariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	if !at.IsMaster() {
		return nil, chain.Invalidf("block %s has no libraries: only masterchain blocks have them", at.BlockID)
	}
	if at.Seqno == 0 {
		return c.zeroLibraries(ctx, at, hashes)
	}
	set := &chain.LibrarySet{Found: map[chain.Hash]*cell.Cell{}}
	parts := slices.Collect(slices.Chunk(hashes, librariesPerQuery))
	if len(parts) == 0 {
		parts = [][]chain.Hash{nil}
	}
	for _, part := range parts {
		got, err := c.librariesAt(ctx, at, slices.Clone(part)) // a slow server may read them later
		if err != nil {
			return nil, err
		}
		set.Root = got.Root
		maps.Copy(set.Found, got.Found)
	}
	return set, nil
}

func (c *Client) librariesAt(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	list := make([][]byte, len(hashes))
	for i := range hashes {
		list[i] = hashes[i][:]
	}
	w := want{what: fmt.Sprintf("libraries after masterchain block %d", at.Seqno), seqno: at.Seqno, state: true, query: "GetLibrariesWithProof"}
	return query(ctx, c.pool, w, func(ctx context.Context, s *server) (set *chain.LibrarySet, err error) {
		result, err := call[ton.LibraryResultWithProof](ctx, s, ton.GetLibrariesWithProof{ID: toTL(at), LibraryList: list})
		if err != nil {
			return nil, err
		}
		err = believable("libraries", func() error {
			set, err = checkLibraries(at, hashes, result)
			return err
		})
		return set, err
	})
}

// checkLibraries follows the proof from the block to its state and to each library.
func checkLibraries(at chain.BlockIDExt, hashes []chain.Hash, r ton.LibraryResultWithProof) (*chain.LibrarySet, error) {
	if fromTL(r.ID) != at {
		return nil, lie(nil, "returned the libraries of another block than %s", at)
	}
	header, err := parseProof(r.StateProof)
	if err != nil {
		return nil, err
	}
	data, err := parseProof(r.DataProof)
	if err != nil {
		return nil, err
	}
	block, err := ton.CheckBlockProof(header, at.RootHash[:])
	if err != nil {
		return nil, err
	}
	update, err := block.StateUpdate.PeekRef(1)
	if err != nil {
		return nil, err
	}
	state, err := cell.UnwrapProof(data, update.Hash(0))
	if err != nil {
		return nil, err
	}
	given, err := openLibraries(r.Result, hashes)
	if err != nil {
		return nil, err
	}
	return librariesOf(state, hashes, func(h chain.Hash, _ *cell.Cell) (*cell.Cell, error) {
		lib, ok := given[h]
		if !ok {
			return nil, errors.New("a library is missing although the proof shows it")
		}
		return lib, nil
	})
}

// librariesOf looks libraries up in a masterchain state or in a proof of one. content returns the cells of a library
// that exists; a proof may contain only its hash.
func librariesOf(state *cell.Cell, hashes []chain.Hash, content func(chain.Hash, *cell.Cell) (*cell.Cell, error)) (*chain.LibrarySet, error) {
	dict, pruned, err := chain.LibraryDict(state)
	if err != nil {
		return nil, err
	}
	if pruned {
		return nil, errors.New("the proof leaves the libraries out")
	}
	set := &chain.LibrarySet{Root: chain.LibraryRoot(dict), Found: map[chain.Hash]*cell.Cell{}}
	if dict == nil {
		return set, nil
	}
	for _, h := range hashes {
		descr, err := dict.AsDict(256).LoadValue(cell.BeginCell().MustStoreSlice(h[:], 256).EndCell())
		if errors.Is(err, cell.ErrNoSuchKeyInDict) {
			continue // shown, not merely left out: a cut-off branch is another error
		}
		if err != nil {
			return nil, err
		}
		lib, err := sharedLibrary(descr)
		if err != nil {
			return nil, err
		}
		if chain.Hash(lib.HashKey(0)) != h {
			continue // the TVM does not accept such an entry as the library either
		}
		if set.Found[h], err = content(h, lib); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// sharedLibrary reads the cell of shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True).
func sharedLibrary(s *cell.Slice) (*cell.Cell, error) {
	tag, err := s.LoadUInt(2)
	if err != nil {
		return nil, err
	}
	if tag != 0 {
		return nil, fmt.Errorf("a library has the tag %d", tag)
	}
	return s.LoadRefCell()
}

func (c *Client) zeroLibraries(ctx context.Context, at chain.BlockIDExt, hashes []chain.Hash) (*chain.LibrarySet, error) {
	root, err := c.zerostate(ctx, at)
	if err != nil {
		return nil, err
	}
	var set *chain.LibrarySet
	err = believable("a zerostate", func() error {
		set, err = librariesOf(root, hashes, func(_ chain.Hash, lib *cell.Cell) (*cell.Cell, error) { return lib, nil })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("zerostate %s: %w", at, err)
	}
	return set, nil
}
