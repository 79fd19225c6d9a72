package contract

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"

	"tonql/internal/cellgraph"
)

// NaN is the value of an integer operation that has no result.
type NaN struct{}

// Result is the outcome of a get-method. Stack has the values in the order of the method's declaration: *big.Int,
// [NaN],
// *cell.Cell, *cell.Slice, *cell.Builder, []any for a tuple, nil for null, [Opaque] for anything else.
type Result struct {
	Method string
	Exit   int32
	Gas    int64
	Stack  []any

	cells int // distinct cells of the values; cells that two values share count twice
}

// Opaque stands for a value that has no meaning outside the machine, such as a continuation.
type Opaque struct{}

// result copies the values of a successful run, within the sizes of the budget.
func (b Budget) result(method string, res *tvm.ExecutionResult) (*Result, error) {
	exit := int32(res.ExitCode)
	if !vm.IsSuccessExitCode(res.ExitCode) {
		return nil, &Fault{Method: method, Reason: reasonOf(res.ExitCode), Exit: exit, Gas: res.GasUsed}
	}
	return b.copyResult(method, res)
}

func reasonOf(exit int64) Reason {
	switch exit {
	case vmerr.CodeUnknown: // thrown by the dispatcher when its dictionary has no such id
		return NoMethod
	case vmerr.CodeOutOfGas, ^int64(vmerr.CodeOutOfGas):
		return OutOfGas
	default:
		return Threw
	}
}

// copier copies values out of the machine and counts them.
type copier struct {
	budget   Budget
	values   int    // that may still be copied
	cells    int    // distinct cells that may still be copied
	exceeded string // the limit that was exceeded; empty for none
}

func (c *copier) copy(v any, depth int) any {
	if c.values--; c.values < 0 {
		c.exceeded = "too many values"
	}
	if depth > c.budget.TupleDepth {
		c.exceeded = "tuples nested too deep"
	}
	if c.exceeded != "" {
		return nil
	}
	switch v := v.(type) {
	case nil:
		return nil
	case *big.Int:
		return new(big.Int).Set(v) // small ones are shared by all runs
	case vm.NaN:
		return NaN{}
	case *cell.Cell:
		if v == nil {
			return nil
		}
		c.count(v, int(v.Depth()))
		return v.WithoutTrace()
	case *cell.Slice:
		c.count(v.BaseCell(), int(v.Depth()))
		return v.WithoutTrace()
	case *cell.Builder:
		return v
	case tuple.Tuple:
		return c.copyTuple(v, depth)
	case *tuple.Tuple:
		return c.copyTuple(*v, depth)
	default:
		return Opaque{}
	}
}

func (c *copier) copyTuple(v tuple.Tuple, depth int) any {
	if v.Len() == 2 {
		return c.copyPairs(v, depth)
	}
	vals := make([]any, 0, v.Len())
	for i := range v.Len() {
		raw, err := v.RawIndex(i)
		if err != nil {
			return nil
		}
		vals = append(vals, c.copy(raw, depth+1))
		if c.exceeded != "" {
			return nil
		}
	}
	return vals
}

// copyPairs copies a pair, and in a loop the pairs that follow as its second value: a list is a chain of them that ends with null. The
// pairs of a list are of one depth and count no values themselves, those of any other chain are tuples inside tuples.
func (c *copier) copyPairs(v tuple.Tuple, depth int) any {
	list, pairs := c.chain(v)
	if c.exceeded != "" {
		return nil
	}
	head := make([]any, 2)
	for last := head; ; {
		first, rest, ok := pairOf(v)
		if !ok {
			return nil
		}
		last[0] = c.copy(first, depth+1)
		if pairs--; pairs == 0 {
			if !list {
				last[1] = c.copy(rest, depth+1)
			}
			break
		}
		if !list {
			depth++
			c.values--
		}
		if c.exceeded != "" {
			break
		}
		next := make([]any, 2)
		last[1] = next
		last, v = next, asTuple(rest)
	}
	return head
}

// chain counts the pairs that follow each other from v on, and reports whether null follows the last one. More pairs than values that may
// still be copied are too many.
func (c *copier) chain(v tuple.Tuple) (list bool, pairs int) {
	for v.Len() == 2 {
		if pairs++; pairs > c.values {
			c.exceeded = "too many values"
			return false, pairs
		}
		rest, err := v.RawIndex(1)
		if err != nil || rest == nil {
			return err == nil, pairs
		}
		v = asTuple(rest)
	}
	return false, pairs
}

func pairOf(v tuple.Tuple) (first, rest any, ok bool) {
	first, err := v.RawIndex(0)
	if err != nil {
		return nil, nil, false
	}
	rest, err = v.RawIndex(1)
	return first, rest, err == nil
}

// asTuple returns a value that is a tuple, and the empty tuple for any other.
func asTuple(v any) tuple.Tuple {
	switch v := v.(type) {
	case tuple.Tuple:
		return v
	case *tuple.Tuple:
		if v != nil {
			return *v
		}
	}
	return tuple.Tuple{}
}

// count counts the cells of a value against the limits.
func (c *copier) count(root *cell.Cell, depth int) {
	if depth > c.budget.CellDepth {
		c.exceeded = "cells nested too deep"
		return
	}
	n, _, err := cellgraph.Count(root, c.cells)
	if err != nil {
		c.exceeded = "too many cells"
		return
	}
	c.cells -= n
}
