package replay

import (
	"bytes"
	"slices"

	"tonql/internal/chain"
)

// generations is a bounded cache by hash. When the young half is full, it drops the old half.
type generations[V any] struct{ young, old map[chain.Hash]V }

// generationSize is the capacity of each half. A full cache takes about 10 MB.
const generationSize = 100_000

func newGenerations[V any]() *generations[V] {
	return &generations[V]{young: map[chain.Hash]V{}, old: map[chain.Hash]V{}}
}

func (g *generations[V]) get(h chain.Hash) (V, bool) {
	if v, ok := g.young[h]; ok {
		return v, true
	}
	v, ok := g.old[h]
	if ok {
		g.put(h, v)
	}
	return v, ok
}

func (g *generations[V]) put(h chain.Hash, v V) {
	if len(g.young) >= generationSize {
		g.young, g.old = map[chain.Hash]V{}, g.young
	}
	g.young[h] = v
}

func sortLibraries(libs []chain.Library) []chain.Library {
	slices.SortFunc(libs, func(a, b chain.Library) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	return libs
}
