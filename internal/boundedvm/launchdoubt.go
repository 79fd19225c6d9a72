package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
	"github.com/xssnick/tonutils-go/tvm/vmerr"
)

// detectDoubt reports rules of 2019 that are not executed, from the state after an opcode.
func (r *Run) detectDoubt(s *vm.State, err error) {
	switch {
	case s.Stack.Len() > vm.FreeStackDepth: // copies of deep stacks were free
		r.doubt("a stack of more than 32 values")
	case tooDeep(s.Reg.D[0]) || tooDeep(s.Reg.D[1]): // depth was not limited
		r.doubt("data or actions deeper than 512 cells")
	}
	if _, thrown := vmerr.ErrorCode(err); !thrown || vm.IsHandledException(err) {
		return
	}
	if s.Gas.Remaining < vm.ExceptionGasPrice { // the gas of an exception was not checked
		r.doubt("an exception at the limit of gas")
	}
	if code := ordinaryCode(s.Reg.C[2]); code != nil && code.BitsLeft() == 0 {
		r.doubt("an exception handler without an opcode")
	}
}

// ordinaryCode returns the code of an ordinary continuation; nil for the others.
func ordinaryCode(c vm.Continuation) *cell.Slice {
	switch c := c.(type) {
	case *vm.OrdinaryContinuation:
		return c.Code
	case *ordinary:
		return c.Code
	}
	return nil
}

func tooDeep(c *cell.Cell) bool { return c != nil && c.Depth() > vm.MaxDataDepth }

// laterOpcodes are opcodes that came in 2020, some of them before the gas prices changed.
var laterOpcodes = map[string]patch{
	"f810/16": ofLater, // RANDU256
	"f811/16": ofLater, // RAND
	"f814/16": ofLater, // SETRAND
	"f815/16": ofLater, // ADDRAND
	"f940/16": ofLater, // CDATASIZEQ
	"f941/16": ofLater, // CDATASIZE
	"f942/16": ofLater, // SDATASIZEQ
	"f943/16": ofLater, // SDATASIZE
	"fb06/16": ofLater, // SETLIBCODE
	"fb07/16": ofLater, // CHANGELIB
	"d764/16": ofLater, // SDEPTH
	"d765/16": ofLater, // CDEPTH
	"edfa/16": ofLater, // SAMEALT
	"edfb/16": ofLater, // SAMEALTSAVE
	"e314/16": ofLater, // REPEATBRK
	"e315/16": ofLater, // REPEATENDBRK
	"e316/16": ofLater, // UNTILBRK
	"e317/16": ofLater, // UNTILENDBRK
	"e318/16": ofLater, // WHILEBRK
	"e319/16": ofLater, // WHILEENDBRK
	"e31a/16": ofLater, // AGAINBRK
	"e31b/16": ofLater, // AGAINENDBRK
}

func ofLater(library action) action {
	return func(s *vm.State) error {
		runOf(s).doubt("an opcode of 2020")
		return library(s)
	}
}
