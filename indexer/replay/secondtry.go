package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// Anyone can name libraries, in code, data and messages, and each that was not fetched yet costs a part of a query to the network. So before the
// execution only some are fetched, and the others when a transaction does not replay.
const (
	// libraryRounds limits chains of libraries that reference libraries.
	libraryRounds = 8
	// maxNamed is how many libraries of one code or message are fetched before the execution.
	maxNamed = 64
	// maxPrepared is how many libraries of the codes of a masterchain block are fetched before the execution, and how many of its messages.
	maxPrepared = 1024
	// maxSecond is how many libraries are fetched for a transaction that did not replay.
	maxSecond = 256
	// maxSecondOfBlock is how many libraries are fetched for all such transactions of a masterchain block.
	maxSecondOfBlock = 1024
)

// errLibraries is the reason for which a transaction is not verified: it did not replay, and may need a library that was not fetched.
var errLibraries = &boundedvm.Exceeded{
	Resource: "cells", Limit: fmt.Sprintf("%d libraries of a transaction, or %d of those of a masterchain block", maxSecond, maxSecondOfBlock),
}

// namedLibraries are libraries by the block whose transactions name them, each once.
type namedLibraries struct {
	left   int
	seen   map[*blockContext]map[chain.Hash]bool
	hashes map[*blockContext][]chain.Hash
}

func newNamedLibraries(limit int) *namedLibraries {
	return &namedLibraries{left: limit, seen: map[*blockContext]map[chain.Hash]bool{}, hashes: map[*blockContext][]chain.Hash{}}
}

func (n *namedLibraries) add(bc *blockContext, hashes []chain.Hash) {
	if n.seen[bc] == nil {
		n.seen[bc] = map[chain.Hash]bool{}
	}
	for _, h := range hashes {
		if n.left > 0 && !n.seen[bc][h] {
			n.seen[bc][h] = true
			n.hashes[bc] = append(n.hashes[bc], h)
			n.left--
		}
	}
}

// prepareLibraries fetches the libraries that the code of the accounts and the in-messages reference, before the execution.
// (Data may contain library cells as well, but is rarely executed: see secondTry.) Which are left out follows from the block alone.
func (r *Replayer) prepareLibraries(ctx context.Context, lanes []*lane) error {
	r.secondLeft.Store(maxSecondOfBlock)
	codes, messages := newNamedLibraries(maxPrepared), newNamedLibraries(maxPrepared)
	for _, l := range lanes {
		var code []chain.Hash
		if l.state != nil {
			code = r.codes.libraries(l.state)
		}
		for i := range l.steps {
			bc := l.context(i)
			if bc.why != "" {
				continue
			}
			if i == 0 || bc != l.context(i-1) {
				codes.add(bc, code)
			}
			if in := l.m.Cells[l.steps[i].index].InMsg; in != nil {
				messages.add(bc, libraryRefs(in, maxNamed))
			}
		}
	}
	for _, named := range []*namedLibraries{codes, messages} {
		for bc, hashes := range named.hashes {
			if _, err := r.fetchLibraries(ctx, bc.libs, hashes, maxPrepared); err != nil {
				return err
			}
		}
	}
	return nil
}

// fetchLibraries fetches libraries at a block, and those that they reference up to a limit, and records them for the rows. It reports
// whether any of them is new.
func (r *Replayer) fetchLibraries(ctx context.Context, view *LibraryView, hashes []chain.Hash, limit int) (fresh bool, err error) {
	for range libraryRounds {
		if len(hashes) == 0 {
			break
		}
		more, err := view.Fetch(ctx, hashes)
		if err != nil {
			return false, err
		}
		fresh = fresh || more
		r.codes.note(view, hashes)
		var inner []chain.Hash
		for _, h := range hashes {
			if lib, ok := view.Library(h); ok {
				inner = append(inner, r.codes.named(lib)...)
			}
		}
		hashes = inner[:min(limit, len(inner))]
		limit -= len(hashes)
	}
	return fresh, nil
}

// secondTry returns another context for a transaction that did not replay, or nil. The context is another one when only the
// data or a new code references a library, or when the configuration changed without a key block. lacking reports that a library may be
// missing all the same.
func (l *lane) secondTry(ctx context.Context, i int) (other *blockContext, lacking bool, err error) {
	bc := l.context(i)
	named := l.librariesOfStep(i)
	hashes, lacking := l.r.take(bc.libs.unknown(named))
	fetched, err := l.r.fetchLibraries(ctx, bc.libs, hashes, maxNamed)
	if err != nil {
		return nil, false, err
	}
	l.r.codes.note(bc.libs, named) // also those that were fetched for another transaction
	fresh, err := bc.withFreshConfig(ctx, l.r.net)
	if err != nil || fresh != nil {
		return fresh, lacking, err
	}
	if fetched {
		return bc, lacking, nil
	}
	return nil, lacking, nil
}

// take returns the libraries that may be fetched for a transaction that did not replay, and whether these are not all.
func (r *Replayer) take(hashes []chain.Hash) (allowed []chain.Hash, lacking bool) {
	allowed = hashes[:min(maxSecond, len(hashes))]
	if left := r.secondLeft.Add(-int64(len(allowed))); left < 0 {
		allowed = allowed[:max(0, len(allowed)+int(left))]
	}
	return allowed, len(allowed) < len(hashes)
}

// withFreshConfig fetches the configuration at the block that the context builds on, once for all its transactions. It
// returns nil when this is the configuration in use, or is not available.
func (bc *blockContext) withFreshConfig(ctx context.Context, n *Network) (*blockContext, error) {
	bc.second.Do(func() {
		config, err := n.freshConfig(ctx, bc.at)
		if errors.Is(err, errNoConfig) || err != nil && chain.KindOf(err) == chain.NotFound {
			return
		}
		if err != nil || config.Root().HashKey() == bc.config.Root().HashKey() {
			bc.failed = err
			return
		}
		other := &blockContext{header: bc.header, at: bc.at, config: config, libs: bc.libs}
		bc.failed = other.build(ctx, n)
		bc.fresh = other
	})
	return bc.fresh, bc.failed
}

// librariesOfStep returns the libraries that the present code and data of the account reference, then those of the message.
func (l *lane) librariesOfStep(i int) []chain.Hash {
	var hashes []chain.Hash
	if st := l.state.prepared.State(); st != nil && st.StateInit != nil {
		for _, root := range []*cell.Cell{st.StateInit.Code, st.StateInit.Data} {
			hashes = append(hashes, libraryRefs(root, maxScanned)...)
		}
	}
	if in := l.m.Cells[l.steps[i].index].InMsg; in != nil {
		hashes = append(hashes, libraryRefs(in, maxScanned)...)
	}
	return hashes
}
