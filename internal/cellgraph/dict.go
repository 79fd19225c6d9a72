package cellgraph

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

var (
	// ErrTooManyEntries is the error of a dictionary with more entries than are accepted.
	ErrTooManyEntries = errors.New("too many entries")
	// ErrNoDict is the error of cells that are no dictionary with keys of that size, or of which parts are pruned.
	ErrNoDict = errors.New("cells are no dictionary")
)

// Entries returns how many entries the dictionary at root has: what a walk over all of it would visit. It takes time
// proportional to the distinct cells of the dictionary, whose branches may share cells: 2^k entries fit into k cells. It
// fails with [ErrTooManyEntries] when there are more than limit. A nil root is the empty dictionary.
func Entries(root *cell.Cell, keyBits uint, limit int) (int, error) {
	if root == nil {
		return 0, nil
	}
	d := dictTally{limit: limit, counted: make(map[branch]int, 16)}
	n, err := d.count(root, keyBits)
	if err == nil && n > limit {
		err = fmt.Errorf("more than %d: %w", limit, ErrTooManyEntries)
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Dict returns the dictionary at root when it has at most limit entries.
func Dict(root *cell.Cell, keyBits uint, limit int) (*cell.Dictionary, error) {
	if root == nil {
		return cell.NewDict(keyBits), nil
	}
	if _, err := Entries(root, keyBits, limit); err != nil {
		return nil, err
	}
	return root.AsDict(keyBits), nil
}

// branch is a part of a dictionary: the same cell holds other entries when other bits of the key are left.
type branch struct {
	hash cell.Hash
	left uint
}

type dictTally struct {
	limit   int
	counted map[branch]int
}

func (d *dictTally) count(c *cell.Cell, left uint) (int, error) {
	key := branch{c.HashKey(), left}
	if n, ok := d.counted[key]; ok {
		return n, nil
	}
	// A dictionary has fewer forks than entries.
	if len(d.counted) > 2*d.limit {
		return d.limit + 1, nil
	}
	var s cell.Slice
	if err := c.BeginParseIntoWithoutTrace(&s); err != nil {
		return 0, fmt.Errorf("cell %x: %w", key.hash[:], err)
	}
	if s.IsSpecial() {
		return 0, ErrNoDict
	}
	label, err := labelLength(&s, left)
	if err != nil {
		return 0, err
	}
	if label == left {
		d.counted[key] = 1
		return 1, nil
	}
	n := 0
	for range 2 {
		ref, err := s.LoadRefCell()
		if err != nil {
			return 0, ErrNoDict
		}
		below, err := d.count(ref, left-label-1)
		if err != nil {
			return 0, err
		}
		if n += below; n > d.limit {
			n = d.limit + 1
			break
		}
	}
	d.counted[key] = n
	return n, nil
}

// labelLength takes the label of a branch, HmLabel, and returns how many bits it has.
func labelLength(s *cell.Slice, left uint) (uint, error) {
	n, err := loadLabel(s, left)
	if err != nil || n > left {
		return 0, ErrNoDict
	}
	return n, nil
}

func loadLabel(s *cell.Slice, left uint) (uint, error) {
	long, err := s.LoadBoolBit()
	if err != nil {
		return 0, err
	}
	if !long { // hml_short$0: the length in unary
		n := uint(0)
		for n <= left {
			more, err := s.LoadBoolBit()
			if err != nil {
				return 0, err
			}
			if !more {
				return n, s.SkipBits(n)
			}
			n++
		}
		return n, nil
	}
	same, err := s.LoadBoolBit()
	if err != nil {
		return 0, err
	}
	if same { // hml_same$11: one bit repeated
		if err := s.SkipBits(1); err != nil {
			return 0, err
		}
	}
	n, err := s.LoadUInt(uint(bits.Len(left)))
	if err != nil || same {
		return uint(n), err
	}
	return uint(n), s.SkipBits(uint(n)) // hml_long$10
}
