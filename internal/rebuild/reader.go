package rebuild

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// reader reads one cell. It stores its first error; after that every read gives zero.
type reader struct {
	s   cell.Slice
	err error
}

func open(c *cell.Cell) reader {
	var r reader
	switch {
	case c == nil:
		r.err = errNoCell
	case c.IsSpecial():
		r.err = errRow
	default:
		r.err = c.BeginParseIntoWithoutTrace(&r.s)
	}
	return r
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) uint(bits uint) (v uint64) {
	if r.err == nil {
		var err error
		v, err = r.s.LoadUInt(bits)
		r.fail(err)
	}
	return v
}

func (r *reader) hash() (h chain.Hash) {
	if r.err == nil {
		r.fail(r.s.LoadSliceInto(h[:], 256))
	}
	return h
}

func (r *reader) skip(bits uint) {
	if r.err == nil {
		r.fail(r.s.SkipBitsAndRefs(bits, 0))
	}
}

func (r *reader) ref() (c *cell.Cell) {
	if r.err == nil {
		var err error
		c, err = r.s.LoadRefCell()
		r.fail(err)
	}
	return c
}

// currencies skips CurrencyCollection.
func (r *reader) currencies() {
	r.skip(8 * uint(r.uint(4)))
	if r.uint(1) == 1 {
		r.ref()
	}
}
