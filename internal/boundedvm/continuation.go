package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// The library copies a continuation whenever it is pushed, with its captured stack, its saved registers and all
// continuations in them: DUP of a closure costs what the closure holds, and closures that hold closures twice double with
// every level. Validators share continuations. So do ours: the continuations below copy themselves without what they
// hold, and the opcodes here put them in place of the library's.
//
// What a continuation holds is never modified: opcodes replace the saved registers of the copy they popped, jumps copy the
// captured stack, and the opcodes that extend a captured stack are given one of their own first.

// ordinary is an ordinary continuation with a shallow copy.
type ordinary struct{ vm.OrdinaryContinuation }

// Copy shares what the continuation holds.
func (c *ordinary) Copy() vm.Continuation {
	shallow := *c
	return &shallow
}

// Jump continues with the code of the continuation.
func (c *ordinary) Jump(s *vm.State) (vm.Continuation, error) {
	if err := jumped(s, &c.Data); err != nil {
		return nil, err
	}
	return c.OrdinaryContinuation.Jump(s) //nolint:wrapcheck // the VM's own exception
}

// extended is a continuation without control data that was given some, with a shallow copy.
type extended struct{ vm.ArgExtContinuation }

// Copy shares what the continuation holds.
func (c *extended) Copy() vm.Continuation {
	shallow := *c
	return &shallow
}

// Jump continues with the continuation that was extended.
func (c *extended) Jump(s *vm.State) (vm.Continuation, error) {
	if err := jumped(s, &c.Data); err != nil {
		return nil, err
	}
	return c.ArgExtContinuation.Jump(s) //nolint:wrapcheck // the VM's own exception
}

// jumped accounts the copy of the captured stack that a jump has made: its values are copied, builders with their data.
// Gas covers a word for each value beyond the first 32.
func jumped(s *vm.State, data *vm.ControlData) error {
	if data.Stack == nil || data.Stack.Len() <= vm.FreeStackDepth {
		return nil
	}
	r := runOf(s)
	r.charge(int64(data.Stack.Len()) * valueBytes)
	return r.Err()
}

// valueBytes is what a copied value of a stack takes: a builder, the largest, and its place.
const valueBytes = 208

// shared returns c with a shallow copy. A continuation that holds nothing is returned as it is: its copy is cheap.
func shared(c vm.Continuation) vm.Continuation {
	switch t := c.(type) {
	case *vm.OrdinaryContinuation:
		if holdsNothing(&t.Data) {
			return c
		}
		return &ordinary{*t}
	case *vm.ArgExtContinuation:
		return &extended{*t}
	default:
		return c
	}
}

func holdsNothing(d *vm.ControlData) bool {
	return d.Stack == nil && d.Save.C == [4]vm.Continuation{}
}

// shareRegisters makes the copies of the control registers shallow.
func shareRegisters(s *vm.State) {
	for i, c := range s.Reg.C {
		if c != nil {
			s.Reg.C[i] = shared(c)
		}
	}
}

// shareTop makes the copies of the value on top of the stack shallow when it is a continuation.
func shareTop(s *vm.State) error {
	top, err := s.Stack.Get(0)
	if err != nil {
		return nil //nolint:nilerr // an empty stack has nothing to share
	}
	c, ok := top.(vm.Continuation)
	if !ok {
		return nil
	}
	if ours := shared(c); ours != c {
		if _, err = s.Stack.PopAny(); err != nil {
			return err //nolint:wrapcheck // cannot be: there is a value
		}
		return s.Stack.PushOwnedValue(ours) //nolint:wrapcheck // cannot be: there is room
	}
	return nil
}

// sharing wraps an opcode that copies registers or pushes a continuation.
func sharing(library action) action {
	return polled(func(s *vm.State) error {
		shareRegisters(s)
		if err := library(s); err != nil {
			return err
		}
		return shareTop(s)
	})
}

// ownStack gives a continuation a captured stack that no other continuation shares. It costs one word for each value, as
// the gas for the extended stack does.
func ownStack(c vm.Continuation) {
	if data := c.GetControlData(); data != nil && data.Stack != nil {
		data.Stack = data.Stack.Snapshot()
	}
}

// extendingTop wraps an opcode that moves values into the captured stack of the continuation at the given place.
func extending(place int) patch {
	return func(library action) action {
		return sharing(func(s *vm.State) error {
			if v, err := s.Stack.Get(place); err == nil {
				if c, ok := v.(vm.Continuation); ok {
					ownStack(c)
				}
			}
			return library(s)
		})
	}
}

// extendingReturn wraps an opcode that moves values into the captured stack of the return continuation.
func extendingReturn(library action) action {
	return sharing(func(s *vm.State) error {
		if c0 := s.Reg.C[0]; c0 != nil && c0.GetControlData() != nil {
			s.Reg.C[0] = c0.Copy()
			ownStack(s.Reg.C[0])
		}
		return library(s)
	})
}

var continuationPatches = map[string]patch{
	"ec/8":    extending(0),                  // SETCONTARGS
	"ed00/12": extendingReturn,               // RETURNARGS
	"ed10/16": extendingReturn,               // RETURNVARARGS
	"ed11/16": extending(2),                  // SETCONTVARARGS
	"ed12/16": sharing,                       // SETNUMVARARGS
	"ed1f/16": sharing,                       // BLESSVARARGS
	"ee/8":    sharing,                       // BLESSARGS
	"edf0/16": sharing,                       // BOOLAND
	"edf1/16": sharing,                       // BOOLOR
	"edf2/16": sharing,                       // COMPOSBOTH
	"edf3/16": sharing,                       // ATEXIT
	"edf4/16": sharing,                       // ATEXITALT
	"edf5/16": sharing,                       // SETEXITALT
	"edf6/16": sharing,                       // THENRET
	"edf7/16": sharing,                       // THENRETALT
	"edf9/16": sharing,                       // BOOLEVAL
	"edfa/16": sharing,                       // SAMEALT
	"edfb/16": sharing,                       // SAMEALTSAVE
	"db34/16": sharing,                       // CALLCC
	"db36/16": sharing,                       // CALLCCARGS
	"db3b/16": sharing,                       // CALLCCVARARGS
	"ede0/16": both(readingContext, sharing), // PUSHCTRX
	"eda0/16": sharing,                       // SAVECTR
	"edb0/16": sharing,                       // SAVEALTCTR
	"edc0/16": sharing,                       // SAVEBOTHCTR
	"ede3/16": sharing,                       // SETCONTCTRMANY
	"ede4/16": sharing,                       // SETCONTCTRMANYX
	"f2ff/16": sharing,                       // TRY
	"f3/8":    sharing,                       // TRYARGS
	"e314/16": sharing,                       // REPEATBRK
	"e315/16": sharing,                       // REPEATENDBRK
	"e316/16": sharing,                       // UNTILBRK
	"e317/16": sharing,                       // UNTILENDBRK
	"e318/16": sharing,                       // WHILEBRK
	"e319/16": sharing,                       // WHILEENDBRK
	"e31a/16": sharing,                       // AGAINBRK
	"e31b/16": sharing,                       // AGAINENDBRK
	"f180/10": sharing,                       // PREPAREDICT
}
