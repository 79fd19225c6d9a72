package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Loader loads the fields of a cell in order. After the first missing field, Err returns an error and every further
// field is zero, as with [Reader].
type Loader struct {
	s   *cell.Slice
	err error
}

// Load returns a Loader at the beginning of a cell; nil and special cells are an error.
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

// LoadSlice returns a Loader at the beginning of a slice, which it does not change.
func LoadSlice(s *cell.Slice) *Loader {
	if s == nil {
		return Load(nil)
	}
	return &Loader{s: s.Copy()}
}

// Err returns the first error, a [chain.Error] of kind Invalid.
func (l *Loader) Err() error { return l.err }

// Failf sets the error of the loader, if it has none.
func (l *Loader) Failf(format string, args ...any) {
	if l.err == nil {
		l.err = chain.Invalidf(format, args...)
	}
}

// BitsLeft returns the number of bits that are left; 0 after an error.
func (l *Loader) BitsLeft() int {
	if l.err != nil {
		return 0
	}
	return int(l.s.BitsLeft())
}

// RefsLeft returns the number of references that are left; 0 after an error.
func (l *Loader) RefsLeft() int {
	if l.err != nil {
		return 0
	}
	return l.s.RefsNum()
}

// Uint loads an unsigned integer of up to 64 bits.
func (l *Loader) Uint(bits uint) uint64 {
	if l.err != nil {
		return 0
	}
	n, err := l.s.LoadUInt(bits)
	l.check(err, "%d bits", bits)
	return n
}

// BigUint loads an unsigned integer of up to 256 bits.
func (l *Loader) BigUint(bits uint) *big.Int {
	if l.err == nil {
		n, err := l.s.LoadBigUInt(bits)
		if l.check(err, "%d bits", bits); err == nil {
			return n
		}
	}
	return new(big.Int)
}

// Bool loads one bit.
func (l *Loader) Bool() bool { return l.Uint(1) == 1 }

// Opcode loads 32 bits, which must have this value.
func (l *Loader) Opcode(op uint32) {
	if got := l.Uint(32); l.err == nil && got != uint64(op) {
		l.Failf("opcode %#08x where %#08x is expected", got, op)
	}
}

// Coins loads a VarUInteger 16; it is never nil.
func (l *Loader) Coins() *big.Int {
	if l.err == nil {
		n, err := l.s.LoadBigCoins()
		if l.check(err, "an amount"); err == nil {
			return n
		}
	}
	return new(big.Int)
}

// Hash loads 256 bits.
func (l *Loader) Hash() chain.Hash {
	if l.err != nil {
		return chain.Hash{}
	}
	b, err := l.s.LoadSlice(256)
	l.check(err, "256 bits")
	return chain.HashFrom(b)
}

// Bytes loads n bytes.
func (l *Loader) Bytes(n int) []byte {
	if l.err != nil {
		return nil
	}
	b, err := l.s.LoadSlice(uint(n) * 8)
	l.check(err, "%d bytes", n)
	return b
}

// Address loads a MsgAddress; nil for every form that is not a standard internal address.
func (l *Loader) Address() *chain.Address {
	if l.err != nil {
		return nil
	}
	a, err := LoadAddress(l.s)
	l.check(err, "an address")
	return a
}

// AddressWithoutRewrite loads a MsgAddress and ignores the rewrite prefix of a standard address. It is nil for
// addr_none and addr_extern. An addr_var, which no network has, is an error.
func (l *Loader) AddressWithoutRewrite() *chain.Address {
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

// NeedAddress loads a standard internal address; any other form is an error.
func (l *Loader) NeedAddress() chain.Address {
	a := l.Address()
	if a == nil {
		l.Failf("no internal address where one is needed")
		return chain.Address{}
	}
	return *a
}

// Ref loads a reference.
func (l *Loader) Ref() *cell.Cell {
	if l.err != nil {
		return nil
	}
	c, err := l.s.LoadRefCell()
	l.check(err, "a reference")
	return c
}

// MaybeRef loads a Maybe ^Cell; nil when absent.
func (l *Loader) MaybeRef() *cell.Cell {
	if l.Bool() {
		return l.Ref()
	}
	return nil
}

// Either loads an Either Cell ^Cell at the end of the cell; content in place is returned as a cell. inRef reports which
// of the two it was. When the bit is missing, which some senders omit, what is left is content in place: nothing, or references.
func (l *Loader) Either() (c *cell.Cell, inRef bool) {
	if l.BitsLeft() > 0 && l.Bool() {
		return l.Ref(), true
	}
	return l.Rest(), false
}

// Rest loads everything that is left.
func (l *Loader) Rest() *cell.Cell {
	if l.err != nil {
		return nil
	}
	c, err := l.s.ToCell()
	l.check(err, "the rest")
	if err == nil {
		_ = l.s.SkipBitsAndRefs(l.s.BitsLeft(), l.s.RefsNum())
	}
	return c
}

// Slice returns a copy of what is left; loading from the copy does not change the loader.
func (l *Loader) Slice() *cell.Slice { return l.s.Copy() }

func (l *Loader) check(err error, what string, args ...any) {
	if err != nil {
		l.Failf("the cell ends before "+what, args...)
	}
}
