package boundedvm

import (
	"bytes"
	"crypto/rand"

	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/helpers"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// The library charges for the implicit return and the implicit jump outside of opcodes. Under launch rules both are an
// opcode of our own that costs nothing: it takes the place of code that has ended. Like every opcode it ends with its run,
// because a loop around empty code has no gas to end it.

// implicitPrefix begins no opcode of any version. No code can hold our opcode, because a random number follows.
const implicitPrefix = 0xFD

var implicitMark = func() []byte {
	mark := make([]byte, 32)
	_, _ = rand.Read(mark) // never fails
	return mark
}()

// implicitCode returns code that does the implicit step of code without bits: a jump to its reference, or a return.
func implicitCode(code *cell.Slice) *cell.Slice {
	b := cell.BeginCell().MustStoreUInt(implicitPrefix, 8).MustStoreSlice(implicitMark, 256)
	if code.RefsNum() > 0 {
		if ref, err := code.PeekRefCell(); err == nil {
			b.MustStoreRef(ref)
		}
	}
	return b.ToSlice()
}

// implicitStep is the opcode of an implicit step. Without the mark it is an unknown opcode.
type implicitStep struct {
	unknownOpcode

	marked bool
	ref    *cell.Cell // to jump to; nil for a return
}

// GetPrefixes is the prefix of the opcode.
func (*implicitStep) GetPrefixes() []*cell.Slice {
	return helpers.PrefixSlices(helpers.UIntPrefix(implicitPrefix, 8))
}

// Reusable is false: each execution has its own operands.
func (*implicitStep) Reusable() bool { return false }

// InstructionBits makes decoding free.
func (*implicitStep) InstructionBits() int64 { return -vm.InstructionBaseGasPrice }

// Deserialize takes the mark and the reference.
func (i *implicitStep) Deserialize(code *cell.Slice) error {
	rest := *code
	if rest.SkipBits(8) != nil {
		return nil
	}
	mark, err := rest.LoadSlice(256)
	if err != nil || !bytes.Equal(mark, implicitMark) {
		return nil //nolint:nilerr // the code of a contract
	}
	i.marked = true
	if rest.RefsNum() > 0 {
		i.ref, err = rest.PeekRefCell()
	}
	return err //nolint:wrapcheck // cannot be: the reference is there
}

// Interpret does the step.
func (i *implicitStep) Interpret(s *vm.State) error {
	if !i.marked {
		return i.unknownOpcode.Interpret(s)
	}
	return launchStep(s, polled(func(s *vm.State) error {
		if i.ref == nil {
			return s.Return() //nolint:wrapcheck // the VM's own exception
		}
		code, err := s.Cells.BeginParse(i.ref)
		if err != nil {
			return err //nolint:wrapcheck // the VM's own exception
		}
		return s.Jump(&vm.OrdinaryContinuation{ //nolint:wrapcheck // the VM's own exception
			Data: vm.ControlData{CP: vm.CP, NumArgs: vm.ControlDataAllArgs}, Code: code,
		})
	}))
}
