package action

import "slices"

// ClassifyFailing classifies with one more kind, which runs last and fails.
func ClassifyFailing(t *Trace, records Records) ([]*Action, error) {
	failing := Spec{
		Kind: "failing", Match: Where(func(*Block) bool { return true }),
		Build: func(*Context, *Match) *Result { panic("a mistake of ours") },
	}
	failing.first.add(failing.Match)
	return classify(t, records, append(slices.Clone(registry), failing))
}
