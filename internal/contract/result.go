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

// NaN is the integer that is no number.
type NaN struct{}

// Result is what a get-method left. Stack holds the values in the order the method names them: *big.Int, [NaN],
// *cell.Cell, *cell.Slice, *cell.Builder, []any for a tuple, nil for null, [Opaque] for anything else.
type Result struct {
	Method string
	Exit   int32
	Gas    int64
	Stack  []any
}

// Opaque stands for a value that has no meaning outside the machine, such as a continuation.
type Opaque struct{}

// result copies the values of a run within the budget's sizes.
func (b Budget) result(method string, res *tvm.ExecutionResult) (*Result, error) {
	exit := int32(res.ExitCode)
	if !vm.IsSuccessExitCode(res.ExitCode) {
		return nil, &Fault{Method: method, Reason: reasonOf(res.ExitCode), Exit: exit, Gas: res.GasUsed}
	}
	return b.leftovers(method, res)
}

func reasonOf(exit int64) Reason {
	switch exit {
	case vmerr.CodeUnknown: // what the dispatcher throws when the dictionary has no such id
		return NoMethod
	case vmerr.CodeOutOfGas, ^int64(vmerr.CodeOutOfGas):
		return OutOfGas
	default:
		return Threw
	}
}

// taker copies values out of the machine and counts them.
type taker struct {
	budget Budget
	left   int    // values
	cells  int    // distinct cells of all values
	over   string // which bound was passed; empty while none
}

func (t *taker) take(v any, depth int) any {
	if t.left--; t.left < 0 {
		t.over = "too many values"
	}
	if depth > t.budget.TupleDepth {
		t.over = "tuples nested too deep"
	}
	if t.over != "" {
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
		t.check(v, int(v.Depth()))
		return v.WithoutTrace()
	case *cell.Slice:
		t.check(v.BaseCell(), int(v.Depth()))
		return v.WithoutTrace()
	case *cell.Builder:
		return v
	case tuple.Tuple:
		return t.takeTuple(v, depth)
	case *tuple.Tuple:
		return t.takeTuple(*v, depth)
	default:
		return Opaque{}
	}
}

func (t *taker) takeTuple(v tuple.Tuple, depth int) any {
	vals := make([]any, 0, v.Len())
	for i := range v.Len() {
		raw, err := v.RawIndex(i)
		if err != nil {
			return nil
		}
		vals = append(vals, t.take(raw, depth+1))
		if t.over != "" {
			return nil
		}
	}
	return vals
}

func (t *taker) check(c *cell.Cell, depth int) {
	if depth > t.budget.CellDepth {
		t.over = "cells nested too deep"
		return
	}
	n, _, err := cellgraph.Count(c, t.cells)
	if err != nil {
		t.over = "too many cells"
		return
	}
	t.cells -= n
}
