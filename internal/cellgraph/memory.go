package cellgraph

import "github.com/xssnick/tonutils-go/tvm/cell"

// CellMemory is what a parsed cell takes in memory besides its bits, about, in bytes. A cell without bits takes it, too.
const CellMemory = 256

// Memory returns how many bytes of memory cells take, about.
func Memory(cells, bits uint64) int { return int(cells*CellMemory + bits/8) }

// MemoryOf is [Memory] of the distinct cells below root. ok is false, and the count ends, when they take more than limit bytes or cannot be read.
func MemoryOf(root *cell.Cell, limit int) (bytes int, ok bool) {
	cells, bits, err := Count(root, limit/CellMemory)
	bytes = Memory(uint64(cells), bits)
	return bytes, err == nil && bytes <= limit
}
