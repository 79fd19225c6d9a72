package actionphase

import (
	"errors"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// errShort is returned for cells that end before their form does.
var errShort = errors.New("the cell ends before its form")

// reader reads the fields of a cell. After the first error all fields are zero.
type reader struct {
	s   *cell.Slice
	err error
}

// readerOf reads a cell; a missing one, nil, is an error.
func readerOf(c *cell.Cell) *reader {
	if c == nil {
		return &reader{err: errShort}
	}
	s, err := c.BeginParseWithoutTrace()
	return &reader{s: s, err: err}
}

// bits reads an unsigned number of at most 64 bits.
func (r *reader) bits(n uint) uint64 {
	if r.err != nil {
		return 0
	}
	v, err := r.s.LoadUInt(n)
	if err != nil {
		r.err = errShort
		return 0
	}
	return v
}

func (r *reader) flag() bool { return r.bits(1) == 1 }

func (r *reader) skip(n uint) {
	if r.err != nil {
		return
	}
	if _, err := r.s.LoadSlice(n); err != nil {
		r.err = errShort
	}
}

func (r *reader) bytes(n uint) []byte {
	if r.err != nil {
		return nil
	}
	b, err := r.s.LoadSlice(8 * n)
	if err != nil {
		r.err = errShort
	}
	return b
}

func (r *reader) ref() *cell.Cell {
	if r.err != nil {
		return nil
	}
	c, err := r.s.LoadRefCell()
	if err != nil {
		r.err = errShort
		return nil
	}
	return c
}

func (r *reader) maybeRef() *cell.Cell {
	if !r.flag() {
		return nil
	}
	return r.ref()
}

// varUint reads a VarUInteger whose length has the number of bits. canonical is false if it has leading zeros.
func (r *reader) varUint(lengthBits uint) (v *big.Int, canonical bool) {
	n := r.bits(lengthBits)
	if lengthBits < 4 && n == 1<<lengthBits-1 && r.err == nil { // VarUInteger 3 and 7 are shorter
		r.err = errShort
	}
	data := r.bytes(uint(n))
	if r.err != nil {
		return new(big.Int), false
	}
	return new(big.Int).SetBytes(data), n == 0 || data[0] != 0
}

func (r *reader) coins() *big.Int {
	v, _ := r.varUint(4)
	return v
}

func (r *reader) maybeCoins() *big.Int {
	if !r.flag() {
		return nil
	}
	return r.coins()
}

// copied returns a reader of what was not read, which leaves it to r.
func (r *reader) copied() *reader {
	if r.err != nil {
		return &reader{err: r.err}
	}
	return &reader{s: r.s.Copy()}
}

// rest returns what was not read as a builder.
func (r *reader) rest() *cell.Builder { return r.s.Copy().ToBuilder() }

// since returns what was read of r since before, which is a copy of its slice then.
func (r *reader) since(before *cell.Slice) *cell.Builder {
	b := cell.BeginCell()
	bits := before.BitsLeft() - r.s.BitsLeft()
	b.MustStoreSlice(before.MustPreloadSlice(bits), bits)
	for range before.RefsNum() - r.s.RefsNum() {
		if c, err := before.LoadRefCell(); err == nil {
			b.MustStoreRef(c)
		}
	}
	return b
}

// empty reports whether all was read.
func (r *reader) empty() bool { return r.err == nil && r.s.BitsLeft() == 0 && r.s.RefsNum() == 0 }
