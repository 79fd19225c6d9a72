package ledger

import "github.com/xssnick/tonutils-go/tvm/cell"

// blockSize estimates the size of a block in the making, so that it can end before it is too
// large: the distinct cells of its transactions and messages, and a part of the state update for each
// account.
type blockSize struct {
	bytes int
	seen  map[cell.Hash]struct{}
}

const (
	cellOverhead  = 5   // descriptors and a reference to the cell
	accountUpdate = 600 // paths of an account in the dictionaries and in both sides of the update
	txOverhead    = 250 // envelope and records of the in-message
)

func newBlockSize() blockSize { return blockSize{seen: map[cell.Hash]struct{}{}} }

// add counts the cells that are not in the block yet. Cells of a transaction are few and
// bounded by the limits of messages; a shared cell is visited once.
func (s *blockSize) add(c *cell.Cell) {
	hash := c.HashKey()
	if _, ok := s.seen[hash]; ok {
		return
	}
	s.seen[hash] = struct{}{}
	s.bytes += (int(c.BitsSize())+7)/8 + cellOverhead
	for i := range int(c.RefsNum()) {
		s.add(c.MustPeekRef(i))
	}
}
