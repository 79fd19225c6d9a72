package v2

import (
	"encoding/base64"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/resolvers"
	"tonql/rest/handler"
)

// appendPair appends a value in the dialect of runGetMethod. Elements of tuples and lists are in the dialect of
// runGetMethodStd. left is the remaining number of cells that can be printed one by one.
func appendPair(b []byte, v any, left *int) ([]byte, error) {
	switch v := v.(type) {
	case *big.Int:
		b = append(b, `["num","`...)
		if v.Sign() < 0 {
			b, v = append(b, '-'), new(big.Int).Neg(v)
		}
		return append(v.Append(append(b, "0x"...), 16), `"]`...), nil
	case *cell.Cell:
		return appendCellPair(b, v, left)
	case *cell.Slice:
		if c := cellOf(v); c != nil {
			return appendCellPair(b, c, left)
		}
	case nil, []any:
		kind, elements := elementsOf(v)
		b = append(append(append(b, `["`...), kind...), `",{"@type":"tvm.`...)
		b, err := appendEntries(append(append(b, kind...), `","elements":`...), elements, maxPairDepth-1)
		return append(b, "}]"...), err
	}
	return append(b, `["unsupported",""]`...), nil
}

// elementsOf returns the elements of a list, which is null or nested pairs that end in null, or of a tuple.
func elementsOf(v any) (kind string, elements []any) {
	tuple, _ := v.([]any)
	if v == nil {
		return "list", nil
	}
	if list, ok := resolvers.ListItems(tuple); ok {
		return "list", list
	}
	return "tuple", tuple
}

func appendCellPair(b []byte, c *cell.Cell, left *int) ([]byte, error) {
	b = handler.AppendString(append(b, `["cell",{"bytes":`...), encode(c))
	b, err := appendShown(append(b, `,"object":`...), c, 0, left)
	return append(b, "}]"...), err
}

// maxShown is the maximum number of cells of a response that are printed one by one. A cell counts once per reference to it.
const maxShown = 10_000

// appendShown appends a cell and the cells it references. An incomplete last byte is padded with a 1 bit and zeros.
func appendShown(b []byte, c *cell.Cell, depth int, left *int) ([]byte, error) {
	if *left--; *left < 0 {
		return b, errTooManyCells
	}
	if depth > 1024 {
		return b, errTooDeep
	}
	bits := c.BitsSize()
	data, err := ownBits(c, bits)
	if err != nil {
		return b, err
	}
	b = append(b, `{"data":{"b64":"`...)
	b = base64.StdEncoding.AppendEncode(b, data)
	b = handler.AppendUint(append(b, `","len":`...), uint64(bits))
	b = append(b, `},"refs":[`...)
	for i := range int(c.RefsNum()) {
		if i > 0 {
			b = append(b, ',')
		}
		ref, err := c.PeekRef(i)
		if err != nil {
			return b, err
		}
		if b, err = appendShown(b, ref, depth+1, left); err != nil {
			return b, err
		}
	}
	return append(handler.AppendBool(append(b, `],"special":`...), c.IsSpecial()), '}'), nil
}

func ownBits(c *cell.Cell, bits uint) ([]byte, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	data, err := s.LoadSlice(bits)
	if err == nil && bits%8 != 0 {
		data[len(data)-1] |= 0x80 >> (bits % 8)
	}
	return data, err
}

// appendEntries appends values in the dialect of runGetMethodStd. levels is the number of levels of tuples and lists that
// they may have.
func appendEntries(b []byte, values []any, levels int) (_ []byte, err error) {
	if levels < 0 {
		return b, errTooDeep
	}
	b = append(b, '[')
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendEntry(b, v, levels); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func appendEntry(b []byte, v any, levels int) ([]byte, error) {
	switch v := v.(type) {
	case *big.Int:
		b = append(b, `{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"`...)
		return append(v.Append(b, 10), `"}}`...), nil
	case *cell.Cell:
		b = append(b, `{"@type":"tvm.stackEntryCell","cell":{"@type":"tvm.cell","bytes":`...)
		return append(appendCell(b, v), "}}"...), nil
	case *cell.Slice:
		if c := cellOf(v); c != nil {
			b = append(b, `{"@type":"tvm.stackEntrySlice","slice":{"@type":"tvm.slice","bytes":`...)
			return append(appendCell(b, c), "}}"...), nil
		}
	case nil, []any:
		kind, elements := elementsOf(v)
		open := `{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":`
		if kind == "list" {
			open = `{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":`
		}
		b, err := appendEntries(append(b, open...), elements, levels-1)
		return append(b, "}}"...), err
	}
	return append(b, `{"@type":"tvm.stackEntryUnsupported"}`...), nil
}
