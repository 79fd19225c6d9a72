package action

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
)

// Classify gives the actions of a trace in ascending order of (start LT, end LT, type, id). It fails for a trace whose
// tree has a gap. When a kind fails, which is a mistake of ours and not of the trace, the basic actions are given together
// with an error of kind Internal.
func Classify(t *Trace, records Records) ([]*Action, error) { return classify(t, records, registry) }

func classify(t *Trace, records Records, kinds []Spec) ([]*Action, error) {
	root, err := grow(t)
	if err != nil {
		return nil, err
	}
	if len(t.Transactions) == 1 && root.Type == typeTickTock && len(root.Next) == 0 {
		return nil, nil
	}
	actions, err := recognise(t, root, &Context{Records: records}, kinds)
	if err != nil {
		actions, err = basics(t), fmt.Errorf("actions of trace %s: %w", t.ID, err)
	}
	slices.SortFunc(actions, func(a, b *Action) int {
		return cmp.Or(cmp.Compare(a.StartLT, b.StartLT), cmp.Compare(a.EndLT, b.EndLT), cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	return actions, err
}

// recognise runs the kinds over the tree and writes the rows. One kind's mistake must not cost the whole trace, nor stop
// the indexer: a panic becomes an error.
func recognise(t *Trace, root *Block, ctx *Context, kinds []Spec) (actions []*Action, err error) {
	at := "writing rows"
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: %v\n%s", at, cause, debug.Stack())
		}
	}()
	tree := newTree(root)
	for i := range kinds {
		at = kinds[i].Kind
		tree.run(ctx, &kinds[i])
	}
	at = "writing rows"
	e := &emitter{trace: t, seen: map[string]bool{}}
	for _, b := range tree.list() {
		e.emit(b, nil, "")
		e.deploys(b)
	}
	if len(e.actions) == 0 {
		e.unsent(ctx)
	}
	if len(e.actions) == 0 {
		e.unknown()
	}
	return e.actions, nil
}

// basics gives the actions of a trace without any kind; its tree is known to grow.
func basics(t *Trace) []*Action {
	e := &emitter{trace: t, seen: map[string]bool{}}
	if root, err := grow(t); err == nil && len(root.Next) > 0 {
		for _, b := range breadthFirst(root) {
			e.emit(b, nil, "")
			e.deploys(b)
		}
	}
	if len(e.actions) == 0 {
		e.unknown()
	}
	return e.actions
}
