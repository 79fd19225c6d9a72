package cellgraph

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
)

// MaxVisits is how many visits a walk that treats cells as a tree may make. The largest message of the network has 8192
// distinct cells (configuration parameter 43), so a message without shared cells is 30 times below it; the walk itself
// takes some 50 ms.
const MaxVisits = 250_000

// TooManyVisitsError is the error of cells that are shared so often that a walk over them as a tree would take more
// than Max visits.
type TooManyVisitsError struct{ Max int }

// Error says how many visits are accepted.
func (e *TooManyVisitsError) Error() string {
	return fmt.Sprintf("its cells refer to each other in more than %d ways; at most %d are followed", e.Max, e.Max)
}

// Check returns a *[TooManyVisitsError] when a walk that treats the graph below root as a tree would visit more than
// limit cells, and the error of a cell that does not load. A nil root passes.
func Check(root *cell.Cell, limit int) error {
	n, err := visits(root, limit)
	if err == nil && n > limit {
		err = &TooManyVisitsError{Max: limit}
	}
	return err
}

// Visits returns how many cells a walk would visit that treats the graph below root as a tree. It takes time and memory
// proportional to the distinct cells, of which it looks at limit+1 at most. More than limit is returned as limit+1; a
// cell that does not load counts as too many. The count of nil is 0.
func Visits(root *cell.Cell, limit int) int {
	n, err := visits(root, limit)
	if err != nil {
		return limit + 1
	}
	return n
}

func visits(root *cell.Cell, limit int) (int, error) {
	if root == nil {
		return 0, nil
	}
	left := min(fewVisits, limit)
	if err := walkTree(root, &left); err != nil {
		return 0, err
	}
	if left >= 0 {
		return min(fewVisits, limit) - left, nil
	}
	if limit <= fewVisits {
		return limit + 1, nil
	}
	t := tally{limit: limit, counted: make(map[cell.Hash]int, 16)}
	return t.count(root)
}

// fewVisits are made without looking for shared cells: nearly all messages have fewer.
const fewVisits = 64

// walkTree visits cells as a tree until left is below 0.
func walkTree(c *cell.Cell, left *int) error {
	if *left--; *left < 0 {
		return nil
	}
	var s cell.Slice
	if err := c.BeginParseIntoWithoutTrace(&s); err != nil {
		return fmt.Errorf("cell %x: %w", c.Hash(), err)
	}
	for s.RefsNum() > 0 && *left >= 0 {
		ref, err := s.LoadRefCell()
		if err != nil {
			return fmt.Errorf("cell %x: %w", c.Hash(), err)
		}
		if err := walkTree(ref, left); err != nil {
			return err
		}
	}
	return nil
}

// tally counts visits. Counts are at most limit+1.
type tally struct {
	limit   int
	counted map[cell.Hash]int
}

// count recurses at most as deep as cells are, 1024.
func (t *tally) count(c *cell.Cell) (int, error) {
	key := c.HashKey()
	if n, ok := t.counted[key]; ok {
		return n, nil
	}
	if len(t.counted) > t.limit {
		return t.limit + 1, nil
	}
	var s cell.Slice
	if err := c.BeginParseIntoWithoutTrace(&s); err != nil {
		return 0, fmt.Errorf("cell %x: %w", key[:], err)
	}
	n := 1
	for s.RefsNum() > 0 {
		ref, err := s.LoadRefCell()
		if err != nil {
			return 0, fmt.Errorf("cell %x: %w", key[:], err)
		}
		below, err := t.count(ref)
		if err != nil {
			return 0, err
		}
		// A child with too many makes its parents have too many: nothing more needs to be looked at.
		if n += below; n > t.limit {
			n = t.limit + 1
			break
		}
	}
	t.counted[key] = n
	return n, nil
}
