package contracts

import (
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of the emitter: the order and the log line.
const (
	OpEmit    = 0x656d6901
	OpLogLine = 0x656d6902
)

// Emitter is a contract that writes logs: external-out messages.
//
//	_ emitted:uint32 = Storage;
func Emitter() Contract {
	return newContract(Basechain, Code(codeEmitter), cell.BeginCell().MustStoreUInt(0, 32).EndCell())
}

// Emit orders count log lines. Topic 0 sends them to addr_none, any other to the external address of that topic.
//
//	emit#656d6901 query_id:uint64 topic:uint64 count:uint8 payload:^Cell = InternalMsgBody;
//	log_line#656d6902 query_id:uint64 number:uint32 sender:MsgAddress payload:^Cell = ExternalOutMsgBody;
func Emit(queryID, topic uint64, count uint8, payload *cell.Cell) *cell.Cell {
	return op(OpEmit, queryID).MustStoreUInt(topic, 64).MustStoreUInt(uint64(count), 8).MustStoreRef(payload).EndCell()
}
