package contract

import (
	"context"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
)

// Execute runs a get-method by number. A run that fails returns a Result too, with its exit code and the values on the
// stack. Arguments are those of [Runner.Run]. The error is a Fault when the account has no code, the result is too
// large or the run took too long.
func (r *Runner) Execute(ctx context.Context, s *State, id int32, args ...any) (*Result, error) {
	name := strconv.Itoa(int(id))
	res, err := r.start(ctx, s, name, id, r.machine.budget.Gas, args)
	if err != nil {
		return nil, err
	}
	return r.machine.budget.copyResult(name, res)
}

// copyResult copies the values that a run left on the stack, successful or not.
func (b Budget) copyResult(method string, res *tvm.ExecutionResult) (*Result, error) {
	out := &Result{Method: method, Exit: int32(res.ExitCode), Gas: res.GasUsed}
	if res.Stack == nil {
		return out, nil
	}
	depth := res.Stack.Len()
	if depth > b.StackDepth {
		return nil, faultf(method, TooLarge, "%d values", depth)
	}
	out.Stack = make([]any, depth)
	c := copier{budget: b, values: b.Values, cells: b.Cells}
	for i := depth - 1; i >= 0; i-- {
		v, err := res.Stack.PopAny()
		if err != nil {
			return nil, faultf(method, Broken, "%v", err)
		}
		out.Stack[i] = c.copy(v, 0)
	}
	if c.exceeded != "" {
		return nil, faultf(method, TooLarge, "%s", c.exceeded)
	}
	out.cells = b.Cells - c.cells
	return out, nil
}

// Execute calls f, which uses the TVM itself, as one run of the machine: in one of its slots and within its budget. A
// panic is returned as an error. f must pass [boundedvm.Run.Libraries] to the TVM, so that the run can be ended. After
// an error the caller must not read what f writes, because f may still be running.
func (m *Machine) Execute(ctx context.Context, what string, f func(*boundedvm.Run) error) error {
	_, err := m.execute(ctx, what, func(run *boundedvm.Run) (*tvm.ExecutionResult, error) { return nil, f(run) })
	return err
}

// LibraryDict returns the dictionary of the libraries that trees of cells need, in the form of the TVM; nil when they
// need none.
func LibraryDict(libs Libraries, roots ...*cell.Cell) *cell.Cell {
	root, _, _ := libraryDict(libs, roots...)
	return root
}
