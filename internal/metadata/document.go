package metadata

import (
	"bytes"
	"encoding/json"

	"tonql/internal/chain"
)

// Bounds of a document. Real ones have a few dozen values, three deep.
const (
	maxValues = 4096
	maxDepth  = 8 // objects and lists in each other; what lies deeper is left out
)

// parse reads a document: a JSON object. Of two members of one name the last counts. A member that takes the document
// beyond maxValues is left out; the failure beside the object then says so.
func parse(body []byte) (map[string]any, *failure) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	switch {
	case len(body) == 0:
		return nil, failf(reasonDocument, "an empty document")
	case body[0] == '<':
		return nil, failf(reasonDocument, "%s instead of JSON", markup(body))
	case !json.Valid(body):
		return nil, failf(reasonDocument, "the document is not valid JSON")
	case body[0] != '{':
		return nil, failf(reasonDocument, "the document is JSON, but no object")
	}
	d := document{decoder: json.NewDecoder(bytes.NewReader(body)), left: maxValues}
	d.decoder.UseNumber()
	value, f := d.value(0)
	if f != nil {
		return nil, f
	}
	object, _ := value.(map[string]any)
	return object, d.cut
}

// markup names what begins with an angle bracket.
func markup(body []byte) string {
	start := bytes.ToLower(body[:min(len(body), 1024)])
	switch {
	case bytes.Contains(start, []byte("<svg")):
		return "an SVG image"
	case bytes.Contains(start, []byte("<html")), bytes.Contains(start, []byte("<!doctype html")):
		return "an HTML page"
	default:
		return "markup"
	}
}

// document builds the values of a text that is known to be valid, as long as there are not too many.
type document struct {
	decoder *json.Decoder
	left    int      // values that may still be built; below 0 they are read and forgotten
	cut     *failure // a member that was left out
}

// value reads the next value. Objects and lists below the greatest depth are read and forgotten: they become nil. So are
// the values of a member that has too many.
func (d *document) value(depth int) (any, *failure) {
	token, err := d.decoder.Token()
	if err != nil {
		return nil, failf(reasonDocument, "the document is not valid JSON")
	}
	d.left--
	switch token {
	case json.Delim('{'):
		return d.object(depth + 1)
	case json.Delim('['):
		return d.list(depth + 1)
	default:
		return token, nil
	}
}

func (d *document) object(depth int) (any, *failure) {
	object := map[string]any{}
	for d.decoder.More() {
		key, err := d.decoder.Token()
		if err != nil {
			return nil, failf(reasonDocument, "the document is not valid JSON")
		}
		before := d.left
		v, f := d.value(depth)
		if f != nil {
			return nil, f
		}
		name, _ := key.(string)
		switch {
		case d.left >= 0:
			object[name] = v
		case depth == 1: // the member takes too much; those behind it have its room
			d.left = before
			d.cut = failf(reasonComplex, "the document has more than %d values; %s is left out", maxValues, chain.Quote(name))
		}
	}
	_, _ = d.decoder.Token() // the closing brace
	if depth > maxDepth {
		return nil, nil
	}
	return object, nil
}

func (d *document) list(depth int) (any, *failure) {
	list := []any{}
	for d.decoder.More() {
		v, f := d.value(depth)
		if f != nil {
			return nil, f
		}
		if d.left >= 0 {
			list = append(list, v)
		}
	}
	_, _ = d.decoder.Token() // the closing bracket
	if depth > maxDepth {
		return nil, nil
	}
	return list, nil
}
