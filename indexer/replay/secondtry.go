package replay

import (
	"context"
	"errors"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// prepareLibraries makes known what the code of the accounts and the in-messages name, before anything is executed.
// (Data may hold library cells too, but is rarely executed: see secondTry.)
func (r *Replayer) prepareLibraries(ctx context.Context, lanes []*lane) error {
	var hashes []chain.Hash
	for _, l := range lanes {
		if l.state != nil {
			hashes = append(hashes, r.codes.libraries(l.state)...)
		}
		for i := range l.steps {
			if in := l.m.Cells[l.steps[i].index].InMsg; in != nil {
				hashes = append(hashes, libraryRefs(in)...)
			}
		}
	}
	if _, err := r.net.fetchLibraries(ctx, hashes); err != nil {
		return err
	}
	r.codes.note(r.net.lookup(hashes))
	return nil
}

// secondTry looks for reasons outside the contract why a transaction did not replay, and gives another context when it
// finds one: a library that only data names, or a configuration changed without a key block.
func (l *lane) secondTry(ctx context.Context, i int) (*tvm.BlockContext, error) {
	bc := l.context(i)
	named := l.librariesInData()
	fetched, err := l.r.net.fetchLibraries(ctx, named)
	if err != nil {
		return nil, err
	}
	l.r.codes.note(l.r.net.lookup(named))
	fresh, err := bc.withFreshConfig(ctx, l.r.net)
	if err != nil || fetched == 0 {
		return fresh, err
	}
	other := &blockContext{header: bc.header, at: bc.at, config: bc.config}
	if fresh != nil {
		other.config = fresh.Config()
	}
	err = other.build(ctx, l.r.net)
	return other.exec, err
}

// withFreshConfig asks for the configuration at the very block the context builds on, once for all its transactions. It
// is nil when that is the one in use, or is not to be had.
func (bc *blockContext) withFreshConfig(ctx context.Context, n *Network) (*tvm.BlockContext, error) {
	bc.second.Do(func() {
		config, err := n.freshConfig(ctx, bc.at)
		if errors.Is(err, errNoConfig) || err != nil && chain.KindOf(err) == chain.NotFound {
			return
		}
		if err != nil || config.Root().HashKey() == bc.config.Root().HashKey() {
			bc.failed = err
			return
		}
		other := &blockContext{header: bc.header, at: bc.at, config: config}
		bc.failed = other.build(ctx, n)
		bc.fresh = other.exec
	})
	return bc.fresh, bc.failed
}

func (l *lane) librariesInData() []chain.Hash {
	st := l.state.prepared.State()
	if st == nil || st.StateInit == nil || st.StateInit.Data == nil {
		return nil
	}
	return libraryRefs(st.StateInit.Data)
}

// publishLibraries makes the public libraries of masterchain accounts known to later blocks.
func (r *Replayer) publishLibraries(lanes []*lane) error {
	var libs []*cell.Cell
	for _, l := range lanes {
		for i := range l.steps {
			if after := l.steps[i].after; l.account.Workchain == chain.MasterchainID && after != nil {
				libs = append(libs, publicLibraries(after)...)
			}
		}
	}
	if len(libs) == 0 {
		return nil
	}
	return r.net.publish(libs)
}
