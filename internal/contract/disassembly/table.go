package disassembly

import (
	"sync"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/boundedvm"
)

// node is a node of the trie over the prefixes of opcodes.
type node struct {
	next [2]*node
	op   vm.OPGetter
}

// minPrefix leaves out the entry of boundedvm that stands for unknown opcodes: its prefix is a single bit.
const minPrefix = 2

// table returns the opcodes of all versions. The last opcode of a prefix is the one that the TVM executes.
var table = sync.OnceValue(func() *node {
	root := &node{}
	for _, getter := range boundedvm.Opcodes() {
		for _, prefix := range getter().GetPrefixes() {
			n, bits := root, prefix.BitsLeft()
			if bits < minPrefix {
				continue
			}
			raw := prefix.MustPreloadSlice(bits)
			for i := range bits {
				bit := raw[i/8] >> (7 - i%8) & 1
				if n.next[bit] == nil {
					n.next[bit] = &node{}
				}
				n = n.next[bit]
			}
			n.op = getter
		}
	}
	return root
})

// match returns the opcode with the longest prefix; nil when there is none. As in the TVM, code that ends within a prefix
// continues with zeros.
func match(code *cell.Slice) vm.OPGetter {
	var found vm.OPGetter
	bits := code.BitsLeft()
	n := table()
	for i := uint(0); ; i++ {
		var bit uint8
		if i < bits {
			b, err := code.BitAt(i)
			if err != nil {
				return found
			}
			bit = b
		}
		if n = n.next[bit]; n == nil {
			return found
		}
		if n.op != nil {
			found = n.op
		}
	}
}

// decode reads the next instruction; false when there is none at this place.
func decode(code *cell.Slice) (op vm.OP, ok bool) {
	getter := match(code)
	if getter == nil {
		return nil, false
	}
	op = getter()
	var err error
	if matched, is := op.(interface{ DeserializeMatched(code *cell.Slice) error }); is {
		err = matched.DeserializeMatched(code)
	} else {
		err = op.Deserialize(code)
	}
	return op, err == nil
}
