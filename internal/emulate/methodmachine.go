package emulate

import (
	"context"
	"errors"
	"runtime"

	"github.com/xssnick/tonutils-go/tvm/vmerr"

	"tonql/internal/contract"
)

// methodMachines run the get-methods that clients call. Nearly all need little gas, and one that needs all of it may hold 200 MB and take a
// second. So each runs with little gas first, as many at a time as there are processors. Those that use it up run again with all of it, few at
// a time, so that they delay no others and their memory is bounded.
type methodMachines struct {
	quick *contract.Machine // with the gas of detection
	full  *contract.Machine
	long  *share // of what full executes at a time
}

// fullShare is the share of the processors for get-methods that need much gas.
const fullShare = 4

func newMethodMachines(o Options) *methodMachines {
	full := contract.CallBudget()
	quick := full
	quick.Gas, quick.Time = contract.DefaultBudget().Gas, contract.DefaultBudget().Time
	parallel := max(1, runtime.GOMAXPROCS(0)/fullShare)
	return &methodMachines{
		quick: contract.NewMachine(contract.Options{Budget: quick}),
		full:  contract.NewMachine(contract.Options{Budget: full, Parallel: parallel}),
		long:  newShare(parallel, max(1, parallel/2), o),
	}
}

func (m *methodMachines) close() {
	m.quick.Close()
	m.full.Close()
}

// at returns runners at the block of r.
func (m *methodMachines) at(r *contract.Runner) methodRunners {
	return methodRunners{quick: r.On(m.quick), full: r.On(m.full), long: m.long}
}

// methodRunners are the runners of get-methods that clients call at a block.
type methodRunners struct {
	quick, full *contract.Runner
	long        *share
}

// execute runs a get-method, see [contract.Runner.Execute].
func (r methodRunners) execute(ctx context.Context, s *contract.State, id int32, args []any) (*contract.Result, error) {
	result, err := r.quick.Execute(ctx, s, id, args...)
	if err != nil || result.Exit != int32(^vmerr.CodeOutOfGas) {
		return result, err
	}
	return r.again(ctx, func() (*contract.Result, error) { return r.full.Execute(ctx, s, id, args...) })
}

// run runs a get-method and returns its result, see [contract.Runner.Run].
func (r methodRunners) run(ctx context.Context, s *contract.State, method string, args ...any) (*contract.Result, error) {
	result, err := r.quick.Run(ctx, s, method, args...)
	var fault *contract.Fault
	if !errors.As(err, &fault) || fault.Exit != int32(^vmerr.CodeOutOfGas) {
		return result, err
	}
	return r.again(ctx, func() (*contract.Result, error) { return r.full.Run(ctx, s, method, args...) })
}

// again runs a get-method that needs much gas, when its client may.
func (r methodRunners) again(ctx context.Context, run func() (*contract.Result, error)) (*contract.Result, error) {
	end, err := r.long.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return run()
}
