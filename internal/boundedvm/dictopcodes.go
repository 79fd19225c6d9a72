package boundedvm

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// keyKind is the form of keys on the stack.
type keyKind int

const (
	keySlice keyKind = iota
	keySigned
	keyUnsigned
)

// valueKind is the form of values on the stack.
type valueKind int

const (
	valueSlice valueKind = iota
	valueReference
	valueBuilder
)

var dictPatches = dictTable()

// dictTable has the opcodes by their prefix.
func dictTable() map[string]patch {
	t := map[string]patch{}
	add := func(opcode int, run action) {
		t[fmt.Sprintf("%x/16", opcode)] = func(action) action { return polled(run) }
	}
	for kind := range keyUnsigned + 1 {
		for value := range valueReference + 1 {
			at := 2*int(kind) + int(value)
			add(0xF40A+at, dictGet(kind, value))
			for mode, base := range []int{0xF412, 0xF422, 0xF432} {
				add(base+at, dictSet(kind, value, changeMode(mode)))
				add(base+8+at, dictSetGet(kind, value, changeMode(mode)))
			}
			add(0xF462+at, dictDeleteGet(kind, value))
			for i, base := range []int{0xF482, 0xF48A, 0xF492, 0xF49A} {
				add(base+at, dictEdge(kind, value, i%2 == 1, i >= 2))
			}
		}
		at := int(kind)
		for mode, base := range []int{0xF441, 0xF449, 0xF451} {
			add(base+at, dictSet(kind, valueBuilder, changeMode(mode)))
			add(base+4+at, dictSetGet(kind, valueBuilder, changeMode(mode)))
		}
		add(0xF459+at, dictDelete(kind))
		add(0xF469+at, dictGetOptional(kind))
		add(0xF46D+at, dictSetGetOptional(kind))
		for i := range 4 {
			add(0xF474+4*at+i, dictNear(kind, i < 2, i%2 == 1))
		}
		add(0xF4B1+at, dictCut(kind, false))
		add(0xF4B5+at, dictCut(kind, true))
	}
	for i := range 4 {
		add(0xF4A0+i, dictExecute(i%2 == 1, i >= 2, false))
		add(0xF4BC+i, dictExecute(i%2 == 1, i >= 2, true))
		add(0xF4A8+i, prefixDictGet(i))
	}
	for mode := range 3 {
		add(0xF470+mode, prefixDictSet(changeMode(mode)))
	}
	add(0xF473, prefixDictDelete)
	return t
}

func dictGet(kind keyKind, value valueKind) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 3, maxKeyBits)
		if err != nil {
			return err
		}
		key, ok, err := popKey(s, kind, d.bits)
		switch {
		case err != nil:
			return err
		case !ok && kind == keySlice:
			return errKey
		case !ok:
			return s.Stack.PushBool(false) //nolint:wrapcheck // the VM's own exception
		}
		found, err := d.lookup(key)
		if err != nil {
			return err
		}
		return pushFound(s, found, value, true)
	}
}

func dictGetOptional(kind keyKind) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 3, maxKeyBits)
		if err != nil {
			return err
		}
		key, ok, err := popKey(s, kind, d.bits)
		switch {
		case err != nil:
			return err
		case !ok && kind == keySlice:
			return errKey
		case !ok:
			return pushMaybeCell(s, nil)
		}
		found, err := d.lookup(key)
		if err != nil {
			return err
		}
		c, err := reference(found)
		if err != nil {
			return err
		}
		return pushMaybeCell(s, c)
	}
}

// popChange takes what the opcodes that store a value take.
func popChange(s *vm.State, kind keyKind, value valueKind) (*dictionary, *keyBits, *cell.Builder, error) {
	d, err := popDeep(s, 4, maxKeyBits)
	if err != nil {
		return nil, nil, nil, err
	}
	key, ok, err := popStoredKey(s, kind, d.bits)
	if err != nil {
		return nil, nil, nil, err
	}
	b, err := popValue(s, value)
	if err == nil && !ok {
		err = errKey
	}
	return d, key, b, err
}

