package contract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
	"tonql/internal/weightedlru"
)

// programs is how many analysed codes a machine remembers. A few codes make up nearly all accounts.
const (
	programs = 4096
	// programMethods bounds the methods and libraries of all of them: a code may list thousands.
	programMethods = 1 << 20
)

// Options of a machine; zero values mean the defaults.
type Options struct {
	Budget   Budget
	Parallel int // runs at a time; default: the number of processors
}

// Machine runs get-methods. A run ends when its budget is used up, its context is done or the machine is closed: the TVM
// checks for that between its steps and inside long ones. The caller does not wait for the TVM to stop.
type Machine struct {
	budget Budget
	tvm    *tvm.TVM
	slots  chan struct{}
	runs   sync.WaitGroup
	codes  *weightedlru.Cache[chain.Hash, *program]

	closing context.Context //nolint:containedctx // the life of the machine, not of a call
	end     context.CancelFunc
}

// closeTimeout bounds Close. Runs detect their cancellation within milliseconds.
const closeTimeout = 5 * time.Second

// program is what is known of a code cell by its hash.
type program struct {
	methods   []int32
	libraries *cell.Cell // dictionary of the libraries it needs; nil when it needs none
	needs     []chain.Hash
}

// NewMachine makes a machine. Close it to end its runs.
func NewMachine(o Options) *Machine {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	m := &Machine{
		budget: o.Budget.orDefaults(), tvm: boundedvm.New(), slots: make(chan struct{}, o.Parallel), codes: weightedlru.New[chain.Hash, *program](programs, programMethods),
	}
	m.closing, m.end = context.WithCancel(context.Background())
	return m
}

// Budget is what each run may cost.
func (m *Machine) Budget() Budget { return m.budget }

// Close ends all runs and waits for them, at most for a few seconds. The machine must not be used afterwards.
func (m *Machine) Close() {
	m.end()
	done := make(chan struct{})
	go func() {
		m.runs.Wait()
		close(done)
	}()
	timer := time.NewTimer(closeTimeout)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// program analyses a code. What depends on libraries is remembered only while all of them are there: they may be
// published later, or withdrawn, and a result must not depend on earlier reads.
func (m *Machine) program(code *cell.Cell, libs Libraries) *program {
	key := hashOf(code)
	if p, ok := m.codes.Get(key); ok && allThere(libs, p.needs) {
		return p
	}
	p := &program{}
	p.libraries, p.needs = libraryDict(libs, code)
	if resolved, ok := Resolve(code, libs); ok {
		p.methods = Methods(resolved)
	}
	if allThere(libs, p.needs) {
		m.codes.Add(key, p, 1+len(p.methods)+len(p.needs))
	}
	return p
}

func allThere(libs Libraries, needs []chain.Hash) bool {
	for _, hash := range needs {
		if libs == nil {
			return false
		}
		if _, ok := libs.Library(hash); !ok {
			return false
		}
	}
	return true
}

// outcome is what a run's goroutine reports.
type outcome struct {
	result *tvm.ExecutionResult
	err    error
}

// execute runs f within the budget. f hands the libraries of its run to the TVM, see [boundedvm.Run.Libraries]; without
// them the TVM cannot be stopped. The first error is the machine's own or the contract's; the error of a context that is
// done is returned as it is.
func (m *Machine) execute(ctx context.Context, method string, f func(*boundedvm.Run) (*tvm.ExecutionResult, error)) (*tvm.ExecutionResult, error) {
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
	case <-m.closing.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, m.closing.Err())
	}
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(m.closing, cancel)
	run := boundedvm.Start(ctx, boundedvm.Limits{Time: m.budget.Time, Memory: m.budget.Memory})
	done := make(chan outcome, 1)
	m.runs.Go(func() {
		defer func() { <-m.slots }()
		defer cancel()
		defer forget()
		defer run.Close()
		out := guard(func() (*tvm.ExecutionResult, error) { return f(run) })
		if why := run.Err(); why != nil {
			out = outcome{err: ended(ctx, method, why)} // a result that it returned is incomplete
		}
		done <- out
	})
	timer := time.NewTimer(m.budget.Time)
	defer timer.Stop()
	select {
	case out := <-done:
		return out.result, out.err
	case <-ctx.Done():
		select {
		case out := <-done: // its own end cancels the context, too
			return out.result, out.err
		default:
			return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
		}
	case <-timer.C:
		return nil, faultf(method, TooLong, "more than %s", m.budget.Time)
	}
}

// ended says why a run was ended.
func ended(ctx context.Context, method string, why error) error {
	var exceeded *boundedvm.Exceeded
	switch {
	case !errors.As(why, &exceeded):
		return fmt.Errorf("get-method %s: %w", method, cmp.Or(ctx.Err(), why))
	case exceeded.Resource == "time":
		return faultf(method, TooLong, "more than %s", exceeded.Limit)
	default:
		return faultf(method, TooLarge, "more %s than %s", exceeded.Resource, exceeded.Limit)
	}
}

// guard turns a panic of the TVM into an error: the code is the input, so no code may end the program.
func guard(f func() (*tvm.ExecutionResult, error)) (out outcome) {
	defer func() {
		if r := recover(); r != nil {
			out = outcome{err: fmt.Errorf("panic: %v", r)}
		}
	}()
	result, err := f()
	return outcome{result: result, err: err}
}
