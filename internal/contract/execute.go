package contract

import (
	"context"
	"strconv"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
)

// Execute runs a get-method by number for somebody who wants to see whatever comes of it: a run that fails is a Result
// too, with its exit code and what it left on the stack. Arguments are as for [Runner.Run]. A Fault remains for an
// account without code, a result that is too large and a run that took too long.
func (r *Runner) Execute(ctx context.Context, s *State, id int32, args ...any) (*Result, error) {
	name := strconv.Itoa(int(id))
	res, err := r.start(ctx, s, name, id, r.machine.budget.Gas, args)
	if err != nil {
		return nil, err
	}
	return r.machine.budget.leftovers(name, res)
}

// leftovers takes over what a run left, successful or not.
func (b Budget) leftovers(method string, res *tvm.ExecutionResult) (*Result, error) {
	out := &Result{Method: method, Exit: int32(res.ExitCode), Gas: res.GasUsed}
	if res.Stack == nil {
		return out, nil
	}
	depth := res.Stack.Len()
	if depth > b.StackDepth {
		return nil, faultf(method, TooLarge, "%d values", depth)
	}
	out.Stack = make([]any, depth)
	t := taker{budget: b, left: b.Values, cells: b.Cells}
	for i := depth - 1; i >= 0; i-- {
		v, err := res.Stack.PopAny()
		if err != nil {
			return nil, faultf(method, Broken, "%v", err)
		}
		out.Stack[i] = t.take(v, 0)
	}
	if t.over != "" {
		return nil, faultf(method, TooLarge, "%s", t.over)
	}
	return out, nil
}

// Guard lets f use the TVM by itself, as one run of the machine: in one of its slots, within its budget, and a panic is an
// error. f gives the TVM the run's libraries, by which the run is ended. What f writes must not be read after an error,
// since f may continue for a moment.
func (m *Machine) Guard(ctx context.Context, what string, f func(*boundedvm.Run) error) error {
	_, err := m.execute(ctx, what, func(run *boundedvm.Run) (*tvm.ExecutionResult, error) { return nil, f(run) })
	return err
}

// LibraryDict writes the libraries that trees of cells need in the form the TVM looks them up; nil when they need none.
func LibraryDict(libs Libraries, roots ...*cell.Cell) *cell.Cell {
	root, _ := libraryDict(libs, roots...)
	return root
}