func dictSet(kind keyKind, value valueKind, mode changeMode) action {
	return func(s *vm.State) error {
		d, key, b, err := popChange(s, kind, value)
		if err != nil {
			return err
		}
		_, changed, err := d.change(key, b, mode)
		if err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil || mode == changeAny {
			return err
		}
		return s.Stack.PushBool(changed) //nolint:wrapcheck // the VM's own exception
	}
}

func dictSetGet(kind keyKind, value valueKind, mode changeMode) action {
	return func(s *vm.State) error {
		d, key, b, err := popChange(s, kind, value)
		if err != nil {
			return err
		}
		old, _, err := d.change(key, b, mode)
		if err != nil {
			return err
		}
		if err = checkValue(old, value); err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil {
			return err
		}
		return pushFound(s, old, value, mode != changeAbsent)
	}
}

// popRemoval takes what the opcodes that remove a key take.
func popRemoval(s *vm.State, kind keyKind) (*dictionary, *keyBits, error) {
	d, err := popDeep(s, 3, maxKeyBits)
	if err != nil {
		return nil, nil, err
	}
	key, ok, err := popKey(s, kind, d.bits)
	if err == nil && !ok {
		if err = errKey; kind != keySlice {
			err = vmerr.Error(vmerr.CodeRangeCheck, "key of a dictionary")
		}
	}
	return d, key, err
}

func dictDelete(kind keyKind) action {
	return func(s *vm.State) error {
		d, key, err := popRemoval(s, kind)
		if err != nil {
			return err
		}
		old, err := d.remove(key)
		if err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil {
			return err
		}
		return s.Stack.PushBool(old != nil) //nolint:wrapcheck // the VM's own exception
	}
}

func dictDeleteGet(kind keyKind, value valueKind) action {
	return func(s *vm.State) error {
		d, key, err := popRemoval(s, kind)
		if err != nil {
			return err
		}
		old, err := d.remove(key)
		if err != nil {
			return err
		}
		if err = checkValue(old, value); err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil {
			return err
		}
		return pushFound(s, old, value, true)
	}
}

func dictSetGetOptional(kind keyKind) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 4, maxKeyBits)
		if err != nil {
			return err
		}
		key, ok, err := popStoredKey(s, kind, d.bits)
		if err != nil {
			return err
		}
		value, err := s.Stack.PopMaybeCell()
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		if !ok {
			return errKey
		}
		var old *cell.Slice
		if value == nil {
			old, err = d.remove(key)
		} else {
			var b *cell.Builder
			if b, err = referenceValue(value); err == nil {
				old, _, err = d.change(key, b, changeAny)
			}
		}
		if err != nil {
			return err
		}
		before, err := reference(old)
		if err != nil {
			return err
		}
		if err = pushMaybeCell(s, d.root); err != nil {
			return err
		}
		return pushMaybeCell(s, before)
	}
}

// numberLimit is the longest key of the opcodes that return one.
func numberLimit(kind keyKind) int64 {
	switch kind {
	case keySigned:
		return 257
	case keyUnsigned:
		return 256
	default:
		return maxKeyBits
	}
}

// pushDictKey pushes a key and true. A slice is paid for as a new cell.
func pushDictKey(s *vm.State, key *keyBits, n int, kind keyKind) error {
	if kind != keySlice {
		if err := s.Stack.PushOwnedInt(key.toNumber(n, kind == keySigned)); err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		return s.Stack.PushBool(true) //nolint:wrapcheck // the VM's own exception
	}
	b := cell.BeginCell()
	if err := key.store(b, 0, n); err != nil {
		return vmerr.Error(vmerr.CodeCellOverflow, "key of a dictionary")
	}
	slice := b.ToSlice()
	if err := s.Cells.RegisterCellCreate(); err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	if err := s.Stack.PushOwnedSlice(slice); err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	return s.Stack.PushBool(true) //nolint:wrapcheck // the VM's own exception
}

