package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// dictionary is a Hashmap whose keys have the same number of bits. root is nil if it is empty.
type dictionary struct {
	s    *vm.State
	root *cell.Cell
	bits int
}

// lookup returns the value of a key, nil if there is none.
func (d *dictionary) lookup(key *keyBits) (*cell.Slice, error) {
	if d.root == nil {
		return nil, nil //nolint:nilnil // there is no value
	}
	c, at := d.root, 0
	for {
		n, err := loadFixed(d.s, c, d.bits-at)
		if err != nil || n.common(key, at, d.bits-at) < n.length {
			return nil, err
		}
		if at += n.length; at == d.bits {
			n.skip()
			return n.value(d.s), nil
		}
		if c, err = n.rest.PeekRefCellAt(key.bit(at)); err != nil {
			return nil, err //nolint:wrapcheck // cannot be: the fork has two
		}
		at++
	}
}

// changeMode says which keys a value may be stored for.
type changeMode int

const (
	changeAny     changeMode = iota // set
	changePresent                   // replace
	changeAbsent                    // add
)

// change stores a value. It returns the value before, nil for none, and whether the dictionary was changed.
func (d *dictionary) change(key *keyBits, value *cell.Builder, mode changeMode) (old *cell.Slice, changed bool, err error) {
	root, old, err := d.changeBelow(d.root, key, 0, value, mode)
	if err == nil && root != nil {
		d.root, changed = root, true
	}
	return old, changed, err
}

// changeBelow returns the node that replaces c, nil if nothing changes. It recurses at most as deep as keys are long.
func (d *dictionary) changeBelow(c *cell.Cell, key *keyBits, at int, value *cell.Builder, mode changeMode) (*cell.Cell, *cell.Slice, error) {
	left := d.bits - at
	if c == nil {
		if mode == changePresent {
			return nil, nil, nil
		}
		leaf, err := d.leaf(key, at, value)
		return leaf, nil, err
	}
	n, err := loadFixed(d.s, c, left)
	if err != nil {
		return nil, nil, err
	}
	common := n.common(key, at, left)
	switch {
	case common < n.length:
		if mode == changePresent {
			return nil, nil, nil
		}
		c, err = d.split(&n, key, at, common, value)
		return c, nil, err
	case n.length == left:
		n.skip()
		if mode == changeAbsent {
			return nil, n.value(d.s), nil
		}
		c, err = d.leaf(key, at, value)
		return c, n.value(d.s), err
	}
	return d.changeFork(&n, key, at, value, mode)
}

// changeFork changes the child that a key belongs to.
func (d *dictionary) changeFork(n *dictNode, key *keyBits, at int, value *cell.Builder, mode changeMode) (*cell.Cell, *cell.Slice, error) {
	children, err := n.children()
	if err != nil {
		return nil, nil, err
	}
	side := key.bit(at + n.length)
	child, old, err := d.changeBelow(children[side], key, at+n.length+1, value, mode)
	if err != nil || child == nil {
		return nil, old, err
	}
	children[side] = child
	c, err := d.fork(key, at, n.length, children)
	return c, old, err
}

// children returns the references of a fork.
func (n *dictNode) children() (c [2]*cell.Cell, err error) {
	for i := range c {
		if c[i], err = n.rest.PeekRefCellAt(i); err != nil {
			return c, err //nolint:wrapcheck // cannot be: the fork has two
		}
	}
	return c, nil
}

// leaf makes the node of a key whose bits before at belong to nodes above.
func (d *dictionary) leaf(key *keyBits, at int, value *cell.Builder) (*cell.Cell, error) {
	b, err := beginNode(key, at, d.bits-at, d.bits-at)
	if err == nil {
		err = appendBuilder(b, value)
	}
	if err != nil {
		return nil, err
	}
	return endNode(d.s, b)
}

func (d *dictionary) fork(key *keyBits, at, n int, children [2]*cell.Cell) (*cell.Cell, error) {
	b, err := beginNode(key, at, n, d.bits-at)
	if err != nil {
		return nil, err
	}
	return endNode(d.s, b, children[0], children[1])
}

// split makes a fork within the label of a node: to a new leaf, and to the rest of the node.
func (d *dictionary) split(n *dictNode, key *keyBits, at, common int, value *cell.Builder) (*cell.Cell, error) {
	var children [2]*cell.Cell
	side := key.bit(at + common)
	var err error
	if children[side], err = d.leaf(key, at+common+1, value); err != nil {
		return nil, err
	}
	if children[1-side], err = belowFork(d.s, n, common, d.bits-at); err != nil {
		return nil, err
	}
	return d.fork(key, at, common, children)
}

// belowFork makes the node that remains of n below a new fork, which takes the first common bits of its label and one more. bits is the
// length of the keys at n.
func belowFork(s *vm.State, n *dictNode, common, bits int) (*cell.Cell, error) {
	var label keyBits
	n.extract(&label, 0)
	b, err := beginNode(&label, common+1, n.length-common-1, bits-common-1)
	if err == nil {
		err = appendRest(b, &n.rest)
	}
	if err != nil {
		return nil, err
	}
	return endNode(s, b)
}

// remove removes a key and returns its value, nil if there is none.
func (d *dictionary) remove(key *keyBits) (*cell.Slice, error) {
	if d.root == nil {
		return nil, nil //nolint:nilnil // there is no value
	}
	root, old, err := d.removeBelow(d.root, key, 0)
	if err != nil || old == nil {
		return nil, err
	}
	d.root = root
	return old, nil
}

