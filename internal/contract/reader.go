package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// Reader reads the values of a result in order. After a value of a wrong type, Err returns an error and every further
// value is zero, so that callers check once at the end. Unread values are no error: contracts may return more than a
// standard requires.
type Reader struct {
	method string
	stack  []any
	at     int
	err    *Fault
}

// Read returns a Reader at the first value.
func (r *Result) Read() *Reader { return &Reader{method: r.Method, stack: r.Stack} }

// Err returns the first error, which is always a [Fault]; nil when there is none.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Failf sets the error of the reader, if it has none.
func (r *Reader) Failf(format string, args ...any) {
	if r.err == nil {
		r.err = faultf(r.method, WrongResult, format, args...)
	}
}

// Left returns the number of unread values.
func (r *Reader) Left() int { return len(r.stack) - r.at }

func (r *Reader) next() any {
	if r.err != nil {
		return nil
	}
	if r.at == len(r.stack) {
		r.Failf("only %d values", len(r.stack))
		return nil
	}
	v := r.stack[r.at]
	r.at++
	return v
}

func (r *Reader) wrong(want string) { r.Failf("value %d is not %s", r.at-1, want) }

// Skip skips n values.
func (r *Reader) Skip(n int) {
	for range n {
		r.next()
	}
}

// Int reads an integer; it is never nil.
func (r *Reader) Int() *big.Int {
	if n, ok := r.next().(*big.Int); ok && n != nil {
		return n
	}
	r.wrong("an integer")
	return new(big.Int)
}

// IntOrNull reads an integer or null.
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

// Unsigned reads an unsigned integer of at most the given number of bits.
func (r *Reader) Unsigned(bits int) *big.Int {
	n := r.Int()
	if n.Sign() < 0 || n.BitLen() > bits {
		r.wrong("an unsigned integer of that size")
		return new(big.Int)
	}
	return n
}

// Uint64 reads an unsigned integer of at most the given number of bits, up to 64.
func (r *Reader) Uint64(bits int) uint64 { return r.Unsigned(bits).Uint64() }

// Int64 reads an integer of 64 bits.
func (r *Reader) Int64() int64 {
	n := r.Int()
	if !n.IsInt64() {
		r.wrong("an integer of 64 bits")
		return 0
	}
	return n.Int64()
}

// Bool reads an integer; zero is false.
func (r *Reader) Bool() bool { return r.Int().Sign() != 0 }

// Cell reads a cell; it is nil only after an error.
func (r *Reader) Cell() *cell.Cell {
	c := r.CellOrNull()
	if c == nil {
		r.wrong("a cell")
	}
	return c
}

// CellOrNull reads a cell or null. A slice is converted to a cell.
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

// Slice reads a slice or the content of a cell; it is nil only after an error.
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

// Address reads an address. It is nil for null, an empty slice, addr_none, addr_extern, addr_var and addresses with anycast.
func (r *Reader) Address() *chain.Address {
	a, _ := r.address()
	return a
}

// AddressOrNone reads a standard internal address, or nil for null, an empty slice and addr_none; any other address is an error.
func (r *Reader) AddressOrNone() *chain.Address {
	a, none := r.address()
	if a == nil && !none {
		r.wrong("an internal address or addr_none")
	}
	return a
}

// address reads an address. none reports whether it is null, an empty slice or addr_none.
func (r *Reader) address() (a *chain.Address, none bool) {
	v := r.next()
	if v == nil {
		return nil, true
	}
	s, ok := v.(*cell.Slice)
	if !ok {
		c, ok := v.(*cell.Cell)
		if !ok {
			r.wrong("an address")
			return nil, false
		}
		var err error
		if s, err = c.BeginParse(); err != nil {
			r.wrong("an address")
			return nil, false
		}
	}
	if s.BitsLeft() == 0 {
		return nil, true // an empty slice
	}
	tag, _ := s.PreloadUInt(min(addressTagBits, s.BitsLeft()))
	a, err := LoadAddress(s.Copy())
	if err != nil {
		r.wrong("an address")
	}
	return a, err == nil && tag == 0
}

// addressTagBits is the length of the tag of a MsgAddress, which is 0 for addr_none.
const addressTagBits = 2

// NeedAddress reads a standard internal address; any other value is an error.
func (r *Reader) NeedAddress() chain.Address {
	a := r.Address()
	if a == nil {
		r.wrong("an internal address")
		return chain.Address{}
	}
	return *a
}

// LoadAddress loads a MsgAddress. It is nil for addr_none, addr_extern, addr_var and addresses with anycast: only
// standard internal addresses without it are returned. A malformed or truncated MsgAddress is an error.
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
