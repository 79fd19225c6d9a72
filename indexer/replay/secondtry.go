package replay

import (
	"context"
	"errors"

	"tonql/internal/chain"
)

// libraryRounds bounds libraries that name libraries.
const libraryRounds = 8

// prepareLibraries fetches what the code of the accounts and the in-messages name, before anything is executed. (Data may
// hold library cells too, but is rarely executed: see secondTry.)
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

// fetchLibraries makes libraries known as of a block, and those that they name; what they are becomes rows. It reports
// whether any of them was not known before.
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

// secondTry looks for reasons outside the contract why a transaction did not replay, and returns another context when it
// finds one: a library that only data names or that only a new code names, or a configuration changed without a key
// block.
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

// withFreshConfig asks for the configuration at the very block the context builds on, once for all its transactions. It
// is nil when that is the one in use, or is not to be had.
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

// librariesOfState lists what code and data of the account name, as they are now.
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
