package boundedvm

import (
	"fmt"
	"math/big"

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
