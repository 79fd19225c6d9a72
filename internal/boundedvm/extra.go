package boundedvm

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// In transactions the library shows code the coins of its account and null for its extra currencies. The opcodes that read c7
// complete the balance first.

// paramBalance is the index of the balance in SmartContractInfo: a tuple of coins and of extra currencies.
const paramBalance = 7

// ShowExtra lets code read the extra currencies that its account has after the credit phase: HashmapE 32 (VarUInteger 32), nil for none. It
// is called before the execution.
func (r *Run) ShowExtra(dict *cell.Cell) { r.extra = dict }

var extraPatches = map[string]patch{
	"f827/16":   readingContext, // BALANCE
	"f88100/24": readingContext, // GETPARAMLONG
	"f880/16":   readingContext, // GETEXTRABALANCE
	"f840/16":   readingContext, // GETGLOBVAR
}

// readingContext wraps an opcode that may read the balance.
func readingContext(library action) action {
	return polled(func(s *vm.State) error {
		if err := completeBalance(s); err != nil {
			return err
		}
		return library(s)
	})
}

// completeBalance puts the extra currencies into c7. A tuple of the code's own that has the same coins and no extra currencies is
// completed, too: it looks like the library's.
func completeBalance(s *vm.State) error {
	extra := runOf(s).extra
	if extra == nil || s.Reg.C7.Len() == 0 {
		return nil
	}
	first, _ := s.Reg.C7.Index(0)
	info, ok := first.(tuple.Tuple)
	if !ok || info.Len() <= paramBalance {
		return nil
	}
	second, _ := info.Index(paramBalance)
	balance, ok := second.(tuple.Tuple)
	if !ok || balance.Len() != 2 {
		return nil
	}
	coins, _ := balance.Index(0)
	none, _ := balance.Index(1)
	if _, ok := coins.(*big.Int); !ok || none != nil {
		return nil
	}
	trace := s.Cells.Trace()
	shown := tuple.NewTupleOwnedBound([]any{coins, vm.BindValueTrace(extra, trace)}, trace)
	c7 := replaced(s.Reg.C7, 0, replaced(info, paramBalance, shown))
	if s.Reg.C7.HasBindingID(trace) { // its values are bound: there is nothing to walk, however many globals there are
		s.Reg.C7 = c7.WithBindingID(trace)
		return nil
	}
	return s.SetC7(c7) //nolint:wrapcheck // the VM's own exception
}

// replaced returns a tuple with another value at an index that it has, bound as it was.
func replaced(t tuple.Tuple, at int, value any) tuple.Tuple {
	values := make([]any, t.Len())
	for i := range values {
		values[i], _ = t.RawIndex(i)
	}
	values[at] = value
	out := tuple.NewTupleOwned(values)
	if id := t.BindingID(); id != nil {
		return out.WithBindingID(id)
	}
	return out
}