func dictEdge(kind keyKind, value valueKind, largest, removes bool) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 2, numberLimit(kind))
		if err != nil {
			return err
		}
		key := &keyBits{}
		found, err := d.edge(d.root, key, 0, towards(largest, kind == keySigned))
		if err == nil && removes && found != nil {
			_, err = d.remove(key)
		}
		if err != nil {
			return err
		}
		if err = checkValue(found, value); err != nil {
			return err
		}
		if removes {
			if err = pushMaybeCell(s, d.root); err != nil {
				return err
			}
		}
		if found == nil {
			return s.Stack.PushBool(false) //nolint:wrapcheck // the VM's own exception
		}
		if err = pushValue(s, found, value); err != nil {
			return err
		}
		return pushDictKey(s, key, d.bits, kind)
	}
}

// pushValue pushes a value without a flag.
func pushValue(s *vm.State, value *cell.Slice, kind valueKind) error {
	if kind != valueReference {
		return s.Stack.PushOwnedSlice(value) //nolint:wrapcheck // the VM's own exception
	}
	c, err := reference(value)
	if err != nil {
		return err
	}
	return s.Stack.PushCell(c) //nolint:wrapcheck // the VM's own exception
}

func dictNear(kind keyKind, next, equal bool) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 3, numberLimit(kind))
		if err != nil {
			return err
		}
		key, found, err := d.popNear(kind, next, equal)
		if err != nil {
			return err
		}
		if found == nil {
			return s.Stack.PushBool(false) //nolint:wrapcheck // the VM's own exception
		}
		if err = s.Stack.PushOwnedSlice(found); err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		return pushDictKey(s, key, d.bits, kind)
	}
}

// popNear takes a key and returns the one near it with its value.
func (d *dictionary) popNear(kind keyKind, next, equal bool) (*keyBits, *cell.Slice, error) {
	if kind == keySlice {
		key, ok, err := popKey(d.s, kind, d.bits)
		if err == nil && !ok {
			err = errKey
		}
		if err != nil {
			return nil, nil, err
		}
		found, err := d.near(d.root, key, 0, equal, towards(next, false))
		return key, found, err
	}
	number, err := d.s.Stack.PopIntFiniteRead()
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // the VM's own exception
	}
	key, signed := &keyBits{}, kind == keySigned
	if key.number(number, d.bits, signed) {
		found, err := d.near(d.root, key, 0, equal, towards(next, signed))
		return key, found, err
	}
	if (number.Sign() >= 0) == next { // all keys are before
		return nil, nil, nil
	}
	found, err := d.edge(d.root, key, 0, towards(!next, signed))
	return key, found, err
}

func dictCut(kind keyKind, removed bool) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 4, maxKeyBits)
		if err != nil {
			return err
		}
		length, err := s.Stack.PopIntRangeInt64(0, min(numberLimit(kind), int64(d.bits)))
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		prefix, ok, err := popKey(s, kind, int(length))
		if err == nil && !ok {
			err = errKey
		}
		if err != nil {
			return err
		}
		if err = d.cut(prefix, int(length), removed); err != nil {
			return err
		}
		return pushMaybeCell(s, d.root)
	}
}

// dictExecute jumps to the code that is the value of a number.
func dictExecute(unsigned, calls, keeps bool) action {
	return func(s *vm.State) error {
		d, err := popDeep(s, 3, maxKeyBits)
		if err != nil {
			return err
		}
		number, err := s.Stack.PopIntFiniteRead()
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		var key keyBits
		if key.number(number, d.bits, !unsigned) {
			code, err := d.lookup(&key)
			if err != nil {
				return err
			}
			if code != nil {
				return enter(s, code, calls)
			}
		}
		if keeps {
			return s.Stack.PushInt(number) //nolint:wrapcheck // the VM's own exception
		}
		return nil
	}
}

// enter calls code or jumps to it.
func enter(s *vm.State, code *cell.Slice, calls bool) error {
	c := &vm.OrdinaryContinuation{Data: vm.ControlData{NumArgs: vm.ControlDataAllArgs, CP: s.CP}, Code: code}
	if calls {
		return s.Call(c) //nolint:wrapcheck // the VM's own exception
	}
	return s.Jump(c) //nolint:wrapcheck // the VM's own exception
}
