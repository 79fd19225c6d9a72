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
	info = info.Copy()
	if err := info.Set(paramBalance, tuple.NewTupleValue(coins, extra)); err != nil {
		return err //nolint:wrapcheck // cannot be: the index exists
	}
	c7 := s.Reg.C7.Copy()
	if err := c7.Set(0, info); err != nil {
		return err //nolint:wrapcheck // cannot be: the index exists
	}
	return s.SetC7(c7) //nolint:wrapcheck // the VM's own exception
}
