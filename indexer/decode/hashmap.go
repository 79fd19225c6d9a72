package decode

import (
	"errors"
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/rawtx"
)

var (
	errLabel  = errors.New("dictionary label longer than its key")
	errBudget = errors.New("dictionary with more entries than a block can have")
)

// budget limits the dictionary nodes of one block: shared cells can turn a small bag of cells into an endless dictionary.
type budget struct {
	nodes        int
	dictionaries rawtx.Budget // of the transactions
	raw          rawtx.Transaction
}

const maxNodes = 1 << 20

// walk visits the leaves of a Hashmap in key order. key has room for keyBits and is reused between calls; v stands
// right after the leaf's label.
func walk(root *cell.Cell, keyBits uint, b *budget, leaf func(key []byte, v *reader) error) error {
	r := open(root)
	return walkInline(&r, keyBits, b, leaf)
}

// walkInline is [walk] for a Hashmap whose root node lies inside another cell, where r stands. Augmented dictionaries
// are walked by the same code: in a fork the extra follows the branches, in a leaf it comes before the value.
func walkInline(r *reader, keyBits uint, b *budget, leaf func(key []byte, v *reader) error) error {
	w := walker{bits: keyBits, budget: b, leaf: leaf}
	return w.node(r, 0)
}

type walker struct {
	key    [32]byte
	bits   uint
	budget *budget
	leaf   func(key []byte, v *reader) error
}

func (w *walker) node(r *reader, at uint) error {
	w.budget.nodes++
	if w.budget.nodes > maxNodes {
		return errBudget
	}
	at += w.label(r, at)
	if r.err != nil {
		return r.err
	}
	if at == w.bits {
		return w.leaf(w.key[:(w.bits+7)/8], r)
	}
	left, right := open(r.ref()), open(r.ref())
	if r.err != nil {
		return r.err
	}
	w.set(at, 0, 1)
	if err := w.node(&left, at+1); err != nil {
		return err
	}
	w.set(at, 1, 1)
	return w.node(&right, at+1)
}

// label reads HmLabel into the key and returns its length in bits.
func (w *walker) label(r *reader, at uint) uint {
	rest := w.bits - at
	lenBits := uint(bits.Len(rest)) // a length is 0 … rest
	var n uint
	switch {
	case !r.bit(): // hml_short$0: unary length, then the bits
		for r.bit() {
			n++
		}
	case !r.bit(): // hml_long$10
		n = uint(r.uint(lenBits))
	default: // hml_same$11: one bit repeated
		v := r.uint(1)
		n = uint(r.uint(lenBits))
		if n > rest {
			r.fail(errLabel)
			return 0
		}
		for i := range n {
			w.set(at+i, v, 1)
		}
		return n
	}
	if n > rest {
		r.fail(errLabel)
		return 0
	}
	for done := uint(0); done < n; {
		step := min(n-done, 56)
		w.set(at+done, r.uint(step), step)
		done += step
	}
	return n
}

// set writes the low n bits of v into the key from bit at on.
func (w *walker) set(at uint, v uint64, n uint) {
	for i := n; i > 0; {
		// Fill what remains of the byte that holds the next bit.
		room := 8 - at%8
		take := min(room, i)
		chunk := byte(v>>(i-take)) & byte(1<<take-1)
		shift := room - take
		mask := byte(1<<take-1) << shift
		w.key[at/8] = w.key[at/8]&^mask | chunk<<shift
		at += take
		i -= take
	}
}