// removeBelow returns the node that replaces c, nil for none, and the value; without a value nothing changes.
func (d *dictionary) removeBelow(c *cell.Cell, key *keyBits, at int) (*cell.Cell, *cell.Slice, error) {
	n, err := loadFixed(d.s, c, d.bits-at)
	if err != nil || n.common(key, at, d.bits-at) < n.length {
		return nil, nil, err
	}
	below := at + n.length
	if below == d.bits {
		n.skip()
		return nil, n.value(d.s), nil
	}
	children, err := n.children()
	if err != nil {
		return nil, nil, err
	}
	side := key.bit(below)
	child, old, err := d.removeBelow(children[side], key, below+1)
	if err != nil || old == nil {
		return nil, nil, err
	}
	if children[side] = child; child == nil {
		c, err = d.merge(key, at, below, 1-side, children[1-side])
	} else {
		c, err = d.fork(key, at, n.length, children)
	}
	return c, old, err
}

// merge makes one node of a fork whose label is in the key and of its only child.
func (d *dictionary) merge(key *keyBits, at, below, side int, child *cell.Cell) (*cell.Cell, error) {
	n, err := loadFixed(d.s, child, d.bits-below-1)
	if err != nil {
		return nil, err
	}
	label := *key
	label.set(below, uint64(side), 1)
	n.extract(&label, below+1)
	b, err := beginNode(&label, at, below+1+n.length-at, d.bits-at)
	if err == nil {
		err = appendRest(b, &n.rest)
	}
	if err != nil {
		return nil, err
	}
	return endNode(d.s, b)
}

// direction is the order of keys: the bit that comes first at a place. The first bit of signed numbers is reversed.
type direction struct{ first, rest int }

func (o direction) at(place int) int {
	if place == 0 {
		return o.first
	}
	return o.rest
}

func (o direction) reversed() direction { return direction{1 - o.first, 1 - o.rest} }

// towards returns the direction to the largest key, or to the smallest.
func towards(largest, signed bool) direction {
	o := direction{}
	if largest {
		o = direction{1, 1}
	}
	if signed {
		o.first = 1 - o.first
	}
	return o
}

// edge returns the value of the last key in a direction among those that begin with the first bits of key, and completes the key.
func (d *dictionary) edge(c *cell.Cell, key *keyBits, at int, o direction) (*cell.Slice, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // there is no value
	}
	for {
		n, err := loadFixed(d.s, c, d.bits-at)
		if err != nil {
			return nil, err
		}
		n.extract(key, at)
		if at += n.length; at == d.bits {
			return n.value(d.s), nil
		}
		side := o.at(at)
		key.set(at, uint64(side), 1)
		at++
		if c, err = n.rest.PeekRefCellAt(side); err != nil {
			return nil, err //nolint:wrapcheck // cannot be: the fork has two
		}
	}
}

// near returns the value of the next key in a direction, or of the key itself if equal, and makes key that key. It returns nil if there is
// none.
func (d *dictionary) near(c *cell.Cell, key *keyBits, at int, equal bool, o direction) (*cell.Slice, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // there is no value
	}
	n, err := loadFixed(d.s, c, d.bits-at)
	if err != nil {
		return nil, err
	}
	if common := n.common(key, at, d.bits-at); common < n.length {
		if key.bit(at+common) == o.at(at+common) {
			return nil, nil //nolint:nilnil // all keys are before
		}
		return d.edge(c, key, at, o.reversed())
	}
	if at += n.length; at == d.bits {
		if !equal {
			return nil, nil //nolint:nilnil // the only key is the given one
		}
		n.skip()
		return n.value(d.s), nil
	}
	children, err := n.children()
	if err != nil {
		return nil, err
	}
	side := key.bit(at)
	value, err := d.near(children[side], key, at+1, equal, o)
	if err != nil || value != nil || side == o.at(at) {
		return value, err
	}
	key.set(at, uint64(1-side), 1)
	return d.edge(children[1-side], key, at+1, o.reversed())
}

// cut leaves the keys that begin with a prefix, without the prefix if it is removed.
func (d *dictionary) cut(prefix *keyBits, length int, removed bool) error {
	if d.root == nil || length == 0 {
		return nil
	}
	c, at := d.root, 0
	for {
		n, err := loadFixed(d.s, c, d.bits-at)
		if err != nil {
			return err
		}
		if l := min(length-at, n.length); n.common(prefix, at, l) < l {
			d.root = nil
			return nil
		}
		if at+n.length < length {
			at += n.length
			if c, err = n.rest.PeekRefCellAt(prefix.bit(at)); err != nil {
				return err //nolint:wrapcheck // cannot be: the fork has two
			}
			at++
			continue
		}
		if !removed && at == 0 {
			return nil
		}
		label := *prefix
		n.extract(&label, at)
		from := 0
		if removed {
			from = length
		}
		b, err := beginNode(&label, from, at+n.length-from, d.bits-from)
		if err == nil {
			err = appendRest(b, &n.rest)
		}
		if err == nil {
			d.root, err = endNode(d.s, b)
		}
		return err
	}
}

// reference returns the reference that a value is; nil has none.
func reference(value *cell.Slice) (*cell.Cell, error) {
	if value == nil {
		return nil, nil //nolint:nilnil // there is no value
	}
	if value.BitsLeft() > 0 || value.RefsNum() != 1 {
		return nil, vmerr.Error(vmerr.CodeDict, "value of a dictionary that is no reference")
	}
	return value.PeekRefCell() //nolint:wrapcheck // cannot be: there is one
}
