package layout

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// reader reads consecutive fields and stores the first error, so that the code for a
// layout resembles its TL-B line.
type reader struct {
	s   *cell.Slice
	err error
}

func (r *reader) uint(bits uint) (v uint64) {
	if r.err == nil {
		v, r.err = r.s.LoadUInt(bits)
	}
	return v
}

func (r *reader) int(bits uint) (v int64) {
	if r.err == nil {
		v, r.err = r.s.LoadInt(bits)
	}
	return v
}

func (r *reader) bool() (v bool) {
	if r.err == nil {
		v, r.err = r.s.LoadBoolBit()
	}
	return v
}

func (r *reader) bytes(n int) (v []byte) {
	if r.err == nil {
		v, r.err = r.s.LoadSlice(uint(n) * 8)
	}
	return v
}

func (r *reader) ref() (c *cell.Cell) {
	if r.err == nil {
		c, r.err = r.s.LoadRefCell()
	}
	return c
}

func (r *reader) maybeRef() *cell.Cell {
	if !r.bool() {
		return nil
	}
	return r.ref()
}

func (r *reader) grams() (v *big.Int) {
	if r.err == nil {
		v, r.err = LoadGrams(r.s)
	}
	return v
}

func (r *reader) currencies() (c Currencies) {
	if r.err == nil {
		c, r.err = LoadCurrencies(r.s)
	}
	return c
}

func (r *reader) extBlkRef() *tlb.ExtBlkRef {
	ref := &tlb.ExtBlkRef{EndLt: r.uint(64), SeqNo: uint32(r.uint(32)), RootHash: r.bytes(32), FileHash: r.bytes(32)}
	if r.err != nil {
		return nil
	}
	return ref
}
