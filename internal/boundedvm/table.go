package boundedvm

import (
	"slices"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// action is what an opcode does once it is decoded and its gas for decoding is paid.
type action = func(*vm.State) error

// patch makes another action of the library's. It is called once for opcodes without operands, else once for each
// execution, with the action that knows the operands.
type patch func(library action) action

// libraryOpcodes is the number of opcodes that the library registered. Ours follow them in vm.List: the last opcode
// of a prefix wins, in every TVM that is built after this package was initialised.
var libraryOpcodes = len(vm.List)

//nolint:gochecknoinits // vm.List has to be complete before the first table is built from it
func init() {
	for _, getter := range slices.Clone(vm.List) {
		if p := patchOf(getter()); p != nil {
			vm.List = append(vm.List, patched(getter, p))
		}
	}
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

// hooked is an opcode of a type of its own with its action replaced.
type hooked struct {
	vm.OP

	run action
}

// Interpret runs the replacement.
func (h *hooked) Interpret(s *vm.State) error { return h.run(s) }

// DeserializeMatched decodes an opcode whose prefix the table has matched already.
func (h *hooked) DeserializeMatched(code *cell.Slice) error {
	if m, ok := h.OP.(interface{ DeserializeMatched(code *cell.Slice) error }); ok {
		return m.DeserializeMatched(code)
	}
	return h.Deserialize(code)
}

// InstructionBits is what decoding is priced by. All opcodes of the library have it: a test watches that.
func (h *hooked) InstructionBits() int64 {
	if priced, ok := h.OP.(vm.GasPricedOp); ok {
		return priced.InstructionBits()
	}
	return 0
}

// MinGlobalVersion is the global version that brought the opcode.
func (h *hooked) MinGlobalVersion() int {
	if versioned, ok := h.OP.(vm.VersionedOp); ok {
		return versioned.MinGlobalVersion()
	}
	return 0
}

// patchOf returns what replaces the action of op, nil when the library's is used as it is.
func patchOf(op vm.OP) patch {
	if isDebug(op) {
		return func(action) action { return noop }
	}
	return nil
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

// noop is what validators do for debug opcodes: their gas is paid, nothing is printed. The library builds the text
// of the complete stack even when nobody reads it, and prints cells as trees: exponential for shared cells.
func noop(*vm.State) error { return nil }
