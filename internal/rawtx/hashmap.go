package rawtx

import "errors"

var (
	errLabel  = errors.New("dictionary label longer than its key")
	errBudget = errors.New("dictionary with more entries than a block can have")
)

// Budget bounds the dictionary nodes that are read, and the bodies and state-inits in memory: shared cells can turn a small bag of
// cells into an endless dictionary, and into many messages. Several transactions may share one.
type Budget struct {
	nodes   int
	content int // bytes of bodies and state-inits
}

const maxNodes = 1 << 20

// cachedContent is the size, in bytes, up to which bodies and state-inits are made at once. Those with several cells that follow are large: 255
// messages that share cells have up to 180 MiB, in a transaction of 350 kB. Those of 250 transactions of highload wallets, each of which
// deploys 254 contracts of 250 bytes, are not.
const cachedContent = 16 << 20

// Next renews the bound of dictionaries, for another transaction.
func (b *Budget) Next() { b.nodes = 0 }

// walk visits the leaves of a Hashmap in the order of keys of at most 64 bits. v is at the first bit after the label of the leaf.
func walk(root *reader, keyBits uint, b *Budget, leaf func(key uint64, v *reader) error) error {
	w := walker{bits: keyBits, budget: b, leaf: leaf}
	return w.node(root, 0, 0)
}

type walker struct {
	bits   uint
	budget *Budget
	leaf   func(key uint64, v *reader) error
}

// node visits the leaves below a node, to which the first n bits of the key lead.
func (w *walker) node(r *reader, key uint64, n uint) error {
	if w.budget.nodes++; w.budget.nodes > maxNodes {
		return errBudget
	}
	label, length := w.label(r, w.bits-n)
	if r.err != nil {
		return r.err
	}
	key, n = key<<length|label, n+length
	if n == w.bits {
		return w.leaf(key, r)
	}
	left, right := r.open(), r.open()
	if r.err != nil {
		return r.err
	}
	if err := w.node(&left, key<<1, n+1); err != nil {
		return err
	}
	return w.node(&right, key<<1|1, n+1)
}

// label reads HmLabel of at most rest bits.
func (w *walker) label(r *reader, rest uint) (label uint64, n uint) {
	switch {
	case !r.bit(): // hml_short$0: unary length, then the bits
		for r.bit() {
			n++
		}
	case !r.bit(): // hml_long$10
		n = uint(r.uint(lengthBits(rest)))
	default: // hml_same$11: one bit repeated
		v := r.bit()
		if n = uint(r.uint(lengthBits(rest))); n > rest {
			r.fail(errLabel)
			return 0, 0
		}
		if v {
			label = 1<<n - 1
		}
		return label, n
	}
	if n > rest {
		r.fail(errLabel)
		return 0, 0
	}
	return r.uint(n), n
}
