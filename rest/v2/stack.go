package v2

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
)

// parseStack parses get-method arguments. value converts each decoded argument. The JSON text is decoded once, whatever its
// depth.
func parseStack(raw json.RawMessage, value func(any) (any, error)) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var entries, stack []any
	if decoder.Decode(&entries) != nil {
		return nil, chain.Invalidf("stack: expected an array")
	}
	if len(entries) > maxArguments {
		return nil, chain.Invalidf("stack: at most %d arguments are allowed", maxArguments)
	}
	for _, e := range entries {
		v, err := value(e)
		if err != nil {
			return nil, err
		}
		stack = append(stack, v)
	}
	return stack, nil
}

// maxArguments is the maximum number of arguments, and of elements of each tuple and list.
const maxArguments = 255

// parsePair parses an argument of runGetMethod: [tag, value].
func parsePair(raw any) (any, error) {
	pair, _ := raw.([]any)
	if len(pair) != 2 {
		return nil, chain.Invalidf("stack: an argument must be a pair of a type and a value")
	}
	tag, ok := pair[0].(string)
	if !ok {
		return nil, chain.Invalidf("stack: an argument must be a pair of a type and a value")
	}
	value := pair[1]
	switch tag {
	case "num", "number", "int", "integer":
		return parseNumber(value)
	case "tvm.Cell", "tvm.Slice":
		text, ok := value.(string)
		if !ok {
			return nil, chain.Invalidf("stack: the value of a %s must be a string", tag)
		}
		return parseBag(text, tag == "tvm.Slice")
	case "cell", "slice":
		return parseBytes(value, tag == "slice")
	case "tuple", "tvm.Tuple":
		return parseElements(value, false, 0)
	case "list", "tvm.List":
		return parseElements(value, true, 0)
	default:
		return nil, refuse(status542, "unsupported stack entry type: "+chain.Quote(tag))
	}
}

// parseNumber parses a JSON number, or a string with decimal or 0x hex digits.
func parseNumber(raw any) (any, error) {
	switch v := raw.(type) {
	case string:
		return resolvers.ParseStackValue("num", v)
	case json.Number:
		return resolvers.ParseStackValue("num", v.String())
	default:
		return nil, chain.Invalidf("stack: expected a number")
	}
}

func parseBag(text string, slice bool) (any, error) {
	kind := "cell"
	if slice {
		kind = "slice"
	}
	return resolvers.ParseStackValue(kind, text)
}

func parseBytes(raw any, slice bool) (any, error) {
	text, ok := member(raw, "bytes").(string)
	if !ok {
		return nil, chain.Invalidf("stack: a cell must be an object with bytes")
	}
	return parseBag(text, slice)
}

// member returns a member of a JSON object. It returns nil if the member is absent or raw is not an object.
func member(raw any, name string) any {
	object, _ := raw.(map[string]any)
	return object[name]
}

// parseEntry parses an argument of runGetMethodStd: an object with @type.
func parseEntry(raw any) (any, error) { return parseNested(raw, 0) }

func parseNested(raw any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, chain.Invalidf("stack: nested too deep")
	}
	kind, ok := member(raw, "@type").(string)
	if !ok {
		return nil, chain.Invalidf("stack: an argument must be an object with a @type")
	}
	switch kind {
	case "tvm.stackEntryNumber":
		return parseNumber(member(member(raw, "number"), "number"))
	case "tvm.stackEntryCell":
		return parseBytes(member(raw, "cell"), false)
	case "tvm.stackEntrySlice":
		return parseBytes(member(raw, "slice"), true)
	case "tvm.stackEntryTuple":
		return parseElements(member(raw, "tuple"), false, depth)
	case "tvm.stackEntryList":
		return parseElements(member(raw, "list"), true, depth)
	case "tvm.stackEntryUnsupported":
		return nil, refuse(http.StatusInternalServerError, "an unsupported stack entry cannot be an argument")
	default:
		return nil, chain.Invalidf("stack: %s is not an argument type", chain.Quote(kind))
	}
}

// parseElements parses a tuple, or a list in the form of the TVM: nested pairs of a value and the rest, ending in null.
func parseElements(raw any, list bool, depth int) (any, error) {
	elements, ok := member(raw, "elements").([]any)
	if !ok || len(elements) > maxArguments {
		return nil, chain.Invalidf("stack: a tuple or list must be an object with up to %d elements", maxArguments)
	}
	items := make([]any, len(elements))
	for i, e := range elements {
		var err error
		if items[i], err = parseNested(e, depth+1); err != nil {
			return nil, err
		}
	}
	if !list {
		return items, nil
	}
	var rest any
	for _, v := range slices.Backward(items) {
		rest = []any{v, rest}
	}
	return rest, nil
}

// cellOf returns a slice as a cell, or nil if it cannot be converted.
func cellOf(s *cell.Slice) *cell.Cell {
	c, err := s.Copy().ToCell()
	if err != nil {
		return nil
	}
	return c
}

func encode(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }
