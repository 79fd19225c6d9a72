package contracttest

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	maxTreeCells = 200
	maxTreeDepth = 100
)

// Tree grows a tree of cells from any bytes, so that a fuzzer's changes reach the fields of cells rather than the
// checks of a BoC. Each cell takes a byte with its length in bytes, a byte with its references (3 bits) and how many
// bits to cut off its end (3 bits), its data, then its references.
func Tree(data []byte) *cell.Cell {
	g := grower{data: data, left: maxTreeCells}
	return g.cell(maxTreeDepth)
}

type grower struct {
	data []byte
	left int
}

func (g *grower) byte() byte {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return b
}

func (g *grower) cell(depth int) *cell.Cell {
	g.left--
	size, shape := min(int(g.byte()), 127), g.byte()
	payload := make([]byte, size)
	g.data = g.data[copy(payload, g.data):]
	bits := max(size*8-int(shape>>3&7), 0)
	b := cell.BeginCell().MustStoreSlice(payload, uint(bits))
	for range min(int(shape&7), 4) {
		if depth == 0 || g.left <= 0 {
			break
		}
		b.MustStoreRef(g.cell(depth - 1))
	}
	return b.EndCell()
}

// Seed writes a tree in the form [Tree] reads.
func Seed(c *cell.Cell) []byte {
	s := c.MustBeginParse()
	bits := s.BitsLeft()
	size := (bits + 7) / 8
	out := []byte{byte(size), byte(size*8-bits)<<3 | byte(c.RefsNum())}
	out = append(out, s.MustLoadSlice(bits)...)
	for i := range int(c.RefsNum()) {
		out = append(out, Seed(c.MustPeekRef(i))...)
	}
	return out
}
