package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// chargeEveryLoad makes a VM charge the full price for every load of a cell. Cells and slices hold pointers to the traces
// through which the VM charges, so the traces are replaced in place.
func (r *Run) chargeEveryLoad(s *vm.State) {
	for _, t := range []struct {
		trace    *cell.Trace
		listener launchPrices
	}{
		{s.Cells.Trace(), launchPrices{run: r, state: s, load: vm.CellLoadGasPrice, create: vm.CellCreateGasPrice}},
		{s.Cells.TraceAlreadyLoaded(), launchPrices{run: r, state: s, create: vm.CellCreateGasPrice}},
		{s.Cells.LoadTrace(), launchPrices{run: r, state: s, load: vm.CellLoadGasPrice}},
	} {
		*t.trace = *cell.NewTraceForListener(t.listener)
	}
}

// launchPrices charges for cells. Gas is checked after the opcode, as in all versions before 4.
type launchPrices struct {
	run          *Run
	state        *vm.State
	load, create int64
}

// OnLoad charges for a load. The lookup of a library charged for the cells on the path to it.
func (p launchPrices) OnLoad(c *cell.Cell) {
	p.state.Gas.Remaining -= p.load
	if c.IsSpecial() {
		p.run.doubt(doubtLibrary)
	}
}

// OnCreate charges for a new cell.
func (p launchPrices) OnCreate() { p.state.Gas.Remaining -= p.create }

// ChildTrace charges for the references of a cell: what was not created or loaded yet is charged completely.
func (p launchPrices) ChildTrace(int) *cell.Trace {
	if p.create == 0 {
		return p.state.Cells.LoadTrace()
	}
	return p.state.Cells.Trace()
}

// PendingError is nil: gas is checked after the opcode.
func (launchPrices) PendingError() error { return nil }

// directLoads are the opcodes that load the cell they hold and charge for it without a trace.
var directLoads = map[string]patch{
	"89/8": loading, // PUSHREFSLICE
	"8a/8": loading, // PUSHREFCONT
}

// loading charges the full price where the library charged that of a repeated load.
func loading(library action) action {
	return func(s *vm.State) error {
		before := s.Gas.Remaining
		err := library(s)
		if before-s.Gas.Remaining == vm.CellReloadGasPrice {
			s.Gas.Remaining -= vm.CellLoadGasPrice - vm.CellReloadGasPrice
		}
		return err
	}
}
