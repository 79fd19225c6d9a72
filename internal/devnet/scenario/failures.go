package scenario

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
)

// failure calls a contract that fails: in the compute phase, out of gas, or in the action phase.
func (t *batch) failure() bool {
	thrower, value := t.contractSet.thrower.Address, oneTON/10
	if t.chance(5) {
		thrower, value = t.contractSet.mcThrower.Address, oneTON
	}
	w := t.actor()
	if w == nil || !t.look(thrower).active {
		return false
	}
	bodies := []*cell.Cell{
		contracts.ThrowCode(uint16(100 + t.rand.IntN(900))),
		contracts.ThrowBurnGas(),
		contracts.ThrowSendTooMuch(),
		contracts.ThrowBadActionList(),
		contracts.ThrowBadSendMode(),
		contracts.ThrowBounceOnActionFailure(),
	}
	return t.call(w, contracts.Call(thrower, value, bodies[t.rand.IntN(len(bodies))]))
}

// failedExternal sends an external message that a contract accepts, and then fails.
func (t *batch) failedExternal() bool {
	at := t.contractSet.thrower.Address
	if acc := t.look(at); !acc.active || acc.balance < oneTON {
		return false
	}
	body := contracts.ThrowExternal(uint16(200+t.rand.IntN(700)), t.nextQuery())
	t.sealed = append(t.sealed, contracts.External(at, nil, body))
	return true
}

// log makes the emitter write external-out messages, with and without a topic.
func (t *batch) log() bool {
	w := t.actor()
	if w == nil || !t.look(t.contractSet.emitter.Address).active {
		return false
	}
	topic := []uint64{0, 7, 0xfeedbeef}[t.rand.IntN(3)]
	body := contracts.Emit(t.nextQuery(), topic, uint8(1+t.rand.IntN(3)), contracts.Comment(t.comment()))
	return t.call(w, contracts.Call(t.contractSet.emitter.Address, oneTON/10, body))
}
