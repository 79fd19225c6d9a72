package action

import "github.com/xssnick/tonutils-go/tvm/cell"

// Content is the body or the state-init of a message. The zero value is none.
type Content struct {
	cells *cell.Cell
	read  func() *cell.Cell
}

// Parsed is content whose cells are in memory.
func Parsed(c *cell.Cell) Content { return Content{cells: c} }

// Deferred is content that read parses whenever it is needed. 255 messages of one transaction can share 8192 cells: parsed, they would have
// two million.
func Deferred(read func() *cell.Cell) Content { return Content{read: read} }

// Cell returns the first cell, nil for none.
func (c *Content) Cell() *cell.Cell {
	if c.read != nil {
		return c.read()
	}
	return c.cells
}
