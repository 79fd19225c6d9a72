package rawtx

import (
	"encoding/binary"

	"tonql/internal/chain"
)

// span is a number of bits of a cell that need not begin at a byte.
type span struct {
	data        []byte
	from, count int
}

// appendTo appends the bits, with what follows them in the last byte zero.
func (b *span) appendTo(to []byte) []byte {
	start, size := len(to), (b.count+7)/8
	for range size {
		to = append(to, 0)
	}
	if size > 0 {
		copyBits(to[start:], b.data, b.from, b.count)
	}
	return to
}

// part is a cell that a message holds: one of the bag, or one of which the fields lie in the cell of the message.
type part struct {
	span
	index   int // of the cell in the bag, -1 for fields in another cell
	special bool
	refs    [maxRefs]int
	refsLen int
}

func (b *bag) partOf(index int) (p part, err error) {
	c, err := b.cell(index)
	if err != nil {
		return p, err
	}
	p = part{span: span{data: c.data, count: c.bits}, index: index, special: c.d1&flagExotic != 0}
	p.refsLen = int(c.d1 & maskRefs)
	for i := range p.refsLen {
		if p.refs[i], err = b.ref(&c, i); err != nil {
			return p, err
		}
	}
	return p, nil
}

// inline makes the part of the next bits and references.
func (r *reader) inline(count, refs int) (p part) {
	if r.left() < count {
		r.fail(errShort)
		return p
	}
	p = part{span: span{data: r.cell.data, from: r.pos, count: count}, index: -1}
	r.pos += count
	for range refs {
		p.refs[p.refsLen] = r.ref()
		p.refsLen++
	}
	return p
}

func (r *reader) referenced() (p part) {
	to := r.ref()
	if r.err != nil {
		return p
	}
	p, err := r.bag.partOf(to)
	r.fail(err)
	return p
}

// stateInit reads init:(Maybe (Either StateInit ^StateInit)). A state-init written into the message becomes a cell of its own,
// because its hash is the one that addresses derive from.
func (r *reader) stateInit() (p part, ok bool) {
	if !r.bit() {
		return p, false
	}
	if r.bit() {
		return r.referenced(), r.err == nil
	}
	// fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE …)
	probe := *r
	if probe.bit() {
		probe.skip(5)
	}
	if probe.bit() {
		probe.skip(2)
	}
	refs := 0
	for range 3 {
		if probe.bit() {
			refs++
		}
	}
	if r.fail(probe.err); r.err != nil {
		return p, false
	}
	return r.inline(probe.pos-r.pos, refs), r.err == nil
}

// body reads body:(Either X ^X).
func (r *reader) body() part {
	if r.bit() {
		return r.referenced()
	}
	if r.err != nil {
		return part{}
	}
	return r.inline(r.left(), int(r.cell.d1&maskRefs)-r.next)
}

// opcode is the first 32 bits, nil when there are fewer.
func (p *part) opcode(place *uint32) *uint32 {
	if p.special || p.count < 32 {
		return nil
	}
	var b [4]byte
	copyBits(b[:], p.data, p.from, 32)
	*place = binary.BigEndian.Uint32(b[:])
	return place
}

// library reports whether a special cell is a reference to a library: the type 2 and a hash.
func (p *part) library() bool { return p.count == 8+256 && p.refsLen == 0 && p.data[0] == 2 }

// cellHash is the representation hash of a cell without a level, and its depth.
type cellHash struct {
	hash  chain.Hash
	depth int
	done  bool
}
