package content

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	// maxValue is the largest value that is read, in bytes. Longer ones are cut: nothing that is shown is longer, and
	// images of that size do not belong on the chain.
	maxValue  = 64 << 10
	maxChunks = 1024
	// maxParts is how many cells of one value are read. Chunks may share their cells, 1024 of them for each.
	maxParts = 8192
)

// Snake reads bytes that continue from cell to cell through the first reference, at most 64 KiB of them. Bits that do
// not fill a byte end it.
//
//	tail#_ {bn:#} b:(bits bn) = SnakeData ~0;
//	cons#_ {bn:#} {n:#} b:(bits bn) next:^(SnakeData ~n) = SnakeData ~(n + 1);
func Snake(c *cell.Cell) []byte {
	s := begin(c)
	if s == nil {
		return nil
	}
	return snakeBytes(s, nil)
}

// StrictSnake reads snake bytes like [Snake] and leaves the slice as it is. ok is false when a cell has bits that do not fill a
// byte, or more than one reference.
func StrictSnake(s *cell.Slice) (value []byte, ok bool) {
	out := []byte{}
	s = s.Copy()
	for range maxParts {
		if s.BitsLeft()%8 != 0 || s.RefsNum() > 1 {
			return nil, false
		}
		part, err := s.LoadSlice(s.BitsLeft())
		if err != nil {
			return nil, false
		}
		if out = append(out, part...); s.RefsNum() == 0 || len(out) >= maxValue {
			break
		}
		if s = reference(s); s == nil {
			return nil, false
		}
	}
	return out[:min(len(out), maxValue)], true
}

// SnakeText is [Snake] as text that JSON and a database can hold.
func SnakeText(c *cell.Cell) string { return text(Snake(c)) }

// SliceText reads a slice's snake bytes as text; the slice stays as it is.
func SliceText(s *cell.Slice) string { return text(SliceBytes(s)) }

// SliceBytes reads a slice's snake bytes; the slice stays as it is.
func SliceBytes(s *cell.Slice) []byte {
	if s == nil {
		return nil
	}
	return snakeBytes(s.Copy(), nil)
}

func snakeBytes(s *cell.Slice, m *meter) []byte {
	left := maxParts
	return appendSnake([]byte{}, s, &left, m)
}

// appendSnake reads at most left cells.
func appendSnake(out []byte, s *cell.Slice, left *int, m *meter) []byte {
	for ; *left > 0; *left-- {
		bits := s.BitsLeft()
		if !m.pay(bits / 8) {
			break
		}
		part, err := s.LoadSlice(bits - bits%8)
		if err != nil {
			return out
		}
		out = append(out, part...)
		if bits%8 != 0 || s.RefsNum() == 0 || len(out) >= maxValue {
			break
		}
		if s = reference(s); s == nil {
			break
		}
	}
	return out[:min(len(out), maxValue)]
}

// chunkBytes joins numbered chunks in ascending order of their keys.
func chunkBytes(s *cell.Slice, m *meter) []byte {
	out := []byte{}
	d, err := s.LoadDict(32)
	if err != nil || d.IsEmpty() {
		return out
	}
	it, err := d.Iterator(false, false)
	if err != nil {
		return out
	}
	left := maxParts
	for range maxChunks {
		if !it.Next() || len(out) >= maxValue || left <= 0 || m.empty() {
			break
		}
		leaf := it.Item().Value
		if leaf.BitsLeft() == 0 {
			if leaf = reference(leaf); leaf == nil {
				break
			}
		}
		out = appendSnake(out, leaf, &left, m)
	}
	return out[:min(len(out), maxValue)]
}

// begin starts reading an ordinary cell; nil for none and for special cells.
func begin(c *cell.Cell) *cell.Slice {
	if c == nil || c.IsSpecial() {
		return nil
	}
	s, err := c.BeginParse()
	if err != nil {
		return nil
	}
	return s
}

func reference(s *cell.Slice) *cell.Slice {
	c, err := s.LoadRefCell()
	if err != nil {
		return nil
	}
	return begin(c)
}
