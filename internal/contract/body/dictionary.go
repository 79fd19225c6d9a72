package body

import (
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// dictionary prints an object from key, in upper-case hex, to value, in ascending order of the keys as they are.
func (d *decoder) dictionary(s *cell.Slice, t *typ) bool {
	var root cell.Slice
	if t.kind == kindMapE {
		some, err := s.LoadUInt(1)
		if err != nil {
			return false
		}
		if some == 0 {
			return d.put(`{"@type":"hashmap_empty"}`)
		}
		c, err := s.LoadRefCell()
		if err != nil || !d.enter(c, &root) {
			return false
		}
		s = &root
	}
	w := walk{d: d, elem: t.elem, bits: t.n}
	return d.put(`{"@type":"hashmap"`) && w.edge(s, 0) && d.put("}")
}

// walk goes through a dictionary, left before right.
type walk struct {
	d    *decoder
	elem *typ
	bits uint      // of a key
	key  [128]byte // of which the first bits are known; zero behind the last
}

// edge reads a label behind the known bits of the key, then a value or two edges.
func (w *walk) edge(s *cell.Slice, read uint) bool {
	n, ok := w.label(s, read)
	if !ok {
		return false
	}
	read += n
	if read == w.bits {
		return w.leaf(s)
	}
	for bit := range uint64(2) {
		c, err := s.LoadRefCell()
		var child cell.Slice
		if err != nil || !w.d.enter(c, &child) {
			return false
		}
		w.set(read, 1, bit)
		if !w.edge(&child, read+1) {
			return false
		}
	}
	return true
}

func (w *walk) leaf(s *cell.Slice) bool {
	d := w.d
	mark := len(d.b)
	key := w.key
	d.b = append(appendBits(append(d.b, `,"`...), key[:], w.bits), `":`...)
	return d.wrote(mark) && d.value(s, w.elem) && s.BitsLeft() == 0 && s.RefsNum() == 0
}

// set writes n bits of the key behind the first at bits.
func (w *walk) set(at, n uint, value uint64) {
	for i := range n {
		mask := byte(0x80) >> ((at + i) % 8)
		w.key[(at+i)/8] &^= mask
		if value>>(n-1-i)&1 == 1 {
			w.key[(at+i)/8] |= mask
		}
	}
}

// label reads the bits that all keys below an edge share; at most those that are left of a key.
func (w *walk) label(s *cell.Slice, read uint) (uint, bool) {
	left := w.bits - read
	width := uint(bits.Len(left)) // of a length up to left
	form, err := s.LoadUInt(1)
	if err != nil {
		return 0, false
	}
	if form == 0 { // length in unary
		n := uint(0)
		for {
			bit, err := s.LoadUInt(1)
			if err != nil || n > left {
				return 0, false
			}
			if bit == 0 {
				return n, w.copy(s, read, n)
			}
			n++
		}
	}
	same, err := s.LoadUInt(1)
	if err != nil {
		return 0, false
	}
	var repeated uint64
	if same == 1 {
		if repeated, err = s.LoadUInt(1); err != nil {
			return 0, false
		}
	}
	n, err := s.LoadUInt(width)
	if err != nil || uint(n) > left {
		return 0, false
	}
	if same == 0 {
		return uint(n), w.copy(s, read, uint(n))
	}
	for i := range uint(n) {
		w.set(read+i, 1, repeated)
	}
	return uint(n), true
}

// copy takes n bits of the key from s.
func (w *walk) copy(s *cell.Slice, read, n uint) bool {
	if n > w.bits-read {
		return false
	}
	for n > 0 {
		part := min(n, 64)
		v, err := s.LoadUInt(part)
		if err != nil {
			return false
		}
		w.set(read, part, v)
		read, n = read+part, n-part
	}
	return true
}
