package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// LibraryTVM returns a VM with the opcodes of the library alone. It swaps vm.List for a moment: call it before tests run
// in parallel.
func LibraryTVM() *tvm.TVM {
	New() // the tables that the library shares are ours; a shorter list is built anew
	all := vm.List
	vm.List = all[:libraryOpcodes:libraryOpcodes]
	defer func() { vm.List = all }()
	return tvm.NewTVM()
}

// LibraryOpcodes is the number of opcodes in vm.List that are the library's.
func LibraryOpcodes() int { return libraryOpcodes }

// Shared returns c as our opcodes leave it on a stack.
func Shared(c vm.Continuation) vm.Continuation { return shared(c) }

// BuildLaunch builds the VM of the launch rules once more.
func BuildLaunch() { buildLaunch() }
