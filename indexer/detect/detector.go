package detect

import (
	"context"
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // registers every family
)

// maxBlockLibraries is how many libraries the codes of a masterchain block may name: each may cost a part of a query to the network.
const maxBlockLibraries = 1024

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

// fetchLibraries loads into view the libraries that the get-methods of a code have: those that it references, then those that these
// reference, [contract.MaxLibraries] of them. Libraries that do not exist are skipped.
func (d *Detector) fetchLibraries(ctx context.Context, view *replay.LibraryView, code *cell.Cell) error {
	if code == nil {
		return nil
	}
	needs := d.refsOf(code)
	for next := 0; next < len(needs); {
		if _, err := view.Fetch(ctx, needs[next:]); err != nil {
			return fmt.Errorf("libraries of code %s: %w", chain.Hash(code.HashKey()).Hex(), err)
		}
		last := len(needs)
		for ; next < last; next++ {
			if lib, ok := view.Library(needs[next]); ok {
				needs = d.withRefsOf(needs, lib)
			}
		}
	}
	return nil
}

// withRefsOf returns needs with the libraries that a library references and needs lacks, up to the limit. It leaves needs as it is.
func (d *Detector) withRefsOf(needs []chain.Hash, lib *cell.Cell) []chain.Hash {
	with := slices.Clip(needs)
	for _, h := range d.refsOf(lib) {
		if len(with) < contract.MaxLibraries && !slices.Contains(with, h) {
			with = append(with, h)
		}
	}
	return with
}

// refsOf returns the libraries that a code references directly, up to the limit. The result must not be modified.
func (d *Detector) refsOf(code *cell.Cell) []chain.Hash {
	key := chain.Hash(code.HashKey())
	refs, ok := d.refs.Get(key)
	if !ok {
		refs = contract.LibraryRefs(code)
		refs = slices.Clone(refs[:min(contract.MaxLibraries, len(refs))])
		d.refs.Add(key, refs)
	}
	return refs
}
