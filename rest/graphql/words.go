package graphql

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// words counts who follows in the same words, so that an answer that nobody else wants is not kept.
type words struct {
	mu     sync.Mutex
	spoken map[string]*speakers
}

// speakers is how many follow in the same words. It stands for these words as long as anybody does.
type speakers struct{ atomic.Int64 }

// begin counts one more who follows in these words, until end is called.
func (w *words) begin(text string) (s *speakers, end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s = w.spoken[text]
	if s == nil {
		s = &speakers{}
		w.spoken[text] = s
	}
	s.Add(1)
	return s, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if s.Add(-1) == 0 {
			delete(w.spoken, text)
		}
	}
}

// wordsOf stands for everything that shapes the answer to one event: the document, which of its operations it is, and
// the variables that are used below its root. What only says which events are wanted leaves no trace in an answer, and
// neither does who asks: a key says how much may be asked, not what is seen.
func wordsOf(op *graphql.OperationContext) string {
	used := map[string]any{}
	seen := map[string]bool{}
	for _, sel := range op.Operation.SelectionSet {
		if f, ok := sel.(*ast.Field); ok {
			useDirectives(f.Directives, op.Variables, used)
			useSelection(f.SelectionSet, op.Variables, used, seen)
			continue
		}
		used = op.Variables // a root in a fragment: rare, and not worth looking closer
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
