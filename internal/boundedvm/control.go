package boundedvm

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// pushControl is PUSHCTR of which the register is known: most push c4, which has nothing to share.
type pushControl struct {
	vm.OP

	register uint64
}

// Deserialize notes the register, and lets the library decode.
func (p *pushControl) Deserialize(code *cell.Slice) error {
	if v, err := code.PreloadUInt(16); err == nil {
		p.register = v & 15
	}
	return p.OP.Deserialize(code)
}

// InstructionBits is what decoding is priced by.
func (*pushControl) InstructionBits() int64 { return 16 }

// Interpret pushes the register, a continuation by a shallow copy, and c7 with the complete balance.
func (p *pushControl) Interpret(s *vm.State) error {
	if p.register == 7 {
		if err := completeBalance(s); err != nil {
			return err
		}
	}
	if int(p.register) < len(s.Reg.C) && s.Reg.C[p.register] != nil {
		s.Reg.C[p.register] = shared(s.Reg.C[p.register])
	}
	return p.OP.Interpret(s)
}
