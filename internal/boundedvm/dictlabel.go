package boundedvm

import (
	"encoding/binary"
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// The library reads dictionaries whose forks have more than a fork has, does not load nodes that are library cells, and keeps the form
// of labels that a change leaves alone. The node refuses such forks with exit code 10, loads libraries, and writes every label on
// the way to a change again in the shortest form. So the opcodes of dictionaries are ours, on the functions of these files.

// maxKeyBits is the longest key of a dictionary.
const maxKeyBits = 1023

// keyBits are the bits of a key or of a part of it. The bytes behind the longest key let 64 bits be read anywhere.
type keyBits struct{ data [maxKeyBits/8 + 1 + 9]byte }

// get returns at most 64 bits.
func (k *keyBits) get(at, n int) uint64 {
	if n == 0 {
		return 0
	}
	first, shift := at/8, uint(at%8)
	v := binary.BigEndian.Uint64(k.data[first:])<<shift | uint64(k.data[first+8])>>(8-shift)
	return v >> (64 - n)
}

func (k *keyBits) bit(at int) int { return int(k.data[at/8]>>(7-at%8)) & 1 }

// set stores at most 56 bits.
func (k *keyBits) set(at int, v uint64, n int) {
	if n == 0 {
		return
	}
	window := k.data[at/8:]
	shift := 64 - n - at%8
	mask := (^uint64(0) >> (64 - n)) << shift
	binary.BigEndian.PutUint64(window, binary.BigEndian.Uint64(window)&^mask|v<<shift&mask)
}

// chunk is how many bits [keyBits.set] takes.
const chunk = 56

// load copies the first bits of a slice.
func (k *keyBits) load(at int, s *cell.Slice, n int) {
	rest := *s
	for n > 0 {
		step := min(n, chunk)
		v, err := rest.LoadUInt(uint(step))
		if err != nil {
			return
		}
		k.set(at, v, step)
		at, n = at+step, n-step
	}
}

// fill sets bits to the same value.
func (k *keyBits) fill(at, bit, n int) {
	for n > 0 {
		step := min(n, chunk)
		k.set(at, -uint64(bit), step)
		at, n = at+step, n-step
	}
}

// same reports whether bits have one value.
func (k *keyBits) same(at, n int) bool {
	return k.run(at, n, k.bit(at)) == n
}

// run returns how many bits have a value before the first that has not, at most n.
func (k *keyBits) run(at, n, bit int) int {
	for passed := 0; passed < n; {
		step := min(n-passed, 64)
		if v := k.get(at+passed, step) ^ -uint64(bit)>>(64-step); v != 0 {
			return passed + step - bits.Len64(v)
		}
		passed += step
	}
	return n
}

// store appends bits to a builder that has room.
func (k *keyBits) store(b *cell.Builder, at, n int) error {
	for n > 0 {
		step := min(n, 64)
		if err := b.StoreUInt(k.get(at, step), uint(step)); err != nil {
			return err //nolint:wrapcheck // the caller makes it the VM's exception
		}
		at, n = at+step, n-step
	}
	return nil
}

// dictNode is a node of a dictionary of which the head of the label is read.
type dictNode struct {
	rest   cell.Slice // the bits of the label unless they are the same, then what the node has
	length int        // of the label
	same   bool
	bit    int // of a label whose bits are the same
}

// stored returns how many bits of the label are in the cell.
func (n *dictNode) stored() int {
	if n.same {
		return 0
	}
	return n.length
}

// skip leaves what follows the label.
func (n *dictNode) skip() {
	_ = n.rest.SkipBits(uint(n.stored())) // there are as many
}

// common returns how many bits of the label a key has, which has at most limit.
func (n *dictNode) common(key *keyBits, at, limit int) int {
	limit = min(limit, n.length)
	if n.same {
		return key.run(at, limit, n.bit)
	}
	label := n.rest
	for passed := 0; passed < limit; {
		step := min(limit-passed, 64)
		v, err := label.LoadUInt(uint(step))
		if err != nil {
			return passed
		}
		if v ^= key.get(at+passed, step); v != 0 {
			return passed + step - bits.Len64(v)
		}
		passed += step
	}
	return limit
}

// extract moves the label into a key.
func (n *dictNode) extract(key *keyBits, at int) {
	if n.same {
		key.fill(at, n.bit, n.length)
		return
	}
	key.load(at, &n.rest, n.length)
	n.skip()
}

// loadNode loads a node whose keys have at most limit bits more.
func loadNode(s *vm.State, c *cell.Cell, limit int) (n dictNode, err error) {
	if err = n.open(s, c); err != nil {
		return n, err
	}
	if !n.head(limit) {
		return n, vmerr.Error(vmerr.CodeCellUnderflow, "label of a dictionary")
	}
	return n, nil
}

// open loads a cell and pays for it. What the cell refers to is paid for when it is loaded here, so that only values have the trace of
// the VM.
func (n *dictNode) open(s *vm.State, c *cell.Cell) error {
	trace := s.Cells.Trace()
	if own := c.Trace(); (own == nil || own == trace) && !c.IsSpecial() && !c.IsLazy() {
		trace.NotifyLoad(c)
		if err := trace.PendingError(); err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		return c.BeginParseIntoWithoutTrace(&n.rest) //nolint:wrapcheck // cannot be: the cell is there
	}
	loaded, err := s.Cells.BeginParse(c)
	if err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	n.rest = *loaded
	return nil
}

// value returns what is left of a node for the stack.
func (n *dictNode) value(s *vm.State) *cell.Slice {
	rest := n.rest
	if rest.Trace() == nil {
		rest.SetTrace(s.Cells.Trace())
	}
	return &rest
}

// loadFixed is loadNode in a dictionary whose keys have the same length: a fork has its label and two references.
func loadFixed(s *vm.State, c *cell.Cell, limit int) (dictNode, error) {
	n, err := loadNode(s, c, limit)
	if err == nil && n.length < limit && (int(n.rest.BitsLeft()) != n.stored() || n.rest.RefsNum() != 2) {
		err = vmerr.Error(vmerr.CodeDict, "fork of a dictionary")
	}
	return n, err
}

// beginNode begins a node with a label in its shortest form, whose keys have limit bits more.
func beginNode(key *keyBits, at, n, limit int) (*cell.Builder, error) {
	b := cell.BeginCell()
	width := uint(bits.Len(uint(limit)))
	var err error
	switch {
	case n > 1 && int(width) < 2*n-1 && key.same(at, n):
		return b, b.StoreUInt((6|uint64(key.bit(at)))<<width|uint64(n), 3+width) //nolint:wrapcheck // there is room
	case int(width) < n:
		err = b.StoreUInt(2<<width|uint64(n), 2+width)
	default:
		err = b.StoreUInt((1<<n-1)<<1, uint(n)+2) // a bit 0, n bits 1, a bit 0
	}
	if err == nil {
		err = key.store(b, at, n)
	}
	if err != nil {
		return nil, vmerr.Error(vmerr.CodeCellOverflow, "label of a dictionary")
	}
	return b, nil
}

// appendRest appends what a slice has left.
func appendRest(b *cell.Builder, rest *cell.Slice) error {
	return appendBuilder(b, rest.WithoutTrace().ToBuilder())
}

func appendBuilder(b, value *cell.Builder) error {
	if !b.CanExtendBy(value.BitsUsed(), uint(value.RefsUsed())) || b.StoreBuilderUncheckedDepth(value) != nil {
		return vmerr.Error(vmerr.CodeCellOverflow, "value of a dictionary")
	}
	return nil
}

// endNode makes the cell, which is paid for.
func endNode(s *vm.State, b *cell.Builder, refs ...*cell.Cell) (*cell.Cell, error) {
	for _, ref := range refs {
		if err := b.StoreRefUncheckedDepth(ref); err != nil {
			return nil, vmerr.Error(vmerr.CodeCellOverflow, "fork of a dictionary")
		}
	}
	c, err := b.SetTrace(s.Cells.Trace()).EndCellSpecial(false)
	if _, thrown := vmerr.ErrorCode(err); err != nil && !thrown {
		return nil, vmerr.Error(vmerr.CodeCellOverflow, "node of a dictionary")
	}
	return c, err //nolint:wrapcheck // the VM's own exception
}

// head reads the head of a label of at most limit bits.
func (n *dictNode) head(limit int) bool {
	s := &n.rest
	form, err := s.PreloadUInt(2)
	if err != nil {
		return false
	}
	width := uint(bits.Len(uint(limit)))
	switch form {
	case 0:
		return s.SkipBits(2) == nil
	case 1:
		_ = s.SkipBits(1)
		n.length = s.CountLeading(true)
		return n.length <= limit && int(s.BitsLeft()) > 2*n.length && s.SkipBits(uint(n.length)+1) == nil
	case 2:
		v, err := s.LoadUInt(2 + width)
		if err != nil {
			return false
		}
		n.length = int(v & (1<<width - 1))
		return n.length <= limit && int(s.BitsLeft()) >= n.length
	default:
		v, err := s.LoadUInt(3 + width)
		if err != nil {
			return false
		}
		n.length, n.same, n.bit = int(v&(1<<width-1)), true, int(v>>width)&1
		return n.length <= limit
	}
}
