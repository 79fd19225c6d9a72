package rawtx

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"tonql/internal/boc"
	"tonql/internal/chain"
)

// bagOf returns a bag of cells of its own for a part, with a checksum, byte for byte as nodes write it.
func (o *order) bagOf(b *bag, p *part) (chain.BOC, error) {
	if p.refsLen == 0 {
		size := sizeOf(p, 1)
		w := newBagWriter(1, 1, (bits.Len(uint(size))+7)/8, size)
		w.cell(p, b.descriptor(p))
		return w.end(), nil
	}
	if err := o.of(b, p); err != nil {
		return nil, err
	}
	count := len(o.placed)
	refSize := (bits.Len(uint(count)) + 7) / 8
	size := 0
	for i := range o.nodes {
		size += sizeOf(&o.nodes[i].part, refSize)
	}
	w := newBagWriter(count, refSize, (bits.Len(uint(size))+7)/8, size)
	for i := count - 1; i >= 0; i-- {
		n := &o.nodes[o.placed[i]]
		w.cell(&n.part, b.descriptor(&n.part))
		for _, below := range n.below[:n.refsLen] {
			w.number(count-1-int(o.nodes[below].place), refSize)
		}
	}
	return w.end(), nil
}

// extract returns a bag of cells of a part, whatever its cells are, in the order that they have in the bag.
func (b *bag) extract(p *part) (chain.BOC, error) {
	found := make([]bool, b.count)
	stack := slices.Clone(p.refs[:p.refsLen])
	var cells []int
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; found[at] {
			continue
		}
		found[at] = true
		cells = append(cells, at)
		c, err := b.partOf(at)
		if err != nil {
			return nil, err
		}
		stack = append(stack, c.refs[:c.refsLen]...)
	}
	slices.Sort(cells)
	place := make(map[int]int, len(cells))
	for i, c := range cells {
		place[c] = i + 1
	}
	refSize := (bits.Len(uint(len(cells)+1)) + 7) / 8
	size := sizeOf(p, refSize)
	for _, at := range cells {
		c, _ := b.partOf(at)
		size += sizeOf(&c, refSize)
	}
	w := newBagWriter(len(cells)+1, refSize, (bits.Len(uint(size))+7)/8, size)
	write := func(p *part) {
		w.cell(p, b.descriptor(p))
		for _, ref := range p.refs[:p.refsLen] {
			w.number(place[ref], refSize)
		}
	}
	write(p)
	for _, at := range cells {
		c, _ := b.partOf(at)
		write(&c)
	}
	return w.end(), nil
}

// descriptor returns d1 of a part. A cell that is made of fields has the levels of its references.
func (b *bag) descriptor(p *part) byte {
	if p.index >= 0 {
		return b.boc[b.start(p.index)]
	}
	d1 := byte(p.refsLen)
	for _, ref := range p.refs[:p.refsLen] {
		d1 |= b.boc[b.start(ref)] & maskLevel
	}
	return d1
}

// sizeOf returns the length of a cell in a bag.
func sizeOf(p *part, refSize int) int { return 2 + (p.count+7)/8 + p.refsLen*refSize }

// bagWriter writes a bag of cells with one root, the first cell, and a checksum.
type bagWriter struct{ boc chain.BOC }

func newBagWriter(cells, refSize, offsetSize, dataSize int) bagWriter {
	w := bagWriter{make(chain.BOC, 0, 6+4*refSize+offsetSize+dataSize+4)}
	w.boc = binary.BigEndian.AppendUint32(w.boc, boc.Magic)
	w.boc = append(w.boc, boc.FlagChecksum|byte(refSize), byte(offsetSize))
	w.number(cells, refSize)
	w.number(1, refSize)
	w.number(0, refSize)
	w.number(dataSize, offsetSize)
	w.number(0, refSize)
	return w
}

func (w *bagWriter) number(v, size int) {
	for i := size - 1; i >= 0; i-- {
		w.boc = append(w.boc, byte(v>>(8*i)))
	}
}

// cell writes a cell, without its references.
func (w *bagWriter) cell(p *part, d1 byte) {
	w.boc = append(w.boc, d1, byte(p.count/8+(p.count+7)/8))
	w.boc = appendTagged(w.boc, &p.span)
}

func (w *bagWriter) end() chain.BOC {
	return binary.LittleEndian.AppendUint32(w.boc, boc.Checksum(w.boc))
}
