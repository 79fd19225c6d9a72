package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// prefixDictionary is a PfxHashmap: no key is a prefix of another one.
type prefixDictionary struct {
	s    *vm.State
	root *cell.Cell
	bits int // at most, of a key
}

// load loads a node below the first bits of keys.
func (d *prefixDictionary) load(c *cell.Cell, at int) (dictNode, error) {
	return loadNode(d.s, c, d.bits-at)
}

// isFork leaves the label and the bit that says whether a node is a fork, and checks the fork.
func (n *dictNode) isFork() (bool, error) {
	n.skip()
	fork, err := n.rest.LoadBoolBit()
	if err != nil {
		return false, vmerr.Error(vmerr.CodeDict, "node of a prefix dictionary")
	}
	return fork, nil
}

func (n *dictNode) checkFork() error {
	if n.rest.BitsLeft() > 0 || n.rest.RefsNum() != 2 {
		return vmerr.Error(vmerr.CodeDict, "fork of a prefix dictionary")
	}
	return nil
}

// lookup returns the value of the prefix of a key that is in the dictionary, and its length; nil if there is none.
func (d *prefixDictionary) lookup(key *keyBits, length int) (*cell.Slice, int, error) {
	if d.root == nil {
		return nil, 0, nil
	}
	c, at := d.root, 0
	for {
		n, err := d.load(c, at)
		if err != nil || n.common(key, at, length-at) < n.length {
			return nil, 0, err
		}
		at += n.length
		fork, err := n.isFork()
		switch {
		case err != nil:
			return nil, 0, err
		case !fork:
			return n.value(d.s), at, nil
		case at == d.bits:
			return nil, 0, vmerr.Error(vmerr.CodeDict, "fork of a prefix dictionary without bits")
		}
		if err = n.checkFork(); err != nil || at == length {
			return nil, 0, err
		}
		if c, err = n.rest.PeekRefCellAt(key.bit(at)); err != nil {
			return nil, 0, err //nolint:wrapcheck // cannot be: the fork has two
		}
		at++
	}
}

// change stores a value and reports whether the dictionary was changed.
func (d *prefixDictionary) change(key *keyBits, length int, value *cell.Builder, mode changeMode) (bool, error) {
	if length > d.bits {
		return false, nil
	}
	root, err := d.changeBelow(d.root, key, 0, length, value, mode)
	if err != nil || root == nil {
		return false, err
	}
	d.root = root
	return true, nil
}

// changeBelow returns the node that replaces c, nil if nothing changes.
func (d *prefixDictionary) changeBelow(c *cell.Cell, key *keyBits, at, length int, value *cell.Builder, mode changeMode) (*cell.Cell, error) {
	if c == nil {
		if mode == changePresent {
			return nil, nil //nolint:nilnil // nothing changes
		}
		return d.leaf(key, at, length, value)
	}
	n, err := d.load(c, at)
	if err != nil {
		return nil, err
	}
	common := n.common(key, at, length-at)
	if common < n.length {
		if at+common == length || mode == changePresent {
			return nil, nil //nolint:nilnil // nothing changes
		}
		return d.split(&n, key, at, common, length, value)
	}
	below := at + n.length
	fork, err := n.isFork()
	switch {
	case err != nil:
		return nil, err
	case !fork && (below != length || mode == changeAbsent):
		return nil, nil //nolint:nilnil // nothing changes
	case !fork:
		return d.leaf(key, at, length, value)
	}
	if err = n.checkFork(); err != nil || below == length {
		return nil, err
	}
	children, err := n.children()
	if err != nil {
		return nil, err
	}
	side := key.bit(below)
	child, err := d.changeBelow(children[side], key, below+1, length, value, mode)
	if err != nil || child == nil {
		return nil, err
	}
	children[side] = child
	return d.fork(key, at, n.length, children)
}

func (d *prefixDictionary) leaf(key *keyBits, at, length int, value *cell.Builder) (*cell.Cell, error) {
	b, err := beginNode(key, at, length-at, d.bits-at)
	if err != nil {
		return nil, err
	}
	if b.StoreUInt(0, 1) != nil {
		return nil, vmerr.Error(vmerr.CodeCellOverflow, "label of a prefix dictionary")
	}
	if err = appendBuilder(b, value); err != nil {
		return nil, err
	}
	return endNode(d.s, b)
}

func (d *prefixDictionary) fork(key *keyBits, at, n int, children [2]*cell.Cell) (*cell.Cell, error) {
	b, err := beginNode(key, at, n, d.bits-at)
	if err != nil {
		return nil, err
	}
	if b.StoreUInt(1, 1) != nil {
		return nil, vmerr.Error(vmerr.CodeCellOverflow, "label of a prefix dictionary")
	}
	return endNode(d.s, b, children[0], children[1])
}

// split makes a fork within the label of a node: to a new leaf, and to the rest of the node.
func (d *prefixDictionary) split(n *dictNode, key *keyBits, at, common, length int, value *cell.Builder) (*cell.Cell, error) {
	var children [2]*cell.Cell
	side := key.bit(at + common)
	var err error
	if children[side], err = d.leaf(key, at+common+1, length, value); err != nil {
		return nil, err
	}
	if children[1-side], err = belowFork(d.s, n, common, d.bits-at); err != nil {
		return nil, err
	}
	return d.fork(key, at, common, children)
}

// remove removes a key and reports whether it was there.
func (d *prefixDictionary) remove(key *keyBits, length int) (bool, error) {
	if length > d.bits || d.root == nil {
		return false, nil
	}
	root, found, err := d.removeBelow(d.root, key, 0, length)
	if err != nil || !found {
		return false, err
	}
	d.root = root
	return true, nil
}

// removeBelow returns the node that replaces c, nil for none, and whether the key was there.
func (d *prefixDictionary) removeBelow(c *cell.Cell, key *keyBits, at, length int) (*cell.Cell, bool, error) {
	n, err := d.load(c, at)
	if err != nil || n.common(key, at, length-at) < n.length {
		return nil, false, err
	}
	below := at + n.length
	fork, err := n.isFork()
	if err != nil || !fork {
		return nil, err == nil && below == length, err
	}
	if err = n.checkFork(); err != nil || below == length {
		return nil, false, err
	}
	children, err := n.children()
	if err != nil {
		return nil, false, err
	}
	side := key.bit(below)
	child, found, err := d.removeBelow(children[side], key, below+1, length)
	if err != nil || !found {
		return nil, false, err
	}
	if children[side] = child; child == nil {
		c, err = d.merge(key, at, below, 1-side, children[1-side])
	} else {
		c, err = d.fork(key, at, n.length, children)
	}
	return c, true, err
}

// merge makes one node of a fork whose label is in the key and of its only child.
func (d *prefixDictionary) merge(key *keyBits, at, below, side int, child *cell.Cell) (*cell.Cell, error) {
	n, err := d.load(child, below+1)
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
