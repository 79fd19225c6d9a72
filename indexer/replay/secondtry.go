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
	bc := *l.context(i)
	named := l.librariesInData()
	fetched, err := l.r.net.fetchLibraries(ctx, named)
	if err != nil {
		return nil, err
	}
	found := l.r.net.lookup(named)
	l.r.codes.note(found)
	fresh, err := l.r.net.freshConfig(ctx, bc.at)
	switch {
	case errors.Is(err, errNoConfig), err != nil && chain.KindOf(err) == chain.NotFound:
		fresh = bc.config
	case err != nil:
		return nil, err
	}
	if fetched == 0 && fresh.Root().HashKey() == bc.config.Root().HashKey() {
		return nil, nil
	}
	bc.config = fresh
	if err := bc.build(ctx, l.r.net); err != nil {
		return nil, err
	}
	return bc.exec, nil
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
