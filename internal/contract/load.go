package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Loader takes the fields of a cell one after the other. The first field that is not there is remembered and makes
// everything after it zero, as with [Reader].
type Loader struct {
	s   *cell.Slice
	err error
}

// Load starts at the beginning of a cell; nil and special cells fail.
func Load(c *cell.Cell) *Loader {
	if c == nil || c.IsSpecial() {
		return &Loader{s: cell.BeginCell().ToSlice(), err: chain.Invalidf("no ordinary cell")}
	}
	s, err := c.BeginParse()
	if err != nil {
		return &Loader{s: cell.BeginCell().ToSlice(), err: chain.Invalidf("a cell that cannot be read")}
	}
	return &Loader{s: s}
}

// LoadSlice starts at the beginning of a slice, which stays as it is.
func LoadSlice(s *cell.Slice) *Loader {
	if s == nil {
		return Load(nil)
	}
	return &Loader{s: s.Copy()}
}

// Err is what was missing first: a [chain.Error] of kind Invalid.
func (l *Loader) Err() error { return l.err }

// Failf makes the loader fail for a reason of the caller's.
func (l *Loader) Failf(format string, args ...any) {
	if l.err == nil {
		l.err = chain.Invalidf(format, args...)
	}
}

// BitsLeft and RefsLeft are what was not taken yet; nothing after a failure.
func (l *Loader) BitsLeft() int {
	if l.err != nil {
		return 0
	}
	return int(l.s.BitsLeft())
}

// RefsLeft is how many references were not taken yet.
func (l *Loader) RefsLeft() int {
	if l.err != nil {
		return 0
	}
	return l.s.RefsNum()
}

// Uint takes an unsigned integer of up to 64 bits.
func (l *Loader) Uint(bits uint) uint64 {
	if l.err != nil {
		return 0
	}
	n, err := l.s.LoadUInt(bits)
	l.note(err, "%d bits", bits)
	return n
}

// BigUint takes an unsigned integer of up to 256 bits.
func (l *Loader) BigUint(bits uint) *big.Int {
	if l.err == nil {
		n, err := l.s.LoadBigUInt(bits)
		if l.note(err, "%d bits", bits); err == nil {
			return n
		}
	}
	return new(big.Int)
}

// Bool takes one bit.
func (l *Loader) Bool() bool { return l.Uint(1) == 1 }

// Opcode takes 32 bits that must have this value.
func (l *Loader) Opcode(op uint32) {
	if got := l.Uint(32); l.err == nil && got != uint64(op) {
		l.Failf("opcode %#08x where %#08x is expected", got, op)
	}
}

// Coins takes a VarUInteger 16; it is never nil.
func (l *Loader) Coins() *big.Int {
	if l.err == nil {
		n, err := l.s.LoadBigCoins()
		if l.note(err, "an amount"); err == nil {
			return n
		}
	}
	return new(big.Int)
}

// Hash takes 256 bits.
func (l *Loader) Hash() chain.Hash {
	if l.err != nil {
		return chain.Hash{}
	}
	b, err := l.s.LoadSlice(256)
	l.note(err, "256 bits")
	return chain.HashFrom(b)
}

// Bytes reads bytes.
func (l *Loader) Bytes(n int) []byte {
	if l.err != nil {
		return nil
	}
	b, err := l.s.LoadSlice(uint(n) * 8)
	l.note(err, "%d bytes", n)
	return b
}

// Address takes a MsgAddress; nil for every form that is not a standard internal address.
func (l *Loader) Address() *chain.Address {
	if l.err != nil {
		return nil
	}
	a, err := LoadAddress(l.s)
	l.note(err, "an address")
	return a
}

// WrittenAddress takes a MsgAddress as it is written: a standard address with a rewrite prefix keeps its own workchain and
// hash. It is nil for no address and for an external one, and fails for an address of variable length, which no network has.
func (l *Loader) WrittenAddress() *chain.Address {
	const (
		addrExtern = 1
		addrStd    = 2
		addrVar    = 3
	)
	switch l.Uint(2) {
	case addrExtern:
		for left := uint(l.Uint(9)); left > 0; {
			piece := min(left, 64)
			l.Uint(piece)
			left -= piece
		}
	case addrStd:
		if l.Bool() {
			depth := uint(l.Uint(5))
			if depth == 0 {
				l.Failf("a rewrite prefix without bits")
			}
			l.Uint(depth)
		}
		a := chain.Address{Workchain: int32(int8(l.Uint(8))), ID: l.Hash()}
		if l.err == nil {
			return &a
		}
	case addrVar:
		l.Failf("an address of variable length")
	}
	return nil
}

// NeedAddress takes a standard internal address.
func (l *Loader) NeedAddress() chain.Address {
	a := l.Address()
	if a == nil {
		l.Failf("no internal address where one is needed")
		return chain.Address{}
	}
	return *a
}

// Ref takes a reference.
func (l *Loader) Ref() *cell.Cell {
	if l.err != nil {
		return nil
	}
	c, err := l.s.LoadRefCell()
	l.note(err, "a reference")
	return c
}

// MaybeRef takes a Maybe ^Cell; nil when absent.
func (l *Loader) MaybeRef() *cell.Cell {
	if l.Bool() {
		return l.Ref()
	}
	return nil
}

// Either takes an Either Cell ^Cell, which ends the cell: what is in place becomes a cell of its own. inRef reports
// which of the two it was. Senders that leave even the bit out mean nothing in place.
func (l *Loader) Either() (c *cell.Cell, inRef bool) {
	if l.err == nil && l.s.BitsLeft() == 0 && l.s.RefsNum() == 0 {
		return cell.BeginCell().EndCell(), false
	}
	if l.Bool() {
		return l.Ref(), true
	}
	return l.Rest(), false
}

// Rest takes everything that is left.
func (l *Loader) Rest() *cell.Cell {
	if l.err != nil {
		return nil
	}
	c, err := l.s.ToCell()
	l.note(err, "the rest")
	if err == nil {
		_ = l.s.SkipBitsAndRefs(l.s.BitsLeft(), l.s.RefsNum())
	}
	return c
}

// Slice is the part not taken yet; what is taken from it is not taken from the loader.
func (l *Loader) Slice() *cell.Slice { return l.s.Copy() }

func (l *Loader) note(err error, what string, args ...any) {
	if err != nil {
		l.Failf("the cell ends before "+what, args...)
	}
}
