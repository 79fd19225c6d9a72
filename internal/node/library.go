package node

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

const (
	// librariesPerQuery is the number of libraries that liteservers return at most.
	librariesPerQuery = 16
	// librarySecondOpinions is the number of servers that must lack a library before it counts as nonexistent.
	librarySecondOpinions = 3
)

// Libraries fetches public libraries by hash. Their hashes prove them. A library counts as nonexistent when several
// servers do not have it.
func (c *Client) Libraries(ctx context.Context, hashes []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	found := map[chain.Hash]*cell.Cell{}
	for part := range slices.Chunk(hashes, librariesPerQuery) {
		missing := slices.Clone(part)
		queried := map[*server]bool{}
		for len(missing) > 0 && len(queried) < librarySecondOpinions {
			got, err := c.someLibraries(ctx, missing, queried)
			if err != nil {
				return nil, err
			}
			if got == nil {
				break // every server has been queried
			}
			missing = slices.DeleteFunc(missing, func(h chain.Hash) bool {
				lib, ok := got[h]
				if ok {
					found[h] = lib
				}
				return ok
			})
		}
	}
	return found, nil
}

// someLibraries queries one server that is not in queried and adds it; it returns nil when there is none left.
func (c *Client) someLibraries(ctx context.Context, hashes []chain.Hash, queried map[*server]bool) (map[chain.Hash]*cell.Cell, error) {
	hashes, before := slices.Clone(hashes), maps.Clone(queried) // a slow server may read them later
	list := make([][]byte, len(hashes))
	for i := range hashes {
		list[i] = hashes[i][:]
	}
	w := want{what: fmt.Sprintf("%d libraries", len(hashes))}
	if len(queried) > 0 && !slices.ContainsFunc(c.pool.order(w), func(s *server) bool { return !queried[s] }) {
		return nil, nil
	}
	a, err := query(ctx, c.pool, w, func(ctx context.Context, s *server) (a libraryResponse, err error) {
		if before[s] {
			return a, &absentError{class: absent, text: "queried before"}
		}
		result, err := call[ton.LibraryResult](ctx, s, ton.GetLibraries{LibraryList: list})
		if err != nil {
			return a, err
		}
		a.by = s
		err = believable("libraries", func() (err error) {
			a.found, err = openLibraries(result.Result, hashes)
			return err
		})
		return a, err
	})
	if len(queried) > 0 && chain.KindOf(err) == chain.NotFound {
		return nil, nil // the remaining server has just been set aside
	}
	if err != nil {
		return nil, err
	}
	queried[a.by] = true
	return a.found, nil
}

// libraryResponse lists the libraries that one server returned.
type libraryResponse struct {
	by    *server
	found map[chain.Hash]*cell.Cell
}

// openLibraries parses libraries, of which each is one of the requested ones and comes once.
func openLibraries(list []*ton.LibraryEntry, requested []chain.Hash) (map[chain.Hash]*cell.Cell, error) {
	found := map[chain.Hash]*cell.Cell{}
	for _, entry := range list {
		hash := chain.HashFrom(entry.Hash)
		if _, again := found[hash]; again || !slices.Contains(requested, hash) {
			return nil, lie(nil, "returned a library that was not requested")
		}
		lib, err := openLibrary(entry)
		if err != nil {
			return nil, err
		}
		found[hash] = lib
	}
	return found, nil
}

// openLibrary parses a library and compares it with its hash. Some servers wrap it in empty cells.
func openLibrary(entry *ton.LibraryEntry) (*cell.Cell, error) {
	root, err := parseProof(entry.Data)
	if err != nil {
		return nil, err
	}
	for {
		if chain.Hash(root.HashKey()) == chain.HashFrom(entry.Hash) {
			return root, nil
		}
		if root.BitsSize() != 0 || root.RefsNum() != 1 || root.IsSpecial() {
			return nil, lie(nil, "returned a library that does not have its hash")
		}
		if root, err = root.PeekRef(0); err != nil {
			return nil, err
		}
	}
}
