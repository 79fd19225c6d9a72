package boundedvm

import (
	"slices"
	"sync"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// The main network was launched in November 2019 with gas prices that no global version documents; in 2020 the node changed
// them without a new version. NewLaunch executes by the first prices:
//
//   - a cell costs 100 gas each time it is loaded; now a repeated load costs 25
//   - the implicit return at the end of code and the implicit jump to its reference cost nothing; now 5 and 10
//
// The rarer differences of those days are not executed but reported, see [Run.Inexact].

// launchVersions is the number of global versions, from 0 on, that launch rules can belong to. Everything from version 4 on
// is documented.
const launchVersions = 4

// NewLaunch returns a VM like that of New with the gas prices of the launch of the main network. It is shared and safe for
// concurrent use. Global versions from 4 on are executed as by New.
func NewLaunch() *tvm.TVM { return launchMachine() }

// launchMachine is built when it is first needed, because its tables take megabytes.
var launchMachine = sync.OnceValue(buildLaunch)

// opcodes guards vm.List, which has other opcodes for a moment.
var opcodes sync.Mutex

// Opcodes returns the opcodes that New executes, in the order of vm.List, which nothing else may read.
func Opcodes() []vm.OPGetter {
	opcodes.Lock()
	defer opcodes.Unlock()
	return slices.Clone(vm.List)
}

// buildLaunch builds a VM from vm.List. New has built its own before.
func buildLaunch() *tvm.TVM {
	New()
	opcodes.Lock()
	defer opcodes.Unlock()
	all := vm.List
	defer func() { vm.List = all }()
	vm.List = make([]vm.OPGetter, 0, len(all)+1)
	for _, getter := range all {
		vm.List = append(vm.List, launched(getter))
	}
	vm.List = append(vm.List, func() vm.OP { return &implicitStep{} })
	return tvm.NewTVM()
}

// launched returns a getter of the opcode with the work of launch rules around it. An opcode without a price of decoding
// throws, which needs no such work.
func launched(getter vm.OPGetter) vm.OPGetter {
	first := getter()
	if _, priced := first.(vm.GasPricedOp); !priced {
		return getter
	}
	around := func(library action) action { return library }
	for _, key := range prefixKeys(first) {
		if p, ok := launchPatches[key]; ok {
			around = p
		}
	}
	return func() vm.OP {
		op := getter()
		interpret := around(op.Interpret)
		return &hooked{OP: op, run: func(s *vm.State) error {
			if s.GlobalVersion >= launchVersions {
				return op.Interpret(s)
			}
			return launchStep(s, interpret)
		}}
	}
}

// launchPatches are opcodes that are more than their action under launch rules, by a prefix and its length.
var launchPatches = joined(directLoads, laterOpcodes)

// launchVM is a VM under launch rules.
type launchVM struct {
	state *vm.State
	steps uint32 // after the last opcode
}

// launchStep executes an opcode under launch rules.
func launchStep(s *vm.State, interpret action) error {
	r := runOf(s)
	l := r.launchOf(s)
	if s.Steps-l.steps > 2 { // the opcode, and an exception before it
		r.doubt("code that ends without an opcode after an exception")
	}
	l.steps = s.Steps
	err := interpret(s)
	r.detectDoubt(s, err)
	if err == nil && s.CurrentCode.BitsLeft() == 0 {
		s.CurrentCode = implicitCode(s.CurrentCode)
	}
	return err
}

// launchOf returns the VM of s; a new one is given the prices of cells.
func (r *Run) launchOf(s *vm.State) *launchVM {
	r.mu.Lock()
	begun := r.launch.state == s
	r.mu.Unlock()
	if !begun {
		r.begin(s)
	}
	return &r.launch
}

// begin is called at the first opcode of a VM, when its decoding is paid. Every step before it was a jump to the reference
// of an empty cell. Code in a library has cost more.
func (r *Run) begin(s *vm.State) {
	jumps := int64(s.Steps - 1)
	if s.Gas.Used()-jumps*(vm.ImplicitJmprefGasPrice+vm.CellLoadGasPrice) >= vm.CellLoadGasPrice {
		r.doubt(doubtLibrary)
	}
	s.Gas.Remaining += jumps * vm.ImplicitJmprefGasPrice
	r.chargeEveryLoad(s)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.launch = launchVM{state: s, steps: s.Steps}
}

// doubtLibrary is one of the reasons that [Run.Inexact] returns.
const doubtLibrary = "a library or another special cell"

// Inexact returns why the execution under launch rules may differ from that of 2019: the first difference it met that
// is not executed. It is empty when there was none.
func (r *Run) Inexact() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inexact
}

func (r *Run) doubt(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inexact == "" {
		r.inexact = why
	}
}
