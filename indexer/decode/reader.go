package decode

import (
	"errors"
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/rawtx"
)

var (
	errExotic = errors.New("exotic cell where data was expected")
	errNoCell = errors.New("missing cell")
)

// reader reads one cell. After the first error every read returns zero values, so callers check err once, at the end.
type reader struct {
	s   cell.Slice
	err error
}

// open starts reading a cell. Pruned branches, libraries and proofs hold no fields: they are errors here.
func open(c *cell.Cell) reader {
	var r reader
	switch {
	case c == nil:
		r.err = errNoCell
	case c.IsSpecial():
		r.err = errExotic
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

func (r *reader) uint(bits uint) uint64 {
	if r.err != nil {
		return 0
	}
	v, err := r.s.LoadUInt(bits)
	r.fail(err)
	return v
}

func (r *reader) bit() bool { return r.uint(1) == 1 }

func (r *reader) int32() int32 { return int32(uint32(r.uint(32))) }

func (r *reader) hash() (h chain.Hash) {
	if r.err == nil {
		r.fail(r.s.LoadSliceInto(h[:], 256))
	}
	return h
}

func (r *reader) ref() *cell.Cell {
	if r.err != nil {
		return nil
	}
	c, err := r.s.LoadRefCell()
	r.fail(err)
	return c
}

// maybeRef reads (Maybe ^X), the form every HashmapE has too: nil when absent.
func (r *reader) maybeRef() *cell.Cell {
	if !r.bit() {
		return nil
	}
	return r.ref()
}

// skip drops bits.
func (r *reader) skip(bits uint) {
	if r.err == nil {
		r.fail(r.s.SkipBitsAndRefs(bits, 0))
	}
}

// coins reads Grams (VarUInteger 16).
func (r *reader) coins() chain.Coins {
	size := uint(r.uint(4)) * 8
	if size <= 64 {
		return min(chain.Coins(r.uint(size)), rawtx.MaxCoins)
	}
	head := r.uint(size - 64)
	low := chain.Coins(r.uint(64))
	if head != 0 {
		return rawtx.MaxCoins
	}
	return min(low, rawtx.MaxCoins)
}

func (r *reader) maybeCoins() *chain.Coins {
	if !r.bit() {
		return nil
	}
	v := r.coins()
	return &v
}

// varUint reads VarUInteger n for n up to 8 bytes, where lenBits is the width of its length.
func (r *reader) varUint(lenBits uint) uint64 { return r.uint(uint(r.uint(lenBits)) * 8) }

// bigVarUint reads VarUInteger n of any size.
func (r *reader) bigVarUint(lenBits uint) *big.Int {
	size := uint(r.uint(lenBits)) * 8
	if r.err != nil || size == 0 {
		return new(big.Int)
	}
	if size <= 64 {
		return new(big.Int).SetUint64(r.uint(size))
	}
	v, err := r.s.LoadBigUInt(size)
	r.fail(err)
	return v
}

// currencies reads CurrencyCollection.
func (r *reader) currencies(b *budget) (chain.Coins, chain.ExtraCurrencies) {
	c := r.coins()
	return c, r.extra(b)
}

// extra reads ExtraCurrencyCollection.
func (r *reader) extra(b *budget) chain.ExtraCurrencies {
	root := r.maybeRef()
	if root == nil {
		return nil
	}
	out := chain.ExtraCurrencies{}
	r.fail(walk(root, 32, b, func(key []byte, v *reader) error {
		id := uint32(key[0])<<24 | uint32(key[1])<<16 | uint32(key[2])<<8 | uint32(key[3])
		out[id] = v.bigVarUint(5)
		return v.err
	}))
	return out
}

// skipAddress drops MsgAddressInt: addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256, or
// addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len).
func (r *reader) skipAddress() {
	if !r.bit() {
		r.fail(errNotBlock)
	}
	variable := r.bit()
	if r.bit() { // depth:(#<= 30) rewrite_pfx:(bits depth)
		r.skip(uint(r.uint(5)))
	}
	if variable {
		r.skip(uint(r.uint(9)) + 32)
		return
	}
	r.skip(8 + 256)
}
