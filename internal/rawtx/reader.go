package rawtx

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"math/bits"

	"tonql/internal/chain"
)

var (
	errExotic = errors.New("exotic cell where data was expected")
	errShort  = errors.New("a cell ends before its fields")
	errWide   = errors.New("a number of more than 64 bits")
)

// MaxCoins represents every amount that does not fit 63 bits.
const MaxCoins = chain.Coins(math.MaxInt64)

// reader reads one cell. After the first error every read returns zero values, so callers check err once, at the end.
type reader struct {
	bag  *bag
	cell cell
	pos  int // next bit
	next int // next reference
	err  error
}

// open starts reading a cell. Pruned branches, libraries and proofs hold no fields: they are errors here.
func (b *bag) open(index int) (r reader) {
	r.bag = b
	r.cell, r.err = b.cell(index)
	if r.err == nil && r.cell.d1&flagExotic != 0 {
		r.err = errExotic
	}
	return r
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// left is the number of bits that were not read.
func (r *reader) left() int { return r.cell.bits - r.pos }

func (r *reader) uint(n uint) uint64 {
	if r.err != nil || n == 0 {
		return 0
	}
	if n > 64 {
		r.fail(errWide)
		return 0
	}
	if r.left() < int(n) {
		r.fail(errShort)
		return 0
	}
	at, shift := r.pos/8, uint(r.pos%8)
	r.pos += int(n)
	if data := r.cell.data[at:]; len(data) >= 9 {
		v := binary.BigEndian.Uint64(data)<<shift | uint64(data[8])>>(8-shift)
		return v >> (64 - n)
	}
	var padded [9]byte
	copy(padded[:], r.cell.data[at:])
	v := binary.BigEndian.Uint64(padded[:])<<shift | uint64(padded[8])>>(8-shift)
	return v >> (64 - n)
}

func (r *reader) bit() bool {
	if r.err != nil {
		return false
	}
	if r.pos >= r.cell.bits {
		r.fail(errShort)
		return false
	}
	set := r.cell.data[r.pos/8]>>(7-r.pos%8)&1 == 1
	r.pos++
	return set
}

func (r *reader) int32() int32 { return int32(uint32(r.uint(32))) }

func (r *reader) hash() (h chain.Hash) {
	if r.err != nil {
		return h
	}
	if r.left() < 8*len(h) {
		r.fail(errShort)
		return h
	}
	copyBits(h[:], r.cell.data, r.pos, 8*len(h))
	r.pos += 8 * len(h)
	return h
}

// copyBits copies n bits of data from bit at on. What follows them in the last byte is zero.
func copyBits(to, data []byte, at, n int) {
	size := (n + 7) / 8
	from, shift := data[at/8:], uint(at%8)
	if shift == 0 {
		copy(to[:size], from)
	} else {
		for i := range size {
			b := from[i] << shift
			if i+1 < len(from) {
				b |= from[i+1] >> (8 - shift)
			}
			to[i] = b
		}
	}
	if rest := n % 8; rest != 0 {
		to[size-1] &= ^byte(0xff >> rest)
	}
}

// ref returns the index of the next reference.
func (r *reader) ref() int {
	if r.err != nil {
		return 0
	}
	if r.next >= int(r.cell.d1&maskRefs) {
		r.fail(errShort)
		return 0
	}
	to, err := r.bag.ref(&r.cell, r.next)
	r.next++
	r.fail(err)
	return to
}

// open starts reading the cell of the next reference.
func (r *reader) open() reader {
	to := r.ref()
	if r.err != nil {
		return reader{bag: r.bag, err: r.err}
	}
	return r.bag.open(to)
}

// skip drops bits.
func (r *reader) skip(n uint) {
	if r.err == nil && r.left() < int(n) {
		r.fail(errShort)
	}
	if r.err == nil {
		r.pos += int(n)
	}
}

// coins reads Grams (VarUInteger 16).
func (r *reader) coins() chain.Coins {
	size := uint(r.uint(4)) * 8
	if size <= 64 {
		return min(chain.Coins(r.uint(size)), MaxCoins)
	}
	head := r.uint(size - 64)
	low := chain.Coins(r.uint(64))
	if head != 0 {
		return MaxCoins
	}
	return min(low, MaxCoins)
}

// maybeCoins reads (Maybe Grams) into place and returns its address, nil when absent.
func (r *reader) maybeCoins(place *chain.Coins) *chain.Coins {
	if !r.bit() {
		return nil
	}
	*place = r.coins()
	return place
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
	var b [32]byte
	if r.left() < int(size) {
		r.fail(errShort)
		return new(big.Int)
	}
	copyBits(b[:size/8], r.cell.data, r.pos, int(size))
	r.pos += int(size)
	return new(big.Int).SetBytes(b[:size/8])
}

func (r *reader) maybeInt32(place *int32) *int32 {
	if !r.bit() {
		return nil
	}
	*place = r.int32()
	return place
}

// currencies reads CurrencyCollection.
func (r *reader) currencies(b *Budget) (chain.Coins, chain.ExtraCurrencies) {
	c := r.coins()
	return c, r.extra(b)
}

// extra reads ExtraCurrencyCollection.
func (r *reader) extra(b *Budget) chain.ExtraCurrencies {
	if !r.bit() {
		return nil
	}
	root := r.open()
	if r.err != nil {
		return nil
	}
	out := chain.ExtraCurrencies{}
	r.fail(walk(&root, 32, b, func(key uint64, v *reader) error {
		out[uint32(key)] = v.bigVarUint(5)
		return v.err
	}))
	return out
}

// lengthBits is the width of a number from 0 to n.
func lengthBits(n uint) uint { return uint(bits.Len(n)) }
