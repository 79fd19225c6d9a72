package graphql

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// dedup counts the active subscriptions with identical results. Their results are resolved once and shared; those of a
// single subscription are not stored.
type dedup struct {
	mu     sync.Mutex
	active map[string]*subscribers // by fingerprint
}

// subscribers is the number of active subscriptions with one fingerprint. Its address identifies the group.
type subscribers struct{ atomic.Int64 }

// begin counts a subscription until the caller calls end.
func (d *dedup) begin(fingerprint string) (s *subscribers, end func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s = d.active[fingerprint]
	if s == nil {
		s = &subscribers{}
		d.active[fingerprint] = s
	}
	s.Add(1)
	return s, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if s.Add(-1) == 0 {
			delete(d.active, fingerprint)
		}
	}
}

// fingerprint identifies everything that affects the result for one event: the document, the selected operation and the
// variables used below its root. Arguments of the root select events and do not affect results; neither does the API key.
func fingerprint(op *graphql.OperationContext) string {
	used := map[string]any{}
	seen := map[string]bool{}
	for _, sel := range op.Operation.SelectionSet {
		if f, ok := sel.(*ast.Field); ok {
			useDirectives(f.Directives, op.Variables, used)
			useSelection(f.SelectionSet, op.Variables, used, seen)
			continue
		}
		used = op.Variables // the root field is in a fragment: use all variables
		break
	}
	variables, err := json.Marshal(used)
	if err != nil {
		return ""
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(op.RawQuery), []byte(op.OperationName), variables} {
		h.Write(part)
		h.Write([]byte{0})
	}
	return string(h.Sum(nil))
}

func useSelection(set ast.SelectionSet, values, used map[string]any, seen map[string]bool) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			for _, a := range sel.Arguments {
				useValue(a.Value, values, used)
			}
			useDirectives(sel.Directives, values, used)
			useSelection(sel.SelectionSet, values, used, seen)
		case *ast.InlineFragment:
			useDirectives(sel.Directives, values, used)
			useSelection(sel.SelectionSet, values, used, seen)
		case *ast.FragmentSpread:
			useDirectives(sel.Directives, values, used)
			if !seen[sel.Name] {
				seen[sel.Name] = true
				useSelection(sel.Definition.SelectionSet, values, used, seen)
			}
		}
	}
}

func useDirectives(list ast.DirectiveList, values, used map[string]any) {
	for _, d := range list {
		for _, a := range d.Arguments {
			useValue(a.Value, values, used)
		}
	}
}

func useValue(v *ast.Value, values, used map[string]any) {
	if v.Kind == ast.Variable {
		if value, given := values[v.Raw]; given {
			used[v.Raw] = value
		}
	}
	for _, child := range v.Children {
		useValue(child.Value, values, used)
	}
}
