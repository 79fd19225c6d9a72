package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/op/stack"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// pushInt is PUSHINT in all its forms. Code that ends within an opcode is read as if zeros followed, and pays for the opcode that it then
// has. The library takes each form of PUSHINT for the shortest then.
type pushInt struct {
	stack.OpPUSHINT

	short int64 // the bits of the form of which the code has only a part, 0 otherwise
}

func pushInteger() vm.OP { return &pushInt{OpPUSHINT: *stack.PUSHINT(nil)} }

// Bits of the forms of PUSHINT.
const (
	tinyBits = 8
	byteBits = 16
	longBits = 13 // without the number
)

// Deserialize lets the library decode.
func (p *pushInt) Deserialize(code *cell.Slice) error {
	if n := code.BitsLeft(); n < tinyBits {
		v, err := code.PreloadUInt(n)
		if err != nil {
			return err //nolint:wrapcheck // cannot be: they are there
		}
		switch v << (tinyBits - n) {
		case 0x80:
			p.short = byteBits
		case 0x82:
			p.short = longBits
		}
	}
	return p.OpPUSHINT.Deserialize(code) //nolint:wrapcheck // the VM's own exception
}

// InstructionBits is what decoding is priced by.
func (p *pushInt) InstructionBits() int64 {
	if p.short > 0 {
		return p.short
	}
	return p.OpPUSHINT.InstructionBits()
}
