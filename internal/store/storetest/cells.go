package storetest

import "github.com/xssnick/tonutils-go/tvm/cell"

// NumberedCell has a number in front of a tree.
func NumberedCell(n uint64, tree *cell.Cell) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(n, 64).MustStoreRef(tree).EndCell()
}

// FullCells is a chain of cells of 127 bytes.
func FullCells(n uint64, length int) *cell.Cell {
	c := cell.BeginCell().EndCell()
	for i := range length {
		c = cell.BeginCell().MustStoreUInt(n, 32).MustStoreUInt(uint64(i), 32).MustStoreSlice(make([]byte, 119), 119*8).MustStoreRef(c).EndCell()
	}
	return c
}
