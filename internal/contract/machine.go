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
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/weightedlru"
)

const (
	// maxPrograms is the number of analyzed codes that a machine caches. Nearly all accounts share a few codes.
	maxPrograms = 4096
	// maxProgramBytes bounds all cached codes in memory: one code may have thousands of methods and name large libraries.
	maxProgramBytes = 16 << 20
)

// Options of a machine; zero values mean the defaults.
type Options struct {
	Budget   Budget
	Parallel int // runs at a time; default: the number of processors
}

// Machine runs get-methods. A run ends when its budget is used up, its context is done or the machine is closed: the
// TVM checks for that between its steps and inside long ones. The caller does not wait for the TVM to stop.
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

// program is the analysis of a code cell.
type program struct {
	methods   []int32
	libraries *cell.Cell // dictionary of the libraries it needs; nil when it needs none
	needs     []chain.Hash
	found     uint32 // a bit for each of needs: whether it exists
}

// NewMachine makes a machine. Close it to end its runs.
func NewMachine(o Options) *Machine {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	m := &Machine{
		budget: o.Budget.orDefaults(), tvm: boundedvm.New(), slots: make(chan struct{}, o.Parallel), codes: weightedlru.New[chain.Hash, *program](maxPrograms, maxProgramBytes),
	}
	m.closing, m.end = context.WithCancel(context.Background())
	return m
}

// Budget returns the limits of each run.
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

// program analyzes a code. The analysis is cached, and read from the cache, only while the same of its libraries exist: they
// may be published or withdrawn later, and a result must not depend on earlier calls.
func (m *Machine) program(code *cell.Cell, libs Libraries) *program {
	key := hashOf(code)
	if p, ok := m.codes.Get(key); ok && p.found == existing(libs, p.needs) {
		return p
	}
	p := &program{}
	p.libraries, p.needs, p.found = libraryDict(libs, code)
	if resolved, ok := Resolve(code, libs); ok {
		p.methods = Methods(resolved)
	}
	if weight, ok := p.weight(); ok && p.found == existing(libs, p.needs) { // none was fetched meanwhile
		m.codes.Add(key, p, weight)
	}
	return p
}

// weight returns about how many bytes of memory a program takes; false for one that is too large for the cache.
func (p *program) weight() (int, bool) {
	const row, method = 128, 4
	libraries, ok := cellgraph.MemoryOf(p.libraries, maxProgramBytes/4)
	return row + method*len(p.methods) + len(chain.Hash{})*len(p.needs) + libraries, ok
}

// existing returns a bit for each library: whether it exists. There are at most [MaxLibraries].
func existing(libs Libraries, needs []chain.Hash) (found uint32) {
	if libs == nil {
		return 0
	}
	for i, hash := range needs {
		if _, ok := libs.Library(hash); ok {
			found |= 1 << i
		}
	}
	return found
}

// outcome is what a run's goroutine reports.
type outcome struct {
	result *tvm.ExecutionResult
	err    error
}

// execute calls f in a slot of the machine, within its budget. f must pass [boundedvm.Run.Libraries] to the TVM, which
// cannot be stopped otherwise. The error is a [Fault] of the contract, an error of the machine or that of the context.
func (m *Machine) execute(ctx context.Context, method string, f func(*boundedvm.Run) (*tvm.ExecutionResult, error)) (*tvm.ExecutionResult, error) {
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
	case <-m.closing.Done():
		return nil, fmt.Errorf("get-method %s: %w", method, m.closing.Err())
	}
	if err := m.closing.Err(); err != nil { // a free slot and the end are chosen among at random
		<-m.slots
		return nil, fmt.Errorf("get-method %s: %w", method, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(m.closing, cancel)
	run := boundedvm.Start(ctx, boundedvm.Limits{Time: m.budget.Time, Memory: m.budget.Memory})
	done := make(chan outcome, 1)
	m.runs.Go(func() {
		defer func() { <-m.slots }()
		defer cancel()
		defer stop()
		defer run.Close()
		out := recovered(func() (*tvm.ExecutionResult, error) { return f(run) })
		if err := run.Err(); err != nil {
			out = outcome{err: endError(ctx, method, err)} // the result, if any, is incomplete
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
		case out := <-done: // the end of the run cancels the context too
			return out.result, out.err
		default:
			return nil, fmt.Errorf("get-method %s: %w", method, ctx.Err())
		}
	case <-timer.C:
		return nil, faultf(method, TooLong, "more than %s", m.budget.Time)
	}
}

// endError returns the error of a run that was ended by err.
func endError(ctx context.Context, method string, err error) error {
	var exceeded *boundedvm.Exceeded
	switch {
	case !errors.As(err, &exceeded):
		return fmt.Errorf("get-method %s: %w", method, cmp.Or(ctx.Err(), err))
	case exceeded.Resource == "time":
		return faultf(method, TooLong, "more than %s", exceeded.Limit)
	default:
		return faultf(method, TooLarge, "more %s than %s", exceeded.Resource, exceeded.Limit)
	}
}

// recovered calls f and returns a panic of the TVM as an error: no code of a contract may end the program.
func recovered(f func() (*tvm.ExecutionResult, error)) (out outcome) {
	defer func() {
		if r := recover(); r != nil {
			out = outcome{err: fmt.Errorf("panic: %v", r)}
		}
	}()
	result, err := f()
	return outcome{result: result, err: err}
}
