package contract

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/chain"
)

// programs is how many analysed codes a machine remembers. A few codes make up nearly all accounts.
const programs = 4096

// Options of a machine; zero values mean the defaults.
type Options struct {
	Budget   Budget
	Parallel int // runs at a time, those given up included; default: the number of processors
}

// Machine runs get-methods. The TVM cannot be stopped from outside, so each run has a goroutine that the caller stops
// waiting for when the time is up; it ends by itself when its gas is used up and keeps its place until then.
type Machine struct {
	budget Budget
	tvm    *tvm.TVM
	slots  chan struct{}
	runs   sync.WaitGroup
	codes  *lru.Cache[chain.Hash, *program]
}

// program is what is known of a code cell by its hash.
type program struct {
	methods   []int32
	libraries *cell.Cell // dictionary of the libraries it needs; nil when it needs none
	needs     []chain.Hash
}

// NewMachine makes a machine. Close it to wait for its runs.
func NewMachine(o Options) *Machine {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	codes, err := lru.New[chain.Hash, *program](programs)
	if err != nil {
		panic(fmt.Errorf("cache of %d programs: %w", programs, err)) //nolint:forbidigo // the size is constant
	}
	return &Machine{
		budget: o.Budget.orDefaults(), tvm: boundedvm.New(), slots: make(chan struct{}, o.Parallel), codes: codes,
	}
}

// Budget is what each run may cost.
func (m *Machine) Budget() Budget { return m.budget }

// Close waits for all runs to end. The machine must not be used afterwards.
func (m *Machine) Close() { m.runs.Wait() }

// program analyses a code. What depends on libraries is remembered only while all of them are there: they may be
// published later, or withdrawn, and an answer must not depend on what was read before.
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
		m.codes.Add(key, p)
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

// execute runs f within the time of the budget. The first error is the machine's own or the contract's; a passed
// context is returned as it is.
func (m *Machine) execute(ctx context.Context, method string, f func() (*tvm.ExecutionResult, error)) (*tvm.ExecutionResult, error) {
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
	}
	done := make(chan outcome, 1)
	m.runs.Go(func() {
		defer func() { <-m.slots }()
		done <- guard(f)
	})
	timer := time.NewTimer(m.budget.Time)
	defer timer.Stop()
	select {
	case out := <-done:
		return out.result, out.err
	case <-ctx.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
	case <-timer.C:
		return nil, faultf(method, TooLong, "more than %s", m.budget.Time)
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
