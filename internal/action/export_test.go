package action

import (
	"slices"

	"tonql/internal/chain"
)

// ClassifyFailing classifies with one more kind, which runs last and fails.
func ClassifyFailing(t *Trace, records Records) ([]*Action, error) {
	failing := Spec{
		Kind: "failing", Match: Where(func(*Block) bool { return true }),
		Build: func(*Context, *Match) *Result { panic("a mistake of ours") },
	}
	failing.first.add(failing.Match)
	return classify(t, records, append(slices.Clone(registry), failing))
}

// Step is a message that some kind matches.
type Step struct {
	Op   uint32
	Log  bool
	Then []*Step
}

// Kind makes the messages that the i-th kind matches, modulo the number of kinds. choose returns a number below n; it
// decides which optional messages exist and which alternatives are taken.
func Kind(i int, choose func(n int) int) *Step {
	return registry[i%len(registry)].Match.step(choose, 3)
}

// step returns the first message of a pattern. Nested types are made with the kinds that produce them, up to depth.
func (p *Pattern) step(choose func(n int) int, depth int) *Step {
	if len(p.either) > 0 {
		return p.either[choose(len(p.either))].step(choose, depth)
	}
	first := &Step{}
	switch {
	case len(p.first.ops) > 0:
		first.Op = p.first.ops[choose(len(p.first.ops))]
		first.Log = choose(8) == 0
	case len(p.first.types) > 0 && depth > 0:
		kind := p.first.types[choose(len(p.first.types))]
		if i := slices.IndexFunc(registry, func(s Spec) bool { return s.Type == kind }); i >= 0 {
			first = registry[i].Match.step(choose, depth-1)
		}
	}
	last := first
	for choose(2) == 0 && len(last.Then) > 0 {
		last = last.Then[choose(len(last.Then))]
	}
	for _, t := range p.then {
		if !t.optional || choose(3) > 0 {
			last.Then = append(last.Then, t.step(choose, depth))
		}
	}
	if p.before != nil && choose(8) > 0 {
		before := p.before.step(choose, depth)
		before.Then = append(before.Then, first)
		return before
	}
	return first
}

// Owners lists for each transaction the internal types of the top blocks that its message belongs to.
func Owners(t *Trace, records Records) (map[chain.Hash][]string, error) {
	root, err := grow(t)
	if err != nil {
		return nil, err
	}
	tree, ctx := newTree(root), &Context{Records: records}
	for i := range registry {
		tree.run(ctx, &registry[i])
	}
	owners := map[chain.Hash][]string{}
	for _, b := range tree.list() {
		for _, p := range b.basics() {
			if !p.IsLog() {
				owners[p.Tx.Hash] = append(owners[p.Tx.Hash], b.Type)
			}
		}
	}
	return owners, nil
}

// Requests lists the opcodes that kinds start at, ascending.
func Requests() []uint32 {
	var ops []uint32
	for i := range registry {
		ops = append(ops, registry[i].first.ops...)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}
