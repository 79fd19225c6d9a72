package resolvers

import (
	"encoding/base64"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract/getmethod"
	"tonql/internal/emulate"
)

// UnprintableError is the error of a stack value that the APIs have no form for.
type UnprintableError struct{ Kind string }

// Error returns the text for the client.
func (e *UnprintableError) Error() string {
	return "the stack holds a " + e.Kind + ", which this interface has no form for"
}

// Unwrap makes it an error that clients may read.
func (e *UnprintableError) Unwrap() error {
	return &chain.Error{Kind: chain.Invalid, Message: e.Error()}
}

// IsStackType says whether arguments of that type are taken: num, cell, slice.
func IsStackType(kind string) bool { return kind == "num" || kind == "cell" || kind == "slice" }

// ParseStackValue reads an argument: a num in decimal or 0x hex, a cell or a slice as a bag of cells in base64.
func ParseStackValue(kind, text string) (any, error) {
	if !IsStackType(kind) {
		return nil, chain.Invalidf("stack: an argument is a num, cell or slice, not %s", chain.Quote(kind))
	}
	if kind == "num" {
		return parseNumber(text)
	}
	if text == "" {
		return nil, chain.Invalidf("stack: a %s needs a bag of cells in base64", kind)
	}
	c, err := ParseCell("stack", text)
	if err != nil {
		return nil, err
	}
	if kind == "cell" {
		return c, nil
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil, chain.Invalidf("stack: a slice of a special cell cannot be made: %v", err)
	}
	return s, nil
}

// parseNumber reads decimal or 0x hex digits, with a sign or without. Contracts know 257 bits.
func parseNumber(text string) (*big.Int, error) {
	const maxDigits = 90
	digits, base := strings.TrimPrefix(text, "-"), 10
	if hex := strings.TrimPrefix(strings.ToLower(digits), "0x"); len(hex) < len(digits) {
		digits, base = hex, 16
	}
	n, ok := new(big.Int), false
	if len(digits) <= maxDigits && strings.Trim(digits, "0123456789abcdefABCDEF") == "" {
		n, ok = n.SetString(digits, base)
	}
	if !ok {
		return nil, chain.Invalidf("stack: a number is decimal or 0x hex digits, not %s", chain.Quote(text))
	}
	if strings.HasPrefix(text, "-") {
		n.Neg(n)
	}
	lowest := n.Sign() < 0 && n.BitLen() == 257 && n.TrailingZeroBits() == 256 // -2^256
	if n.BitLen() > 256 && !lowest {
		return nil, chain.Invalidf("stack: the number %s does not fit 257 bits", chain.Quote(text))
	}
	return n, nil
}

// ParseCell reads a bag of cells with one root in base64, standard or url-safe. Empty text is no cell.
func ParseCell(name, text string) (*cell.Cell, error) {
	if text == "" {
		return nil, nil
	}
	data, err := DecodeBase64(text)
	if err != nil {
		return nil, chain.Invalidf("%s: not base64: %v", name, err)
	}
	c, err := parseBag(data)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: name + ": not a bag of cells: " + err.Error(), Err: err}
	}
	return c, nil
}

// maxInputCells bounds the cells of one parameter, as many as an account may store. A cell takes four bytes of a bag and a
// hundred times as many in memory.
const maxInputCells = 65_536

// parseBag reads a bag of cells of a request.
func parseBag(data []byte) (*cell.Cell, error) {
	return cellgraph.FromBOCWithOptions(data, cell.BOCParseOptions{MaxCells: maxInputCells})
}

// DecodeBase64 reads standard or url-safe base64 with padding.
func DecodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		return data, nil
	}
	if data, urlErr := base64.URLEncoding.DecodeString(text); urlErr == nil {
		return data, nil
	}
	return nil, err
}

// AppendStack prints values as a JSON list of entries with a type, at the end of b: numbers in hex, cells and slices as
// bags of cells in base64. Slices that are not in a tuple or list are cells, as in /api/v2. It fails with an
// [UnprintableError].
func AppendStack(b []byte, values []any) ([]byte, error) {
	values = slices.Clone(values)
	for i, v := range values {
		s, ok := v.(*cell.Slice)
		if !ok {
			continue
		}
		c, err := s.Copy().ToCell()
		if err != nil {
			return b, &UnprintableError{"slice"}
		}
		values[i] = c
	}
	return appendStack(b, values, false)
}

// appendStack is [AppendStack]; with lenient, a value that has no form is an entry with the type alone.
func appendStack(b []byte, values []any, lenient bool) ([]byte, error) {
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		length := len(b)
		var err error
		b, err = appendValue(b, v, lenient)
		if unprintable := (*UnprintableError)(nil); lenient && errors.As(err, &unprintable) {
			b, err = append(append(append(b[:length], `{"type":"`...), unprintable.Kind...), `"}`...), nil
		}
		if err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendValue(b []byte, v any, lenient bool) ([]byte, error) {
	switch v := v.(type) {
	case nil: // the empty list and null are the same value
		return append(b, `{"type":"list","value":[]}`...), nil
	case *big.Int:
		return append(appendHex(append(b, `{"type":"num","value":"`...), v), `"}`...), nil
	case *cell.Cell:
		return appendBag(append(b, `{"type":"cell","value":"`...), v), nil
	case *cell.Slice:
		c, err := v.Copy().ToCell()
		if err != nil {
			return b, &UnprintableError{"slice"}
		}
		return appendBag(append(b, `{"type":"slice","value":"`...), c), nil
	case []any:
		kind, items := "tuple", v
		if list, ok := ListItems(v); ok {
			kind, items = "list", list
		}
		b, err := appendStack(append(append(append(b, `{"type":"`...), kind...), `","value":`...), items, lenient)
		return append(b, '}'), err
	case *cell.Builder:
		return b, &UnprintableError{"builder"}
	case emulate.NaN:
		return b, &UnprintableError{"NaN"}
	default:
		return b, &UnprintableError{"continuation"}
	}
}

// ListItems returns the values of a list in the form of the TVM: pairs of a value and the rest, null at the end; false for any other tuple.
func ListItems(tuple []any) (items []any, ok bool) { return getmethod.ListItems(tuple) }

// appendHex prints -0x2a.
func appendHex(b []byte, n *big.Int) []byte {
	if n.Sign() < 0 {
		b, n = append(b, '-'), new(big.Int).Neg(n)
	}
	return n.Append(append(b, "0x"...), 16)
}

func appendBag(b []byte, c *cell.Cell) []byte {
	return append(base64.StdEncoding.AppendEncode(b, c.ToBOC()), `"}`...)
}
