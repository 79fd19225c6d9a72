package boundedvm

import (
	"fmt"
	"maps"
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// action is what an opcode does once it is decoded and the gas of its decoding is paid.
type action = func(*vm.State) error

// patch makes our action from the library's. It is called once for an opcode without operands, and for each execution
// of the others, with an action that knows the operands.
type patch func(library action) action

// libraryOpcodes is the number of opcodes that the library registered. Ours follow them in vm.List. The last opcode of a
// prefix wins, in every TVM that is built after this package was initialised.
var libraryOpcodes = len(vm.List)

//nolint:gochecknoinits // vm.List has to be complete before the first dispatch table is built from it
func init() {
	winners := map[string]int{}
	for i, getter := range vm.List {
		for _, key := range prefixKeys(getter()) {
			winners[key] = i
		}
	}
	for i, getter := range slices.Clone(vm.List) {
		op := getter()
		if ours, ok := replacements[prefixKeys(op)[0]]; ok {
			if winsAll(winners, op, i) {
				vm.List = append(vm.List, ours(getter))
			}
			continue
		}
		p := patchOf(op)
		if p == nil || !winsAll(winners, op, i) {
			continue
		}
		vm.List = append(vm.List, patched(getter, p))
	}
	vm.List = append(vm.List, func() vm.OP { return unknownOpcode{} })
}

// replacements are the opcodes that are ours completely, by their first prefix and its length in bits.
var replacements = map[string]func(vm.OPGetter) vm.OPGetter{
	"ed40/16": func(library vm.OPGetter) vm.OPGetter { // PUSHCTR
		return func() vm.OP { return &pushControl{OP: library()} }
	},
	"70/4": func(vm.OPGetter) vm.OPGetter { return pushInteger },
	"f4a8/13": func(library vm.OPGetter) vm.OPGetter { // PFXDICTSWITCH
		return func() vm.OP { return &prefixSwitch{OP: library()} }
	},
	"f912/16": func(vm.OPGetter) vm.OPGetter { return ecRecover },
	"f913/16": func(vm.OPGetter) vm.OPGetter { return tweakAdd },
	"f904/14": func(vm.OPGetter) vm.OPGetter { return hashExt },
	"db40/12": func(vm.OPGetter) vm.OPGetter { return runVMImmediate },
	"db50/16": func(vm.OPGetter) vm.OPGetter { return runVMStack },
}

// prefixKeys are the prefixes of op in a form that can be compared.
func prefixKeys(op vm.OP) []string {
	prefixes := op.GetPrefixes()
	keys := make([]string, 0, len(prefixes))
	for _, p := range prefixes {
		bits := p.BitsLeft()
		keys = append(keys, fmt.Sprintf("%x/%d", p.MustPreloadSlice(bits), bits))
	}
	return keys
}

// winsAll reports whether op, the i-th of vm.List, is the one that runs for all its prefixes. An opcode that the library
// itself registers a second time later is left alone: patching it would bring the first back.
func winsAll(winners map[string]int, op vm.OP, i int) bool {
	for _, key := range prefixKeys(op) {
		if winners[key] != i {
			return false
		}
	}
	return true
}

// patchOf returns what replaces the action of op, nil when the library's is used as it is.
func patchOf(op vm.OP) patch {
	if isDebug(op) {
		return func(action) action { return noop }
	}
	key := prefixKeys(op)[0]
	if p, ok := patches[key]; ok {
		return p
	}
	if _, ok := op.(*helpers.SimpleOP); ok {
		return polled
	}
	return nil
}

// patches are the replaced opcodes by their first prefix and its length in bits.
var patches = joined(continuationPatches, actionPatches, extraPatches, heavyPatches, dictPatches)

func joined(tables ...map[string]patch) map[string]patch {
	all := map[string]patch{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// patched returns a getter of the opcode with its action replaced.
func patched(getter vm.OPGetter, p patch) vm.OPGetter {
	if simple, ok := getter().(*helpers.SimpleOP); ok {
		ours := *simple
		ours.Action = p(simple.Action)
		return func() vm.OP { return &ours }
	}
	return func() vm.OP {
		op := getter()
		if advanced, ok := op.(*helpers.AdvancedOP); ok {
			advanced.Action = p(advanced.Action)
			return advanced
		}
		return &hooked{OP: op, run: p(op.Interpret)}
	}
}

// hooked is an opcode of a type of its own whose action is replaced.
type hooked struct {
	vm.OP

	run action
}

// Interpret runs the replacement.
func (h *hooked) Interpret(s *vm.State) error { return h.run(s) }

// DeserializeMatched decodes an opcode whose prefix the dispatch table has matched.
func (h *hooked) DeserializeMatched(code *cell.Slice) error {
	if m, ok := h.OP.(interface{ DeserializeMatched(code *cell.Slice) error }); ok {
		return m.DeserializeMatched(code)
	}
	return h.Deserialize(code)
}

// InstructionBits is what decoding is priced by. All opcodes of the library have it; a test watches that.
func (h *hooked) InstructionBits() int64 {
	if priced, ok := h.OP.(vm.GasPricedOp); ok {
		return priced.InstructionBits()
	}
	return 0
}

// MinGlobalVersion is the global version that introduced the opcode.
func (h *hooked) MinGlobalVersion() int {
	if versioned, ok := h.OP.(vm.VersionedOp); ok {
		return versioned.MinGlobalVersion()
	}
	return 0
}

// isDebug reports whether op is one of FE00 to FEFF.
func isDebug(op vm.OP) bool {
	for _, prefix := range op.GetPrefixes() {
		if prefix.BitsLeft() >= 8 && prefix.MustPreloadUInt(8) == 0xFE {
			return true
		}
	}
	return false
}

// noop is what validators do for debug opcodes: their gas is paid, nothing is printed. The library builds the text of the
// complete stack even when nothing traces, and prints cells as trees: exponential for shared cells.
func noop(*vm.State) error { return nil }

// unknownOpcode is what the dispatch table finds where it has no opcode: one bit is its prefix, so every other wins. The
// library would put the rest of the code into the text of its error, printed as a tree.
type unknownOpcode struct{}

// GetPrefixes covers all code.
func (unknownOpcode) GetPrefixes() []*cell.Slice {
	return helpers.PrefixSlices(helpers.UIntPrefix(0, 1), helpers.UIntPrefix(1, 1))
}

// Deserialize takes nothing: decoding an unknown opcode costs the base price alone.
func (unknownOpcode) Deserialize(*cell.Slice) error { return nil }

// Serialize has nothing to write.
func (unknownOpcode) Serialize() *cell.Builder { return cell.BeginCell() }

// SerializeText is for traces.
func (unknownOpcode) SerializeText() string { return "UNKNOWN" }

// Reusable lets the dispatch table make one for all.
func (unknownOpcode) Reusable() bool { return true }

// Interpret charges the base price and throws.
func (unknownOpcode) Interpret(s *vm.State) error {
	if err := s.ConsumeGas(vm.InstructionBaseGasPrice); err != nil {
		return err //nolint:wrapcheck // the VM's own exception
	}
	return vmerr.Error(vmerr.CodeInvalidOpcode, "opcode not found")
}

// due reports whether opcodes look for the end of the run at this step: at one of 64, spread by a multiplicative hash so
// that no loop keeps in step with it. Loops without any polling opcode end with their gas.
func due(s *vm.State) bool { return s.Steps*0x9E3779B1 < 1<<26 }

// polled is the library's action, ended when its run has ended.
func polled(library action) action {
	return func(s *vm.State) error {
		if due(s) {
			if err := check(s); err != nil {
				return err
			}
		}
		return library(s)
	}
}

// checked is the library's action of an opcode that takes long by itself: it does not start when its run has ended.
func checked(library action) action {
	return func(s *vm.State) error {
		if err := check(s); err != nil {
			return err
		}
		return library(s)
	}
}
