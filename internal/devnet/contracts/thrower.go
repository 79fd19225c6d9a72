package contracts

import "github.com/xssnick/tonutils-go/tvm/cell"

// Opcodes of the thrower. Its bodies have no query id.
const (
	OpThrowCode        = 0x74687201
	OpThrowBurnGas     = 0x74687202
	OpThrowSendTooMuch = 0x74687203
	OpThrowBadList     = 0x74687204
	OpThrowBadMode     = 0x74687205
	OpThrowBounce      = 0x74687206
)

// Thrower returns a contract that fails as its caller orders. Salt is the start of its counter of calls, which makes
// several throwers distinct.
//
//	_ calls:uint32 = Storage;
func Thrower(workchain int, salt uint32) Contract {
	data := cell.BeginCell().MustStoreUInt(uint64(salt), 32).EndCell()
	return newContract(workchain, Code(codeThrower), data)
}

// ThrowCode fails in the compute phase with the given exit code.
//
//	throw_code#74687201 code:uint16 = InternalMsgBody;
func ThrowCode(code uint16) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(OpThrowCode, 32).MustStoreUInt(uint64(code), 16).EndCell()
}

// ThrowBurnGas runs out of gas: exit code -14.
//
//	burn_gas#74687202 = InternalMsgBody;
func ThrowBurnGas() *cell.Cell { return opcodeOnly(OpThrowBurnGas) }

// ThrowSendTooMuch fails in the action phase with result code 37: not enough Toncoin. Nothing bounces.
//
//	send_too_much#74687203 = InternalMsgBody;
func ThrowSendTooMuch() *cell.Cell { return opcodeOnly(OpThrowSendTooMuch) }

// ThrowBadActionList fails in the action phase with result code 32: the list of actions cannot be parsed.
//
//	bad_action_list#74687204 = InternalMsgBody;
func ThrowBadActionList() *cell.Cell { return opcodeOnly(OpThrowBadList) }

// ThrowBadSendMode fails in the action phase with result code 34: the action is invalid.
//
//	bad_send_mode#74687205 = InternalMsgBody;
func ThrowBadSendMode() *cell.Cell { return opcodeOnly(OpThrowBadMode) }

// ThrowBounceOnActionFailure fails as [ThrowSendTooMuch] does, and the message bounces.
//
//	bounce_on_action_failure#74687206 = InternalMsgBody;
func ThrowBounceOnActionFailure() *cell.Cell { return opcodeOnly(OpThrowBounce) }

// ThrowExternal is the body of an external message that is accepted and then fails with the exit code.
// The nonce makes messages distinct.
//
//	_ code:uint16 nonce:uint64 = ExternalMsgBody;
func ThrowExternal(code uint16, nonce uint64) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(uint64(code), 16).MustStoreUInt(nonce, 64).EndCell()
}

func opcodeOnly(code uint32) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(uint64(code), 32).EndCell()
}
