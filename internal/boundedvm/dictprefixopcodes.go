package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// popPrefixDictionary takes a prefix dictionary, and a key.
func popPrefixDictionary(s *vm.State) (*prefixDictionary, *cell.Slice, error) {
	d, err := popDictionary(s, maxKeyBits)
	if err != nil {
		return nil, nil, err
	}
	slice, err := s.Stack.PopSlice()
	return &prefixDictionary{s: s, root: d.root, bits: d.bits}, slice, err //nolint:wrapcheck // the VM's own exception
}

// keyOf returns the bits of a slice.
func keyOf(slice *cell.Slice) (*keyBits, int) {
	key := &keyBits{}
	n := int(slice.BitsLeft())
	key.load(0, slice, n)
	return key, n
}

// prefixDictDepth is how many values the opcodes need that change a prefix dictionary and take n.
func prefixDictDepth(s *vm.State, n int) error {
	if s.GlobalVersion < 9 {
		n--
	}
	if s.Stack.Len() < n {
		return vmerr.Error(vmerr.CodeStackUnderflow)
	}
	return nil
}

func prefixDictSet(mode changeMode) action {
	return func(s *vm.State) error {
		if err := prefixDictDepth(s, 4); err != nil {
			return err
		}
		d, slice, err := popPrefixDictionary(s)
		if err != nil {
			return err
		}
		value, err := s.Stack.PopSlice()
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		key, n := keyOf(slice)
		changed, err := d.change(key, n, value.ToBuilder(), mode)
		if err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil {
			return err
		}
		return s.Stack.PushBool(changed) //nolint:wrapcheck // the VM's own exception
	}
}

func prefixDictDelete(s *vm.State) error {
	if err := prefixDictDepth(s, 3); err != nil {
		return err
	}
	d, slice, err := popPrefixDictionary(s)
	if err != nil {
		return err
	}
	key, n := keyOf(slice)
	removed, err := d.remove(key, n)
	if err != nil {
		return err
	}
	if err = pushMaybeCell(s, d.root); err != nil {
		return err
	}
	return s.Stack.PushBool(removed) //nolint:wrapcheck // the VM's own exception
}

// Forms of PFXDICTGET.
const (
	prefixQuiet = iota
	prefixStrict
	prefixJump
	prefixCall
)

func prefixDictGet(form int) action {
	return func(s *vm.State) error {
		if s.Stack.Len() < 3 {
			return vmerr.Error(vmerr.CodeStackUnderflow)
		}
		d, slice, err := popPrefixDictionary(s)
		if err != nil {
			return err
		}
		return d.find(slice, form)
	}
}

// find splits a slice behind the prefix that is a key, and pushes the parts.
func (d *prefixDictionary) find(slice *cell.Slice, form int) error {
	key, n := keyOf(slice)
	value, length, err := d.lookup(key, n)
	if err != nil {
		return err
	}
	stack := d.s.Stack
	if value == nil {
		if form == prefixStrict || form == prefixCall {
			return vmerr.Error(vmerr.CodeCellUnderflow, "no prefix of a prefix dictionary")
		}
		if err = stack.PushOwnedSlice(slice); err != nil || form != prefixQuiet {
			return err //nolint:wrapcheck // the VM's own exception
		}
		return stack.PushBool(false) //nolint:wrapcheck // the VM's own exception
	}
	prefix, err := slice.FetchSubslice(uint(length), 0)
	if err != nil {
		return err //nolint:wrapcheck // cannot be: it has as many bits
	}
	if err = stack.PushOwnedSlice(prefix); err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	if form == prefixQuiet || form == prefixStrict {
		if err = stack.PushOwnedSlice(value); err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
	}
	if err = stack.PushOwnedSlice(slice); err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	switch form {
	case prefixQuiet:
		return stack.PushBool(true) //nolint:wrapcheck // the VM's own exception
	case prefixStrict:
		return nil
	default:
		return enter(d.s, value, form == prefixCall)
	}
}

// prefixSwitch is PFXDICTSWITCH of which the operands are known.
type prefixSwitch struct {
	vm.OP

	root  *cell.Cell
	bits  int
	empty bool
}

// Deserialize reads the operands, and lets the library decode.
func (p *prefixSwitch) Deserialize(code *cell.Slice) error {
	rest := *code
	if v, err := rest.LoadUInt(24); err == nil && rest.RefsNum() > 0 {
		p.empty, p.bits = v>>10&1 == 0, int(v&1023)
		p.root, _ = rest.PeekRefCellAt(0)
	}
	return p.OP.Deserialize(code) //nolint:wrapcheck // the VM's own exception
}

// InstructionBits is what decoding is priced by.
func (*prefixSwitch) InstructionBits() int64 { return 24 }

// Interpret jumps to the code of the prefix of a slice. A dictionary that is empty and has a reference is none.
func (p *prefixSwitch) Interpret(s *vm.State) error {
	if err := check(s); err != nil {
		return err
	}
	if p.empty {
		return vmerr.Error(vmerr.CodeDict, "prefix dictionary")
	}
	slice, err := s.Stack.PopSlice()
	if err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	d := &prefixDictionary{s: s, root: p.root, bits: p.bits}
	return d.find(slice, prefixJump)
}
