package contract

import "github.com/xssnick/tonutils-go/tvm/cell"

// Opcodes of the bodies of bounced messages. The sender of a message chooses the form with its extra flags: 1 requests the
// new form with the root of its body, 3 the new form with the complete body.
const (
	OpBounce    = 0xffffffff
	OpNewBounce = 0xfffffffe
)

// IsBounce reports whether an opcode is that of the body of a bounced message, in either form. Contracts can send such
// bodies themselves: only the flag of the message shows that it bounced.
func IsBounce(op uint32) bool { return op == OpBounce || op == OpNewBounce }

// LoadBounced returns a Loader at the beginning of the original body of a bounced message: its first 256 bits in the old
// form, its root or all of it in the new form.
//
//	_ value:CurrencyCollection created_lt:uint64 created_at:uint32 = NewBounceOriginalInfo;
//	_ gas_used:uint32 vm_steps:uint32 = NewBounceComputePhaseInfo;
//	new_bounce_body#fffffffe original_body:^Cell original_info:^NewBounceOriginalInfo bounced_by_phase:uint8
//	  exit_code:int32 compute_phase:(Maybe NewBounceComputePhaseInfo) = NewBounceBody;
func LoadBounced(body *cell.Cell) *Loader {
	l := Load(body)
	switch l.Uint(32) {
	case OpBounce:
	case OpNewBounce:
		if c := l.Ref(); l.Err() == nil {
			return Load(c)
		}
	default:
		l.Failf("the body is not that of a bounced message")
	}
	return l
}
