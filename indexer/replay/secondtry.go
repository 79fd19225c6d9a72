package replay

import (
	"context"
	"errors"

	"tonql/internal/chain"
)

// libraryRounds limits chains of libraries that reference libraries.
const libraryRounds = 8

// prepareLibraries fetches the libraries that the code of the accounts and the in-messages reference, before the execution.
// (Data may contain library cells as well, but is rarely executed: see secondTry.)
func (r *Replayer) prepareLibraries(ctx context.Context, lanes []*lane) error {
	named := map[*blockContext][]chain.Hash{}
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
				named[bc] = append(named[bc], code...)
			}
			if in := l.m.Cells[l.steps[i].index].InMsg; in != nil {
				named[bc] = append(named[bc], libraryRefs(in)...)
			}
		}
	}
	for bc, hashes := range named {
		if _, err := r.fetchLibraries(ctx, bc.libs, hashes); err != nil {
			return err
		}
	}
	return nil
}

// fetchLibraries fetches libraries at a block, and those that they reference, and records them for the rows. It reports
// whether any of them is new.
func (r *Replayer) fetchLibraries(ctx context.Context, view *LibraryView, hashes []chain.Hash) (fresh bool, err error) {
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
		hashes = inner
	}
	return fresh, nil
}

// secondTry returns another context for a transaction that did not replay, or nil. The context is another one when only the
// data or a new code references a library, or when the configuration changed without a key block.
func (l *lane) secondTry(ctx context.Context, i int) (*blockContext, error) {
	bc := l.context(i)
	fetched, err := l.r.fetchLibraries(ctx, bc.libs, l.librariesOfState())
	if err != nil {
		return nil, err
	}
	fresh, err := bc.withFreshConfig(ctx, l.r.net)
	if err != nil || fresh != nil {
		return fresh, err
	}
	if fetched {
		return bc, nil
	}
	return nil, nil
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

// librariesOfState returns the libraries that the present code and data of the account reference.
func (l *lane) librariesOfState() []chain.Hash {
	st := l.state.prepared.State()
	if st == nil || st.StateInit == nil {
		return nil
	}
	var hashes []chain.Hash
	if code := st.StateInit.Code; code != nil {
		hashes = append(hashes, libraryRefs(code)...)
	}
	if data := st.StateInit.Data; data != nil {
		hashes = append(hashes, libraryRefs(data)...)
	}
	return hashes
}
