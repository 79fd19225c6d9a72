package v2

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/resolvers"
)

// parsePair reads an argument of the older dialect: [tag, value].
func parsePair(raw json.RawMessage, _ int) (any, error) {
	var pair []json.RawMessage
	var tag string
	if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || json.Unmarshal(pair[0], &tag) != nil {
		return nil, chain.Invalidf("stack: an argument is a pair of a type and a value")
	}
	value := pair[1]
	switch tag {
	case "num", "number", "int", "integer":
		return parseNumber(value)
	case "tvm.Cell", "tvm.Slice":
		var text string
		if json.Unmarshal(value, &text) != nil {
			return nil, chain.Invalidf("stack: the value of a %s is a text", tag)
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

// parseNumber reads a JSON number or a text of decimal or 0x hex digits.
func parseNumber(raw json.RawMessage) (any, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return resolvers.ParseStackValue("num", text)
}

func parseBag(text string, slice bool) (any, error) {
	kind := "cell"
	if slice {
		kind = "slice"
	}
	return resolvers.ParseStackValue(kind, text)
}

func parseBytes(raw json.RawMessage, slice bool) (any, error) {
	var object struct {
		Bytes string `json:"bytes"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return nil, chain.Invalidf("stack: a cell is an object with bytes")
	}
	return parseBag(object.Bytes, slice)
}

// parseEntry reads an argument of the newer dialect: an object with its @type.
func parseEntry(raw json.RawMessage, depth int) (any, error) {
	var e struct {
		Type   string `json:"@type"`
		Number struct {
			Number json.RawMessage `json:"number"`
		} `json:"number"`
		Cell  json.RawMessage `json:"cell"`
		Slice json.RawMessage `json:"slice"`
		Tuple json.RawMessage `json:"tuple"`
		List  json.RawMessage `json:"list"`
	}
	if depth > deepest {
		return nil, chain.Invalidf("stack: nested too deep")
	}
	if json.Unmarshal(raw, &e) != nil {
		return nil, chain.Invalidf("stack: an argument is an object with a @type")
	}
	switch e.Type {
	case "tvm.stackEntryNumber":
		return parseNumber(e.Number.Number)
	case "tvm.stackEntryCell":
		return parseBytes(e.Cell, false)
	case "tvm.stackEntrySlice":
		return parseBytes(e.Slice, true)
	case "tvm.stackEntryTuple":
		return parseElements(e.Tuple, false, depth)
	case "tvm.stackEntryList":
		return parseElements(e.List, true, depth)
	case "tvm.stackEntryUnsupported":
		return nil, refuse(http.StatusInternalServerError, "an unsupported stack entry cannot be an argument")
	default:
		return nil, chain.Invalidf("stack: %s is no type of an argument", chain.Quote(e.Type))
	}
}

// parseElements reads a tuple, or a list as contracts build it: pairs of a value and the rest, null at the end.
func parseElements(raw json.RawMessage, list bool, depth int) (any, error) {
	var object struct {
		Elements []json.RawMessage `json:"elements"`
	}
	if json.Unmarshal(raw, &object) != nil || len(object.Elements) > 255 {
		return nil, chain.Invalidf("stack: a tuple or list is an object with up to 255 elements")
	}
	items := make([]any, len(object.Elements))
	for i, e := range object.Elements {
		var err error
		if items[i], err = parseEntry(e, depth+1); err != nil {
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

// cellOf is a slice as a cell; nil when it cannot be one.
func cellOf(s *cell.Slice) *cell.Cell {
	c, err := s.Copy().ToCell()
	if err != nil {
		return nil
	}
	return c
}

func encode(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(c.ToBOC()) }
