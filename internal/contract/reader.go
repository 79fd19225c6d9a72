package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Reader reads the values of a result in order. After a value of a wrong type every further value is zero and Err returns
// the first error, so a complete result is read without checks in between. Values that are left over are no error:
// contracts return more than a standard requires.
type Reader struct {
	method string
	stack  []any
	at     int
	err    *Fault
}

// Read starts at the first value.
func (r *Result) Read() *Reader { return &Reader{method: r.Method, stack: r.Stack} }

// Err is what was wrong first; nil when nothing was. It is always a [Fault].
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Refusef lets the reader fail for a reason of the caller's.
func (r *Reader) Refusef(format string, args ...any) {
	if r.err == nil {
		r.err = faultf(r.method, WrongResult, format, args...)
	}
}

// Left is how many values were not taken yet.
func (r *Reader) Left() int { return len(r.stack) - r.at }

func (r *Reader) next() any {
	if r.err != nil {
		return nil
	}
	if r.at == len(r.stack) {
		r.Refusef("only %d values", len(r.stack))
		return nil
	}
	v := r.stack[r.at]
	r.at++
	return v
}

func (r *Reader) wrong(want string) { r.Refusef("value %d is not %s", r.at-1, want) }

// Skip leaves values out.
func (r *Reader) Skip(n int) {
	for range n {
		r.next()
	}
}

// Int takes an integer; it is never nil.
func (r *Reader) Int() *big.Int {
	if n, ok := r.next().(*big.Int); ok && n != nil {
		return n
	}
	r.wrong("an integer")
	return new(big.Int)
}

// IntOrNull takes an integer or null.
func (r *Reader) IntOrNull() *big.Int {
	v := r.next()
	if v == nil {
		return nil
	}
	if n, ok := v.(*big.Int); ok {
		return n
	}
	r.wrong("an integer or null")
	return nil
}

// Unsigned takes an integer of at most that many bits that is not negative.
func (r *Reader) Unsigned(bits int) *big.Int {
	n := r.Int()
	if n.Sign() < 0 || n.BitLen() > bits {
		r.wrong("an unsigned integer of that size")
		return new(big.Int)
	}
	return n
}

// Uint64 takes an unsigned integer of at most that many bits, up to 64.
func (r *Reader) Uint64(bits int) uint64 { return r.Unsigned(bits).Uint64() }

// Int64 takes an integer of 64 bits.
func (r *Reader) Int64() int64 {
	n := r.Int()
	if !n.IsInt64() {
		r.wrong("an integer of 64 bits")
		return 0
	}
	return n.Int64()
}

// Bool takes a truth value: any integer, zero is false.
func (r *Reader) Bool() bool { return r.Int().Sign() != 0 }

// Cell takes a cell; it is never nil unless the reader failed.
func (r *Reader) Cell() *cell.Cell {
	c := r.CellOrNull()
	if c == nil {
		r.wrong("a cell")
	}
	return c
}

// CellOrNull takes a cell or null. A slice is taken as the cell it would make.
func (r *Reader) CellOrNull() *cell.Cell {
	switch v := r.next().(type) {
	case nil:
		return nil
	case *cell.Cell:
		return v
	case *cell.Slice:
		if c, err := v.Copy().ToCell(); err == nil {
			return c
		}
	}
	r.wrong("a cell")
	return nil
}

// Slice takes a slice or the content of a cell; it is never nil unless the reader failed.
func (r *Reader) Slice() *cell.Slice {
	switch v := r.next().(type) {
	case *cell.Slice:
		return v.Copy()
	case *cell.Cell:
		if s, err := v.BeginParse(); err == nil {
			return s
		}
	}
	r.wrong("a slice")
	return nil
}

// Address takes an address or the absence of one: null, addr_none, an external or variable address give nil.
func (r *Reader) Address() *chain.Address {
	v := r.next()
	if v == nil {
		return nil
	}
	s, ok := v.(*cell.Slice)
	if !ok {
		c, ok := v.(*cell.Cell)
		if !ok {
			r.wrong("an address")
			return nil
		}
		var err error
		if s, err = c.BeginParse(); err != nil {
			r.wrong("an address")
			return nil
		}
	}
	if s.BitsLeft() == 0 {
		return nil // an empty slice: missing altogether
	}
	a, err := LoadAddress(s.Copy())
	if err != nil {
		r.wrong("an address")
	}
	return a
}

// NeedAddress takes an address that must be there.
func (r *Reader) NeedAddress() chain.Address {
	a := r.Address()
	if a == nil {
		r.wrong("an internal address")
		return chain.Address{}
	}
	return *a
}

// LoadAddress loads a MsgAddress. Only a standard internal address without anycast is one for us; addr_none,
// addr_extern, addr_var and rewritten addresses give nil. What is no MsgAddress at all, or is cut short, is an error.
func LoadAddress(s *cell.Slice) (*chain.Address, error) {
	a, err := s.LoadAddr()
	if err != nil {
		return nil, chain.Invalidf("an address that cannot be read")
	}
	if a.Type() != address.StdAddress || a.Anycast() != nil || len(a.Data()) != len(chain.Hash{}) {
		return nil, nil
	}
	return &chain.Address{Workchain: int32(int8(a.Workchain())), ID: chain.HashFrom(a.Data())}, nil
}
