package boundedvm

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// A child VM has a gas trace of its own, so the library copies every value that passes between parent and child, tuples
// with all that is in them, as trees. Gas covers the values on the stack, not those in tuples. So a run has a number of
// values that may be copied this way, and RUNVM counts before the library copies.

// maxCopied is the number of values in tuples that pass between the VMs of one run: some hundred milliseconds. A call with
// c7 and a few structures copies some hundred.
const maxCopied = 2_000_000

// copiedBytes is what the copy of a value takes, as an upper estimate.
const copiedBytes = 64

// copied counts the values of tuples among values, and fails when the run has copied too many.
func (r *Run) copied(values ...any) error {
	left := maxCopied - int(r.crossed.Load())
	n := 0
	for _, v := range values {
		if t, ok := v.(tuple.Tuple); ok && n <= left {
			n += countValues(t, left-n)
		}
	}
	if n == 0 {
		return nil
	}
	if r.crossed.Add(int64(n)) > maxCopied {
		r.stop(&Exceeded{Resource: resourceMemory, Limit: fmt.Sprintf("%d values of tuples passed between virtual machines", maxCopied)})
	}
	r.charge(int64(n) * copiedBytes)
	return r.Err()
}

// countValues counts the values in t as a tree, up to limit+1. It recurses as deep as tuples are nested: each level costs
// the code 26 units of gas or more.
func countValues(t tuple.Tuple, limit int) int {
	n := t.Len()
	for i := range t.Len() {
		if n > limit {
			return limit + 1
		}
		v, err := t.RawIndex(i)
		if err != nil {
			break
		}
		if inner, ok := v.(tuple.Tuple); ok {
			n += countValues(inner, limit-n)
		}
	}
	return n
}

// stackValues returns the top n values.
func stackValues(stack *vm.Stack, n int) []any {
	values := make([]any, 0, n)
	for i := range n {
		if v, err := stack.Get(i); err == nil {
			values = append(values, v)
		}
	}
	return values
}

