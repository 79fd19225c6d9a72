package detect

import (
	"context"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // registers every family
)

const (
	// maxBlockLibraries is how many libraries the codes of a masterchain block may name: each may cost a part of a query to the network.
	maxBlockLibraries = 1024
	// maxOthersLibraries is how many libraries of the code of an account that another one names are loaded: those of one query.
	maxOthersLibraries = 16
)

// maxLibraryRefs is the number of codes whose library references are cached.
const maxLibraryRefs = 1 << 14

// Detector detects the contracts of one network. All batches and reviews of the network share it. It is safe for concurrent
// use.
type Detector struct {
	opts  Options
	src   chain.Source
	net   *replay.Network
	quick *contract.Machine
	full  *contract.Machine
	refs  *lru.Cache[chain.Hash, []chain.Hash] // by code
}

// New returns a Detector. The caller must close it.
func New(src chain.Source, net *replay.Network, opts Options) *Detector {
	opts = opts.withDefaults()
	quick := opts.Budget
	quick.Gas, quick.TotalGas = opts.QuickGas, opts.QuickGas
	refs, _ := lru.New[chain.Hash, []chain.Hash](maxLibraryRefs) // the size is a positive constant
	return &Detector{
		opts: opts, src: src, net: net, refs: refs,
		quick: contract.NewMachine(contract.Options{Budget: quick, Parallel: opts.Workers}),
		full:  contract.NewMachine(contract.Options{Budget: opts.Budget, Parallel: opts.Workers}),
	}
}

// Close waits until executions that were abandoned have used up their gas. The Detector must not be used afterwards.
func (d *Detector) Close() {
	d.quick.Close()
	d.full.Close()
}

// fetchLibraries loads into view the libraries that a code references, directly up to a limit, and inside other libraries. Libraries that
// do not exist are skipped.
func (d *Detector) fetchLibraries(ctx context.Context, view *replay.LibraryView, code *cell.Cell, limit int) error {
	if code == nil {
		return nil
	}
	const deepest = 8 // libraries that need libraries
	todo := d.refsOf(code)
	todo = todo[:min(limit, len(todo))]
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
