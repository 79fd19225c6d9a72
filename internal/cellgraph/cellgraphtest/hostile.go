package cellgraphtest

import "github.com/xssnick/tonutils-go/tvm/cell"

// Levels are the sizes with which tests are run: a walk over the smallest as a tree makes 350,000 visits, over the others
// it does not end.
var Levels = []int{10, 100, 500}

// Shared makes levels distinct cells, each with four references to the next one. The first holds head.
func Shared(levels int, head *cell.Builder) *cell.Cell {
	return shared(levels, 4, head)
}

// Chain makes length distinct cells, each with one reference to the next one: what [Shared] is compared with. The first
// holds head.
func Chain(length int, head *cell.Builder) *cell.Cell {
	return shared(length, 1, head)
}

func shared(levels, refs int, head *cell.Builder) *cell.Cell {
	c := cell.BeginCell().MustStoreUInt(uint64(levels), 32).EndCell()
	for i := levels - 1; i > 0; i-- {
		b := cell.BeginCell()
		if i == 1 && head != nil {
			b.MustStoreBuilder(head)
		} else {
			b.MustStoreUInt(uint64(i), 32)
		}
		for range refs {
			b.MustStoreRef(c)
		}
		c = b.EndCell()
	}
	return c
}

// Dict makes a dictionary with all 2^keyBits keys, each with the value given, in keyBits+1 cells.
func Dict(keyBits uint, value *cell.Builder) *cell.Cell {
	b := cell.BeginCell().MustStoreUInt(0, 2) // hml_short of no bits
	c := b.MustStoreBuilder(value).EndCell()
	for range keyBits {
		c = cell.BeginCell().MustStoreUInt(0, 2).MustStoreRef(c).MustStoreRef(c).EndCell()
	}
	return c
}

// Snake makes length cells full of letters, each with four references to the next one: a text that continues in the first
// of them. The first begins with head.
func Snake(length int, head *cell.Builder) *cell.Cell {
	var c *cell.Cell
	for i := length - 1; i >= 0; i-- {
		b := cell.BeginCell()
		if i == 0 && head != nil {
			b.MustStoreBuilder(head)
		}
		for b.BitsLeft() >= 8 {
			b.MustStoreUInt('a'+uint64(i)%26, 8)
		}
		for range 4 {
			if c != nil {
				b.MustStoreRef(c)
			}
		}
		c = b.EndCell()
	}
	return c
}
