package detect

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // every family is asked
)

// keptRefs bounds the memory of which libraries a code names.
const keptRefs = 1 << 14

// Detector is what all batches of one network share. It is safe for concurrent use.
type Detector struct {
	opts  Options
	src   chain.Source
	net   *replay.Network
	quick *contract.Machine
	full  *contract.Machine
	refs  *lru.Cache[chain.Hash, []chain.Hash] // by code
}

// New makes a Detector. Close it to wait for contracts that still run.
func New(src chain.Source, net *replay.Network, opts Options) *Detector {
	opts = opts.withDefaults()
	quick := opts.Budget
	quick.Gas, quick.TotalGas = opts.QuickGas, opts.QuickGas
	refs, _ := lru.New[chain.Hash, []chain.Hash](keptRefs) // the size is a positive constant
	return &Detector{
		opts: opts, src: src, net: net, refs: refs,
		quick: contract.NewMachine(contract.Options{Budget: quick, Parallel: opts.Workers}),
		full:  contract.NewMachine(contract.Options{Budget: opts.Budget, Parallel: opts.Workers}),
	}
}

// Close waits for the runs that were given up to end by their gas. The Detector must not be used afterwards.
func (d *Detector) Close() {
	d.quick.Close()
	d.full.Close()
}

// fetchLibraries makes known the libraries that a code needs as of a block, those inside libraries included, as far as
// they exist.
func (d *Detector) fetchLibraries(ctx context.Context, view *replay.LibraryView, code *cell.Cell) error {
	if code == nil {
		return nil
	}
	const deepest = 8 // libraries that need libraries
	todo := d.refsOf(code)
	for range deepest {
		if len(todo) == 0 {
			return nil
		}
		if _, err := view.Fetch(ctx, todo); err != nil {
			return fmt.Errorf("libraries of code %s: %w", chain.Hash(code.HashKey()).Hex(), err)
		}
		var inner []chain.Hash
		for _, h := range todo {
			if lib, ok := view.Library(h); ok {
				inner = append(inner, d.refsOf(lib)...)
			}
		}
		todo = inner
	}
	return nil
}

func (d *Detector) refsOf(code *cell.Cell) []chain.Hash {
	key := chain.Hash(code.HashKey())
	refs, ok := d.refs.Get(key)
	if !ok {
		refs = contract.LibraryRefs(code)
		d.refs.Add(key, refs)
	}
	return refs
}
