package action

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
)

// Classify returns the actions of a trace, ordered by start LT, end LT, type and id. The error is Invalid for a trace whose
// tree has a gap. If a kind panics, which is a defect and not a property of the trace, Classify returns the basic actions
// together with an error of kind Internal.
func Classify(t *Trace, records Records) ([]*Action, error) { return classify(t, records, registry) }

func classify(t *Trace, records Records, kinds []Spec) ([]*Action, error) {
	root, err := grow(t)
	if err != nil {
		return nil, err
	}
	if len(t.Transactions) == 1 && root.Type == typeTickTock && len(root.Next) == 0 {
		return nil, nil
	}
	actions, err := recognize(t, root, &Context{Records: records}, kinds)
	if err != nil {
		actions, err = basics(t), fmt.Errorf("actions of trace %s: %w", t.ID, err)
	}
	slices.SortFunc(actions, func(a, b *Action) int {
		return cmp.Or(cmp.Compare(a.StartLT, b.StartLT), cmp.Compare(a.EndLT, b.EndLT), cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID))
	})
	return actions, err
}

// recognize runs the kinds over the tree and returns the rows. It converts a panic of a kind to an error, so that the defect
// neither loses the trace nor stops the indexer.
func recognize(t *Trace, root *Block, ctx *Context, kinds []Spec) (actions []*Action, err error) {
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
		e.relays(b)
	}
	if len(e.actions) == 0 {
		e.unsent(ctx)
	}
	if len(e.actions) == 0 {
		e.unknown()
	}
	return e.actions, nil
}

// basics returns the actions of a trace without any kind. Its tree has no gap.
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
