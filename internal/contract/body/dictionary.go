package body

import (
	"math/bits"
	"strings"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// dictionary prints a dictionary as the tree that it is: edges with a label, and nodes that are leaves or forks.
func (d *decoder) dictionary(s *cell.Slice, t *typ) bool {
	if t.kind == kindMap {
		return d.edge(s, t.n, t.elem)
	}
	some, err := s.LoadUInt(1)
	if err != nil {
		return false
	}
	if some == 0 {
		return d.put(`{"@type":"hashmap_empty"}`)
	}
	return d.put(`{"@type":"hashmap_root","root":`) && d.edgeRef(s, t.n, t.elem) && d.put("}")
}

// edge prints what keys have in common that have the given number of bits left, then a value or two edges. It is a level of its own.
func (d *decoder) edge(s *cell.Slice, left uint, elem *typ) bool {
	if d.depth++; d.depth > maxDepth {
		d.over = true
	}
	fits := !d.over && d.put(`{"@type":"hashmap_edge","label":`) && d.labelAndNode(s, left, elem) && d.put("}")
	d.depth--
	return fits
}

func (d *decoder) labelAndNode(s *cell.Slice, left uint, elem *typ) bool {
	n, ok := d.label(s, left)
	if !ok || !d.put(`,"node":`) {
		return false
	}
	if n == left {
		return d.put(`{"@type":"hashmap_node_leaf","value":`) && d.value(s, elem) && d.put("}")
	}
	return d.put(`{"@type":"hashmap_node_fork","left":`) && d.edgeRef(s, left-n-1, elem) &&
		d.put(`,"right":`) && d.edgeRef(s, left-n-1, elem) && d.put("}")
}

func (d *decoder) edgeRef(s *cell.Slice, left uint, elem *typ) bool {
	c, err := s.LoadRefCell()
	var child cell.Slice
	return err == nil && d.enter(c, &child) && d.edge(&child, left, elem)
}

// label prints the bits that all keys below an edge share, at most left, and gives their number.
func (d *decoder) label(s *cell.Slice, left uint) (uint, bool) {
	long, err := s.LoadUInt(1)
	if err != nil {
		return 0, false
	}
	if long == 0 {
		return d.shortLabel(s, left)
	}
	same, err := s.LoadUInt(1)
	if err != nil {
		return 0, false
	}
	if same == 0 {
		n, ok := d.labelLength(s, left, `{"@type":"hashmap_label_long","n":`)
		return n, ok && d.put(`,"s":`) && d.labelBits(s, n) && d.put("}")
	}
	repeated, err := s.LoadUInt(1)
	if err != nil {
		return 0, false
	}
	open := `{"@type":"hashmap_label_same","v":false,"n":`
	if repeated == 1 {
		open = `{"@type":"hashmap_label_same","v":true,"n":`
	}
	n, ok := d.labelLength(s, left, open)
	return n, ok && d.put("}")
}

// shortLabel prints a label whose length is in unary.
func (d *decoder) shortLabel(s *cell.Slice, left uint) (uint, bool) {
	n := uint(0)
	for {
		bit, err := s.LoadUInt(1)
		if err != nil || n > left {
			return 0, false
		}
		if bit == 0 {
			break
		}
		n++
	}
	if n > left || !d.put(`{"@type":"hashmap_label_short","len":`) {
		return 0, false
	}
	for range n {
		if !d.put(`{"@type":"unary_succ","x":`) {
			return 0, false
		}
	}
	return n, d.put(`{"@type":"unary_zero"}`) && d.put(strings.Repeat("}", int(n))) && d.put(`,"s":`) && d.labelBits(s, n) && d.put("}")
}

// labelLength prints a length of at most left.
func (d *decoder) labelLength(s *cell.Slice, left uint, open string) (uint, bool) {
	if !d.put(open) {
		return 0, false
	}
	width := uint(bits.Len(left))
	n, err := s.PreloadUInt(width)
	if err != nil || uint(n) > left {
		return 0, false
	}
	mark := len(d.b)
	return uint(n), d.unsigned(s, width) && d.wrote(mark)
}

func (d *decoder) labelBits(s *cell.Slice, n uint) bool {
	mark := len(d.b)
	return d.bits(s, n) && d.wrote(mark)
}