// countResults makes the library count what a child returns before it is copied. The runner of child VMs cannot be read
// from a state, but a copy of the state has it.
func (r *Run) countResults(s *vm.State) error {
	r.mu.Lock()
	_, done := r.parents[s]
	r.mu.Unlock()
	if done {
		return nil
	}
	// The first child makes the set of loaded libraries that the copy then shares. It returns at once.
	first := vm.NewExecutionState(s.GlobalVersion, vm.GasWithLimit(vm.ImplicitRetGasPrice), nil, tuple.Tuple{}, vm.NewStack())
	first.CurrentCode = cell.BeginCell().ToSlice()
	if _, err := s.RunChild(first); err != nil {
		return err //nolint:wrapcheck // the VM's own
	}
	runner := *s
	runner.Stack, runner.Reg, runner.CurrentCode, runner.Cells = nil, vm.Register{}, nil, vm.CellManager{}
	s.SetChildRunner(func(child *vm.State) (int64, error) {
		runner.GetExtraBalanceCounter = child.GetExtraBalanceCounter
		code, err := runner.RunChild(child)
		r.mu.Lock()
		delete(r.parents, child)
		r.mu.Unlock()
		if err != nil {
			return code, err //nolint:wrapcheck // the VM's own
		}
		if err = r.copied(stackValues(child.Stack, child.Stack.Len())...); err != nil {
			return 0, err
		}
		if !vm.IsSuccessExitCode(code) {
			return code, vmerr.Error(code) // RunChild leaves the exception out
		}
		return code, nil
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.parents == nil {
		r.parents = map[*vm.State]struct{}{}
	}
	r.parents[s] = struct{}{}
	return nil
}

// Flags of RUNVM.
const (
	runSameC3 = 1 << iota
	runPushZero
	runData
	runGasLimit
	runC7
	runActions
	runGasMax
	runIsolated
	runReturnValues
	runInvalid
)

// runChild is the library's RUNVM with what passes between the VMs counted.
func runChild(s *vm.State, mode int) error { //nolint:cyclop,funlen // the order in which operands are popped, as validators do
	if mode < 0 || mode >= runInvalid {
		return vmerr.Error(vmerr.CodeRangeCheck, "invalid flags")
	}
	if err := s.ConsumeGas(vm.RunvmGasPrice); err != nil {
		return err
	}
	r := runOf(s)
	if err := r.Err(); err != nil {
		return err
	}
	var err error
	cfg := vm.ChildVMConfig{
		SameC3: mode&runSameC3 != 0, PushZero: mode&runSameC3 != 0 && mode&runPushZero != 0,
		ReturnData: mode&runData != 0, ReturnActions: mode&runActions != 0, ReturnGas: mode&runGasLimit != 0,
		IsolateGas: mode&runIsolated != 0, ReturnValues: -1,
	}
	gasMax, gasLimit := vm.GasInfinite, vm.GasInfinite
	if mode&runGasMax != 0 {
		if gasMax, err = s.Stack.PopIntRangeInt64(0, vm.GasInfinite); err != nil {
			return err
		}
	}
	if mode&runGasLimit != 0 {
		if gasLimit, err = s.Stack.PopIntRangeInt64(0, vm.GasInfinite); err != nil {
			return err
		}
	}
	if mode&runGasMax == 0 {
		gasMax = gasLimit
	}
	if mode&runC7 != 0 {
		if cfg.C7, err = s.Stack.PopTuple(); err != nil {
			return err
		}
	}
	if mode&runData != 0 {
		if cfg.Data, err = s.Stack.PopCell(); err != nil {
			return err
		}
	}
	if mode&runReturnValues != 0 {
		values, err := s.Stack.PopIntRangeInt64(0, 1<<30)
		if err != nil {
			return err
		}
		cfg.ReturnValues = int(values)
	}
	if cfg.Code, err = s.Stack.PopSlice(); err != nil {
		return err
	}
	depth := s.Stack.Len() - 1
	if depth < 0 {
		return vmerr.Error(vmerr.CodeStackUnderflow)
	}
	size, err := s.Stack.PopIntRangeInt64(0, int64(depth))
	if err != nil {
		return err
	}
	cfg.Stack = vm.NewStack()
	if err = cfg.Stack.MoveFrom(s.Stack, int(size)); err != nil {
		return err
	}
	if err = s.ConsumeStackGas(cfg.Stack); err != nil {
		return err
	}
	gasLimit = min(gasLimit, s.Gas.Remaining)
	cfg.Gas.SetLimits(max(min(gasMax, s.Gas.Remaining), gasLimit), gasLimit)
	if err = r.copied(append(stackValues(cfg.Stack, cfg.Stack.Len()), cfg.C7)...); err != nil {
		return err
	}
	if err = r.countResults(s); err != nil {
		return err
	}
	return s.RunChildVM(cfg)
}

// runVMImmediate is RUNVM with its flags in the code, runVMStack the one with its flags on the stack.
func runVMImmediate() vm.OP {
	var mode uint64
	return &helpers.AdvancedOP{
		NameSerializer: func() string { return fmt.Sprintf("RUNVM %d", mode) },
		BitPrefix:      helpers.UIntPrefix(0xDB4, 12), FixedSizeBits: 12, MinVersion: 4,
		SerializeSuffix: func() *cell.Builder { return cell.BeginCell().MustStoreUInt(mode, 12) },
		DeserializeSuffix: func(code *cell.Slice) (err error) {
			mode, err = code.LoadUInt(12)
			return err
		},
		Action: func(s *vm.State) error { return runChild(s, int(mode)) },
	}
}

func runVMStack() vm.OP {
	return &helpers.SimpleOP{
		Name: "RUNVMX", BitPrefix: helpers.BytesPrefix(0xDB, 0x50), MinVersion: 4,
		Action: func(s *vm.State) error {
			mode, err := s.Stack.PopIntRangeInt64(0, 4095)
			if err != nil {
				return err
			}
			return runChild(s, int(mode))
		},
	}
}
