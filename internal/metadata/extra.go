package metadata

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Bounds of the members that are stored besides the named fields, in bytes where not said otherwise.
const (
	maxExtra  = 32 << 10 // all together, as JSON, roughly
	maxString = 4 << 10
	maxKey    = 128
	maxKeys   = 128 // members of one object
	maxItems  = 512 // elements of one list
	maxNumber = 64  // digits
)

// first are the members that matter most: they get their room before the others.
var first = []string{"uri", "decimals", "attributes", "social", "websites", "external_url"}

// extraOf bounds the remaining members of a document. Which ones stay depends on their names and sizes only. A failure
// names a member whose reader panicked; that member alone is missing.
func extraOf(members map[string]any) (map[string]any, *failure) {
	var f *failure
	names := slices.SortedFunc(maps.Keys(members), func(a, b string) int {
		if x, y := rank(a), rank(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	extra := map[string]any{}
	left := maxExtra
	for _, name := range names {
		key := line(name, maxKey+1)
		if key == "" || len(key) > maxKey || isOurs(key) || len(extra) == maxKeys {
			continue
		}
		room := room{left: left - len(key)}
		var v any
		var ok bool
		if g := contained(key, func() *failure {
			v, ok = room.fit(members[name])
			if key == "decimals" {
				v, ok = decimals(members[name])
			}
			return nil
		}); g != nil {
			f = g
			continue
		}
		// A member that does not fit is left out completely; a truncated list would be a different list.
		if ok && room.left >= 0 {
			extra[key], left = v, room.left
		}
	}
	return extra, f
}

func rank(name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

// isOurs reports names that the index gives a meaning of its own; a document must not speak with its voice.
func isOurs(key string) bool {
	return strings.HasPrefix(key, "_image") || key == "is_nsfw" || key == "is_scam"
}

// decimals are a small number, which half of all documents write as text. It stays text.
func decimals(v any) (any, bool) {
	var text string
	switch v := v.(type) {
	case string:
		text = strings.TrimSpace(v)
	case json.Number:
		text = v.String()
	}
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil {
		return nil, false
	}
	return strconv.FormatUint(n, 10), true
}

// room is what is left for the values of one member; below 0 they do not fit.
type room struct{ left int }

// fit returns the stored form of v; false when it cannot be stored.
func (r *room) fit(v any) (any, bool) {
	if r.left -= 8; r.left < 0 {
		return nil, false
	}
	switch v := v.(type) {
	case nil, bool:
		return v, true
	case json.Number:
		r.left -= len(v)
		return number(v)
	case string:
		text := paragraphs(v, maxString)
		r.left -= len(text)
		return text, !runs(text)
	case []any:
		return r.list(v)
	case map[string]any:
		return r.object(v)
	default:
		return nil, false
	}
}

func (r *room) list(v []any) (any, bool) {
	list := make([]any, 0, min(len(v), maxItems))
	for _, e := range v[:min(len(v), maxItems)] {
		if fitted, ok := r.fit(e); ok {
			list = append(list, fitted)
		}
	}
	return list, true
}

func (r *room) object(v map[string]any) (any, bool) {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		key := line(name, maxKey+1)
		if key == "" || len(key) > maxKey || len(object) == maxKeys {
			continue
		}
		r.left -= len(key)
		if fitted, ok := r.fit(v[name]); ok {
			object[key] = fitted
		}
	}
	return object, true
}

// number keeps numbers that every reader can hold. Exponents are worked out: a few digits of one would fill a table.
func number(n json.Number) (any, bool) {
	if len(n) > maxNumber {
		return nil, false
	}
	if !strings.ContainsAny(n.String(), "eE") {
		return n, true
	}
	f, err := n.Float64()
	if err != nil {
		return nil, false
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), true
}

// runs reports whether a browser that follows text as an address would run it.
func runs(text string) bool {
	scheme, rest, found := strings.Cut(text, ":")
	if !found || len(scheme) > 32 {
		return false
	}
	switch strings.ToLower(strings.Join(strings.Fields(scheme), "")) {
	case "javascript", "vbscript":
		return true
	case "data":
		head, _, isData := strings.Cut(strings.ToLower(rest), ",")
		isPicture := strings.HasPrefix(head, "image/") && !strings.HasPrefix(head, "image/svg")
		return isData && !strings.ContainsAny(head, " \t\n") && !isPicture // "Data: 1, 2" is a sentence
	default:
		return false
	}
}
