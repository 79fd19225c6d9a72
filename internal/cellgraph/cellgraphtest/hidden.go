package cellgraphtest

import (
	"encoding/binary"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Hidden returns the bag of a cell with the hash of c, whose references are pruned branches: it claims level 0 as c has. A node
// refuses such a bag.
func Hidden(c *cell.Cell) []byte { return WithLevel(c, 0) }

// WithLevel returns the bag of a cell with the data of c and pruned branches of level 1 in place of its references, which claims the level
// mask given.
func WithLevel(c *cell.Cell, mask byte) []byte {
	s := c.MustBeginParse()
	bits := s.BitsLeft()
	data := s.MustLoadSlice(bits)
	refs := int(c.RefsNum())
	d2 := byte(2 * (bits / 8))
	if rest := bits % 8; rest != 0 {
		d2++
		data[len(data)-1] |= 1 << (7 - rest)
	}
	cells := append([]byte{byte(refs) | mask<<5, d2}, data...)
	for i := range refs {
		cells = append(cells, byte(i+1))
	}
	for i := range refs {
		branch := append([]byte{byte(cell.PrunedCellType), 1}, c.MustPeekRef(i).Hash(0)...)
		branch = binary.BigEndian.AppendUint16(branch, c.MustPeekRef(i).Depth(0))
		cells = append(cells, 1<<5|1<<3, byte(2*len(branch)))
		cells = append(cells, branch...)
	}
	head := []byte{0xb5, 0xee, 0x9c, 0x72, 1, 2, byte(refs + 1), 1, 0}
	head = binary.BigEndian.AppendUint16(head, uint16(len(cells)))
	return append(append(head, 0), cells...)
}

// HiddenCell is [Hidden], parsed by the library, which does not refuse it.
func HiddenCell(c *cell.Cell) *cell.Cell {
	hidden, err := cell.FromBOC(Hidden(c))
	if err != nil || hidden.HashKey() != c.HashKey() {
		panic(fmt.Sprintf("the library refuses the cell: %v", err)) //nolint:forbidigo // for tests, which then have no subject
	}
	return hidden
}
