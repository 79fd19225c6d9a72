package boundedvm

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// popDictionary takes a dictionary and the length of its keys, which is at most limit.
func popDictionary(s *vm.State, limit int64) (*dictionary, error) {
	n, err := s.Stack.PopIntRangeInt64(0, limit)
	if err != nil {
		return nil, err //nolint:wrapcheck // the VM's own exception
	}
	root, err := s.Stack.PopMaybeCell()
	return &dictionary{s: s, root: root, bits: int(n)}, err //nolint:wrapcheck // the VM's own exception
}

// pop takes a dictionary from a stack of at least depth values.
func popDeep(s *vm.State, depth int, limit int64) (*dictionary, error) {
	if s.Stack.Len() < depth {
		return nil, vmerr.Error(vmerr.CodeStackUnderflow)
	}
	return popDictionary(s, limit)
}

var errKey = vmerr.Error(vmerr.CodeCellUnderflow, "not enough bits for a key of a dictionary")

// popKey takes a key of n bits. A number that has more, and a slice that has fewer, gives false.
func popKey(s *vm.State, kind keyKind, n int) (key *keyBits, ok bool, err error) {
	key = &keyBits{}
	if kind == keySlice {
		slice, err := s.Stack.PopSlice()
		if err != nil {
			return nil, false, err //nolint:wrapcheck // the VM's own exception
		}
		if int(slice.BitsLeft()) < n {
			return nil, false, nil
		}
		key.load(0, slice, n)
		return key, true, nil
	}
	number, err := s.Stack.PopIntFiniteRead()
	if err != nil {
		return nil, false, err //nolint:wrapcheck // the VM's own exception
	}
	return key, key.number(number, n, kind == keySigned), nil
}

// number makes the key of a number and reports whether it has at most n bits.
func (k *keyBits) number(v *big.Int, n int, signed bool) bool {
	length := v.BitLen()
	if v.Sign() < 0 {
		if !signed {
			return false
		}
		length = new(big.Int).Not(v).BitLen()
	}
	if signed && v.Sign() != 0 {
		length++
	}
	if length > n {
		return false
	}
	if n <= chunk {
		k.set(0, uint64(v.Int64()), n)
		return true
	}
	pad := uint(-n) % 8
	aligned := new(big.Int).Lsh(v, pad)
	if v.Sign() < 0 {
		aligned.Add(aligned, new(big.Int).Lsh(big.NewInt(1), uint(n)+pad))
	}
	aligned.FillBytes(k.data[:(n+7)/8])
	return true
}

// toNumber is the reverse.
func (k *keyBits) toNumber(n int, signed bool) *big.Int {
	if n == 0 {
		return new(big.Int)
	}
	v := new(big.Int).SetBytes(k.data[:(n+7)/8])
	v.Rsh(v, uint(-n)%8)
	if signed && k.bit(0) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(n)))
	}
	return v
}

// popStoredKey takes a key under which a value will be stored. A slice that is too short is an exception only after the value was taken.
func popStoredKey(s *vm.State, kind keyKind, n int) (*keyBits, bool, error) {
	if kind == keySlice {
		return popKey(s, kind, n)
	}
	number, err := s.Stack.PopIntRead()
	if err != nil {
		return nil, false, err //nolint:wrapcheck // the VM's own exception
	}
	key := &keyBits{}
	if number == nil || !key.number(number, n, kind == keySigned) {
		return nil, false, vmerr.Error(vmerr.CodeRangeCheck, "key of a dictionary")
	}
	return key, true, nil
}

// popValue takes a value to store.
func popValue(s *vm.State, kind valueKind) (*cell.Builder, error) {
	switch kind {
	case valueReference:
		c, err := s.Stack.PopCell()
		if err != nil {
			return nil, err //nolint:wrapcheck // the VM's own exception
		}
		return referenceValue(c)
	case valueBuilder:
		return s.Stack.PopBuilder() //nolint:wrapcheck // the VM's own exception
	default:
		slice, err := s.Stack.PopSlice()
		if err != nil {
			return nil, err //nolint:wrapcheck // the VM's own exception
		}
		return slice.ToBuilder(), nil
	}
}

func referenceValue(c *cell.Cell) (*cell.Builder, error) {
	b := cell.BeginCell()
	return b, b.StoreRefUncheckedDepth(c) //nolint:wrapcheck // cannot be: there is room
}

func pushMaybeCell(s *vm.State, c *cell.Cell) error {
	if c == nil {
		return s.Stack.PushAny(nil) //nolint:wrapcheck // the VM's own exception
	}
	return s.Stack.PushCell(c) //nolint:wrapcheck // the VM's own exception
}

// pushFound pushes a value and yes, or no without one.
func pushFound(s *vm.State, value *cell.Slice, kind valueKind, yes bool) error {
	if value == nil {
		return s.Stack.PushBool(!yes) //nolint:wrapcheck // the VM's own exception
	}
	var err error
	if kind == valueReference {
		var c *cell.Cell
		if c, err = reference(value); err == nil {
			err = s.Stack.PushCell(c)
		}
	} else {
		err = s.Stack.PushOwnedSlice(value)
	}
	if err != nil {
		return err
	}
	return s.Stack.PushBool(yes) //nolint:wrapcheck // the VM's own exception
}

// checkValue fails for a value that has to be a reference and is none.
func checkValue(value *cell.Slice, kind valueKind) error {
	if kind != valueReference {
		return nil
	}
	_, err := reference(value)
	return err
}
