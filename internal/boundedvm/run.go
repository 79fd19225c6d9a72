package boundedvm

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// Names of the resources that an execution can exceed.
const (
	resourceTime   = "time"
	resourceMemory = "memory"
	resourceCells  = "cells"
)

// Resources returns the names of the resources that an execution can exceed.
func Resources() []string { return []string{resourceTime, resourceMemory, resourceCells} }

// Limits bound one execution, or several that share a Run. A zero field does not limit.
type Limits struct {
	// Time is the wall-clock time from Start.
	Time time.Duration
	// Memory is in bytes: an upper estimate of what the execution may hold, as accounted by the opcodes.
	Memory int64
}

// Exceeded reports that an execution was ended because it needed more than it was given.
type Exceeded struct { //nolint:errname // the name says what happened; ExceededError would be said twice
	// Resource is "time", "memory" or "cells".
	Resource string
	// Limit is the value that was exceeded, with its unit.
	Limit string
}

// Error names the resource and the limit.
func (e *Exceeded) Error() string {
	return fmt.Sprintf("execution exceeds its limit of %s: %s", e.Resource, e.Limit)
}

// Run is the budget of one or more executions. It is safe for concurrent use.
type Run struct {
	limits Limits
	memory atomic.Int64
	// stopped is set once failure is; opcodes read it without taking the lock.
	stopped atomic.Bool

	mu      sync.Mutex
	failure error

	// visits and parents are guarded by mu; crossed counts values that passed between VMs.
	visits  visits
	parents map[*vm.State]struct{}
	crossed atomic.Int64

	// launch and inexact are of executions under launch rules, guarded by mu.
	launch  launchVM
	inexact string

	extra *cell.Cell // what ShowExtra was given

	marker *cell.Cell
	timer  *time.Timer
	unhook func() bool
}

// Start begins a run: its clock starts now. When ctx is done, the run ends with ctx's error. Close releases it.
func Start(ctx context.Context, l Limits) *Run {
	r := newRun(l)
	if err := ctx.Err(); err != nil {
		r.stop(context.Cause(ctx))
		return r
	}
	if l.Time > 0 {
		r.timer = time.AfterFunc(l.Time, func() {
			r.stop(&Exceeded{Resource: resourceTime, Limit: l.Time.String()})
		})
	}
	r.unhook = context.AfterFunc(ctx, func() { r.stop(context.Cause(ctx)) })
	return r
}

// Libraries returns libs and a marker by which opcodes find the run: give them to the execution as its library
// collections. The marker holds no library. libs is not modified.
func (r *Run) Libraries(libs []*cell.Cell) []*cell.Cell {
	return append(append(make([]*cell.Cell, 0, len(libs)+1), libs...), r.marker)
}

// Err returns why the run ended: an *Exceeded, the error of its context, or nil while it may continue.
func (r *Run) Err() error {
	if !r.stopped.Load() {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failure
}

// Close stops the clock and forgets the context. An execution that still runs is ended. Close is idempotent.
func (r *Run) Close() {
	if r.timer != nil {
		r.timer.Stop()
	}
	if r.unhook != nil {
		r.unhook()
	}
}

// stop ends the run with err; the first call decides.
func (r *Run) stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil {
		r.failure = err
		r.stopped.Store(true)
	}
}

// charge accounts bytes that an opcode is about to allocate beyond what its gas covers.
func (r *Run) charge(bytes int64) {
	if used := r.memory.Add(bytes); r.limits.Memory > 0 && used > r.limits.Memory {
		r.stop(&Exceeded{Resource: resourceMemory, Limit: fmt.Sprintf("%d bytes", r.limits.Memory)})
	}
}

// newRun makes a run without clock and context.
func newRun(l Limits) *Run {
	r := &Run{limits: l}
	trace := cell.NewTraceForListener(carrier{r})
	r.marker = markerCell.WithTrace(trace)
	return r
}

// markerCell is no dictionary: the lookup of a library in it finds nothing.
var markerCell = cell.BeginCell().EndCell()

// carrier ties a run to the trace of its marker cell: the state of a VM has no other place for a value of ours, and
// a child VM inherits the libraries of its parent.
type carrier struct{ run *Run }

func (carrier) OnLoad(*cell.Cell)          {}
func (carrier) OnCreate()                  {}
func (carrier) ChildTrace(int) *cell.Trace { return nil }
func (c carrier) PendingError() error      { return c }
func (carrier) Error() string              { return "the marker of a run is no library" }

// runOf returns the run of a VM. A VM that was started without one gets a run that limits nothing.
func runOf(s *vm.State) *Run {
	for _, library := range slices.Backward(s.Libraries) {
		trace := library.Trace()
		if trace == nil {
			continue
		}
		if c, ok := trace.PendingError().(carrier); ok { //nolint:errorlint // the marker's own value, never wrapped
			return c.run
		}
	}
	r := newRun(Limits{})
	s.Libraries = append(s.Libraries, r.marker)
	return r
}

// check reports why the execution of s must end now, nil when it may continue.
func check(s *vm.State) error {
	return runOf(s).Err()
}
