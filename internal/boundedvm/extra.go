package boundedvm

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// In transactions the library shows code the coins of its account and null for its extra currencies. The opcodes that read c7
// complete the balance first.

// paramBalance is the index of the balance in SmartContractInfo: a tuple of coins and of extra currencies.
const paramBalance = 7

// ShowExtra lets code read the extra currencies that its account has after the credit phase: HashmapE 32 (VarUInteger 32), nil for none. It
// is called before the execution.
func (r *Run) ShowExtra(dict *cell.Cell) { r.extra = dict }

var extraPatches = map[string]patch{
	"f827/16":   readingContext,  // BALANCE
	"f88100/24": readingContext,  // GETPARAMLONG
	"f880/16":   getExtraBalance, // GETEXTRABALANCE
	"f840/16":   readingContext,  // GETGLOBVAR
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

// getExtraBalance is GETEXTRABALANCE. The library charges for a dictionary that belongs to the VM twice.
func getExtraBalance(action) action {
	return polled(func(s *vm.State) error {
		if err := completeBalance(s); err != nil {
			return err
		}
		id, err := s.Stack.PopIntRangeInt64(0, 1<<32-1)
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		root, err := extraOfBalance(s)
		if err != nil {
			return err
		}
		var key keyBits
		key.set(0, uint64(id), 32)
		d := dictionary{s: s, root: root, bits: 32}
		lookup := d.lookup
		if s.RegisterGetExtraBalanceCall() {
			lookup = d.cheapLookup
		}
		value, err := lookup(&key)
		switch {
		case err != nil:
			return err
		case value == nil:
			return s.Stack.PushSmallInt(0) //nolint:wrapcheck // the VM's own exception
		}
		amount, err := value.LoadVarUInt(32)
		if err != nil {
			return vmerr.Error(vmerr.CodeCellUnderflow, "amount of an extra currency")
		}
		return s.Stack.PushOwnedInt(amount) //nolint:wrapcheck // the VM's own exception
	})
}

// extraOfBalance returns the dictionary of the balance in c7.
func extraOfBalance(s *vm.State) (*cell.Cell, error) {
	param, err := s.GetParam(paramBalance)
	if err != nil {
		return nil, err //nolint:wrapcheck // the VM's own exception
	}
	balance, ok := param.(tuple.Tuple)
	if !ok {
		return nil, vmerr.Error(vmerr.CodeTypeCheck, "balance")
	}
	extra, err := balance.Index(1)
	if err != nil {
		return nil, err //nolint:wrapcheck // the VM's own exception
	}
	root, ok := extra.(*cell.Cell)
	if !ok && extra != nil {
		return nil, vmerr.Error(vmerr.CodeTypeCheck, "extra currencies")
	}
	return root, nil
}

// plenty is more gas than a lookup takes.
const plenty = 1 << 40

// cheapLookup is lookup for at most the price of the first calls of GETEXTRABALANCE. What it costs more counts as free gas.
func (d *dictionary) cheapLookup(key *keyBits) (*cell.Slice, error) {
	before := d.s.Gas.Remaining
	d.s.Gas.Remaining += plenty
	value, err := d.lookup(key)
	used := before + plenty - d.s.Gas.Remaining
	d.s.Gas.Remaining = before
	paid := min(used, vm.GetExtraBalanceCheapMaxGas)
	if short := d.s.ConsumeGas(paid); short != nil {
		return nil, short //nolint:wrapcheck // the VM's own exception
	}
	d.s.ConsumeFreeGas(used - paid)
	return value, err
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
