package ledger

import "github.com/xssnick/tonutils-go/tvm/cell"

// detach copies the cells of an update. The new ones among them carry usage
// traces or lie in one allocation with cells that do, and a trace keeps the usage
// tree of its complete block in memory for as long as the cell stays in the state.
// Pruned branches stay as they are: they stand for cells of the old state.
func detach(c *cell.Cell, done map[cell.Hash]*cell.Cell) (*cell.Cell, error) {
	if c.GetType() == cell.PrunedCellType {
		return c.WithoutTrace(), nil
	}
	// Two cells may differ in what is pruned below them, and then differ in
	// their representation hash.
	key := c.HashKey(c.Level())
	if copied := done[key]; copied != nil {
		return copied, nil
	}
	s, err := c.BeginParseWithoutTrace()
	if err != nil {
		return nil, err
	}
	bits, data, err := s.RestBits()
	if err != nil {
		return nil, err
	}
	b := cell.BeginCell()
	if err := b.StoreSlice(data, bits); err != nil {
		return nil, err
	}
	for i := range int(c.RefsNum()) {
		ref, err := c.WithoutTrace().PeekRef(i)
		if err != nil {
			return nil, err
		}
		if ref, err = detach(ref, done); err != nil {
			return nil, err
		}
		if err := b.StoreRef(ref); err != nil {
			return nil, err
		}
	}
	copied, err := b.EndCellSpecial(c.IsSpecial())
	if err != nil {
		return nil, err
	}
	done[key] = copied
	return copied, nil
}
